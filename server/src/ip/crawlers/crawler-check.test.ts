import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { parseAddress } from '../../core/address/address.ts'
import type { CrawlerName } from '../../core/config/ip-data-settings.ts'
import { atEnd } from '../../testing/at-end.ts'
import { testClock } from '../../testing/test-clock.ts'
import type { StoredList } from '../lists/address-lists.ts'
import { startDnsServer } from '../testing/dns-server.ts'
import { type CrawlerCheckResources, crawlerCheck } from './crawler-check.ts'
import { type HostNames, hostNames } from './host-names.ts'
import { reverseName } from './reverse-name.ts'

const googlebot = '66.249.66.1'
const host = 'crawl-66-249-66-1.googlebot.com'

async function start(t: TestContext, resources: Partial<CrawlerCheckResources> = {}) {
  const dns = await startDnsServer(t)
  const names = hostNames({ dnsServers: dns.address })
  atEnd(t, () => names.close())
  const clock = testClock()
  const { check } = crawlerCheck({ hostNames: names, clock, budgetMs: 60_000, ...resources })
  return {
    dns,
    clock,
    /** Gives the IP address these host names. */
    name(address: string, ...hosts: readonly string[]) {
      dns.records[reverseName(parseAddress(address)!)] = hosts
    },
    verification: async (address = googlebot, name: CrawlerName = 'google', lists: readonly StoredList[] = []) =>
      (await check(name, parseAddress(address)!, lists)).verification,
  }
}

test('verifies a crawler by a host name of its publisher that resolves to its IP address, in both families', async (t) => {
  const { dns, name, verification } = await start(t)
  name(googlebot, host)
  dns.records[host] = ['192.0.2.1', googlebot]
  assert.equal(await verification(), 'verified')
  assert.deepEqual(dns.queries, ['PTR 1.66.249.66.in-addr.arpa', `A ${host}`])

  name('2001:4860:4801:10::1', host)
  dns.records[host] = ['2001:4860:4801:0010:0:0:0:1']
  assert.equal(await verification('2001:4860:4801:10::1'), 'verified')
  assert.equal(dns.queries.at(-2), 'PTR 1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa')
})

test('fails an IP address whose host name of a publisher does not resolve to it', async (t) => {
  const { dns, name, verification } = await start(t)
  name('192.0.2.66', host)
  dns.records[host] = [googlebot]
  assert.equal(await verification('192.0.2.66'), 'failed')
  name('192.0.2.67', 'crawl-none.googlebot.com')
  assert.equal(await verification('192.0.2.67'), 'failed')
})

test('accepts only host names under the domains of the publisher, and looks up no others', async (t) => {
  const { dns, name, verification } = await start(t)
  const foreign = ['googlebot.com.evil.example', 'evilgooglebot.com', 'google-proxy-1.google.com', 'googlebot.com']
  for (const each of foreign) dns.records[each] = ['192.0.2.66']
  name('192.0.2.66', ...foreign)
  assert.equal(await verification('192.0.2.66'), 'failed')
  assert.deepEqual(dns.queries, ['PTR 66.2.0.192.in-addr.arpa'])
  name('192.0.2.68', 'MSNBOT-1.Search.MSN.com')
  dns.records['msnbot-1.search.msn.com'] = ['192.0.2.68']
  assert.equal(await verification('192.0.2.68', 'bing'), 'verified')
  assert.equal(await verification('192.0.2.68', 'google'), 'failed', 'a crawler of another publisher')
})

test('fails an IP address without a host name (NXDOMAIN)', async (t) => {
  const { verification } = await start(t)
  assert.equal(await verification(), 'failed')
})

test('waits no longer than the budget for a silent DNS server, and uses a late result for the next call', async (t) => {
  const late = Promise.withResolvers<readonly string[]>()
  const slow: HostNames = { namesOf: () => late.promise, addressesOf: async () => [googlebot], close() {} }
  const { verification } = await start(t, { budgetMs: 20, hostNames: slow })
  assert.equal(await verification(), 'unverified')
  late.resolve([host])
  await new Promise(setImmediate)
  assert.equal(await verification(), 'verified')

  const { dns, verification: overNetwork } = await start(t, { budgetMs: 20 })
  dns.behaviour = 'silence'
  assert.equal(await overNetwork(), 'unverified')
})

test('retries soon after a DNS failure, and caches results', async (t) => {
  const { dns, name, verification, clock } = await start(t)
  name(googlebot, host)
  dns.records[host] = [googlebot]
  dns.behaviour = 'failure'
  assert.equal(await verification(), 'unverified')
  dns.behaviour = 'answer'
  assert.equal(await verification(), 'unverified')
  clock.advance({ seconds: 60 })
  assert.equal(await verification(), 'verified')
  const queries = dns.queries.length
  clock.advance({ hours: 23 })
  assert.equal(await verification(), 'verified')
  assert.equal(dns.queries.length, queries)
  clock.advance({ hours: 1 })
  dns.records[host] = []
  assert.equal(await verification(), 'failed')
})

test('shares one DNS query among equal calls, and leaves crawlers beyond the limit unverified', async (t) => {
  const { dns, name, verification } = await start(t)
  name(googlebot, host)
  dns.records[host] = [googlebot]
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 20 }, () => verification()))), new Set(['verified']))
  assert.equal(dns.queries.length, 2)
  const flood = await Promise.all(Array.from({ length: 100 }, (_, i) => verification(`192.0.2.${i}`)))
  assert.deepEqual(
    [flood.filter((each) => each === 'failed').length, flood.slice(64)],
    [64, Array(36).fill('unverified')],
  )
})

test('verifies by a current IP range of the publisher without DNS, and not by another or an outdated range', async (t) => {
  const { dns, verification, clock } = await start(t)
  const list = (crawler: CrawlerName, ageDays = 0) =>
    [{ name: 'list', kind: 'crawler', crawler, datedMs: clock.now() - ageDays * 86_400_000, entries: 1 }] as const
  assert.equal(await verification(googlebot, 'duckduckgo', list('duckduckgo')), 'verified')
  assert.equal(await verification(googlebot, 'duckduckgo', list('openai')), 'unverified')
  assert.equal(await verification(googlebot, 'duckduckgo', list('duckduckgo', 31)), 'unverified')
  assert.deepEqual(dns.queries, [])
})

test('sends no DNS query when the budget is 0', async (t) => {
  const { dns, verification } = await start(t, { budgetMs: 0 })
  assert.equal(await verification(), 'unverified')
  assert.deepEqual(dns.queries, [])
})

test('refuses an invalid DNS server at the start', () => {
  assert.throws(() => hostNames({ dnsServers: 'dns.example' }), /dnsServers: .*dns\.example/)
})

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { endpoints, type SecureInfoDetail } from '@ringfence/contract'
import { updateLists } from '../../ip/lists/update-lists.ts'
import { startDnsServer } from '../../ip/testing/dns-server.ts'
import { readLists } from '../../ip/testing/read-lists.ts'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'

const googlebot =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const duckDuckBot = 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)'

async function start(t: TestContext) {
  const dns = await startDnsServer(t)
  const database = await sqliteDatabases.open(t)
  const settings = { trustedProxies: '127.0.0.1', dnsServers: dns.address }
  const service = await startTestService(t, database, { settings })
  return {
    dns,
    service,
    /** `bot.result` of secure info, for what says to be a crawler at an address. */
    async bot(userAgent: string, address: string): Promise<string | undefined> {
      const client = await sdkClient(service, { headers: { 'user-agent': userAgent, 'x-forwarded-for': address } })
      const { status, body } = await client.post(
        endpoints.secure.path,
        client.engineBody({ ...ordinaryFacts, userAgent }),
      )
      assert.equal(status, 200, JSON.stringify(body))
      const info: SecureInfoDetail = (await tokenCalls(service).secureInfo(body.token)).body.secure_info
      return info.bot?.result
    },
  }
}

test('bot.result is good for a crawler verified by reverse DNS, bad for one that only claims it', async (t) => {
  const { dns, bot } = await start(t)
  const host = 'crawl-66-249-66-1.googlebot.com'
  dns.records['1.66.249.66.in-addr.arpa'] = [host]
  dns.records[host] = ['66.249.66.1']
  dns.records['8.8.8.8.in-addr.arpa'] = [host]
  assert.equal(await bot(googlebot, '66.249.66.1'), 'good')
  assert.equal(await bot(googlebot, '8.8.8.8'), 'bad', 'a host name that does not resolve to the IP address')
  assert.equal(await bot(googlebot, '9.9.9.9'), 'bad', 'no name')
  assert.equal(await bot(googlebot, '10.0.0.1'), 'bad', 'a private IP address is never a crawler')
  assert.equal(await bot('curl/8.9.1', '66.249.66.1'), 'bad', 'an address of a crawler makes no crawler')
})

test('a crawler that is not verified in time is bad, and the analysis does not wait for it', async (t) => {
  const { dns, bot } = await start(t)
  dns.behaviour = 'silence'
  assert.equal(await bot(googlebot, '66.249.66.1'), 'bad')
})

test('verifies a crawler without host names by the IP ranges of its publisher', async (t) => {
  const { service, bot } = await start(t)
  const { dataFolder } = service.parts.settings
  assert.equal(await bot(duckDuckBot, '20.191.45.212'), 'bad')
  const file = join(dataFolder, 'duckduckbot.json')
  await writeFile(file, '{"creationTime":"2026-02-28","prefixes":[{"ipv4Prefix":"20.191.45.212/32"}]}')
  const lists = { duckduckbot: { kind: 'crawler', crawler: 'duckduckgo', url: `file://${file}` } } as const
  await updateLists({ dataFolder, lists, now: service.clock.now() })
  service.clock.advance({ seconds: 10 })
  await readLists(service)
  assert.equal(await bot(duckDuckBot, '20.191.45.212'), 'good')
  assert.equal(await bot(duckDuckBot, '20.191.45.213'), 'bad')
})

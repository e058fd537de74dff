// Do all servers of a store admit together what one would, and does none wait for the store?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { pino } from 'pino'
import { type Service, startService } from '../../main.ts'
import { atEnd } from '../../testing/at-end.ts'
import { postgresDatabases } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import { sandboxParts } from '../../testing/test-service.ts'
import { readConfig } from '../config/config.ts'
import type { Settings } from '../config/settings.ts'
import { Refusal } from '../errors.ts'
import { type LeaseRequest, leaseRequests } from '../storage/servers/request-counts.ts'
import { RateLimit, type RateLimitResources } from './rate-limit.ts'

const hash = (text: string) => Buffer.from(text).toString('hex')
const noHeaders = () => undefined

async function isAdmitted(
  limit: RateLimit,
  key = 'caller',
  headers: (name: string, value: string) => void = noHeaders,
) {
  try {
    await limit.take(key, headers)
    return true
  } catch (error) {
    if (error instanceof Refusal && error.failure === 'rateLimited') return false
    throw error
  }
}

/** How many of so many simultaneous requests are admitted. */
async function admittedOf(count: number, limitOf: (i: number) => RateLimit): Promise<number> {
  const admitted = await Promise.all(Array.from({ length: count }, (_, i) => isAdmitted(limitOf(i))))
  return admitted.filter(Boolean).length
}

/** Servers of one PostgreSQL, with a minute as the window, so that a slow machine does not see two. */
async function limitsOf(t: TestContext, count: number, quota: number): Promise<RateLimit[]> {
  const database = await postgresDatabases.open(t)
  const clock = { now: () => Date.now() }
  const lease: RateLimitResources['lease'] = (requests, { quota }) =>
    leaseRequests(database, requests, { quota, windowMs: 60_000 })
  return Array.from(
    { length: count },
    () =>
      new RateLimit(
        'client',
        { perSecond: quota / 60, burst: quota },
        { clock, servers: { count: () => count }, lease, hash, longestWaitMs: 60_000 },
      ),
  )
}

test('admits the quota of each window when one server has the store, and reports it in the headers', async () => {
  const clock = testClock()
  const lease = () => Promise.reject(new Error('one server needs no lease'))
  const limit = new RateLimit('app', { perSecond: 2, burst: 5 }, { clock, servers: { count: () => 1 }, lease, hash })
  const seen: string[] = []
  for (let i = 0; i < 5; i++)
    assert.equal(await isAdmitted(limit, 'a', (name, value) => seen.push(`${name} ${value}`)), true)
  assert.deepEqual(seen.slice(0, 2), ['RateLimit-Policy "app";q=5;w=3', 'RateLimit "app";r=4;t=3'])
  clock.advance({ ms: 1100 })
  await assert.rejects(limit.take('a', noHeaders), { failure: 'rateLimited', details: { retryAfterSeconds: 2 } })
  assert.equal(await isAdmitted(limit, 'b'), true, 'another caller has its own quota')
  clock.advance({ seconds: 2 })
  assert.equal(await isAdmitted(limit, 'a'), true)
})

for (const [servers, quota] of [
  [2, 10],
  [3, 100],
  [4, 1000],
] as const) {
  test(`${servers} servers admit a quota of ${quota} together, whichever of them is asked`, async (t) => {
    const most = quota + Math.max(servers, quota / 10)
    const evenly = await limitsOf(t, servers, quota)
    const admitted = await admittedOf(3 * quota, (i) => evenly[i % servers]!)
    assert.ok(admitted >= 0.9 * quota && admitted <= most, `${admitted} of ${quota}, evenly`)

    const sticky = await limitsOf(t, servers, quota)
    const first = await admittedOf(quota, () => sticky[0]!)
    assert.equal(first, quota, 'a caller below its limit is never refused')
    const later = await admittedOf(2 * quota, (i) => sticky[1 + (i % (servers - 1))]!)
    assert.ok(first + later <= most, `${first} + ${later} of ${quota}, one server after the other`)
  })
}

test('a caller that uses little of its limit costs the store nothing', async () => {
  const asked: (readonly LeaseRequest[])[] = []
  const lease: RateLimitResources['lease'] = async (requests) => {
    asked.push(requests)
    return []
  }
  const clock = testClock()
  const limit = new RateLimit('client', { perSecond: 1000 }, { clock, servers: { count: () => 2 }, lease, hash })
  assert.equal(await admittedOf(20, () => limit), 20)
  await wait(50)
  assert.equal(asked.length, 0)
})

test('admits its part of the quota while the store does not answer, and leases again afterwards', async () => {
  let answers = false
  const lease: RateLimitResources['lease'] = async (requests) => {
    if (!answers) throw new Error('the store is down')
    return requests.map(({ key, spent, wanted }) => ({ key, granted: wanted, counted: spent + wanted, msLeft: 60_000 }))
  }
  const clock = testClock()
  const limit = new RateLimit('client', { perSecond: 100 }, { clock, servers: { count: () => 4 }, lease, hash })
  assert.equal(await admittedOf(100, () => limit), 25)
  answers = true
  clock.advance({ seconds: 1 })
  for (let i = 0; i < 400; i++) {
    if ((await admittedOf(1, () => limit)) === 0) {
      await wait(20) // it asks the store again after a second
    }
  }
  const admitted = await admittedOf(50, () => limit)
  assert.equal(admitted, 50)
})

test('refuses a spent caller without asking the store again in this window', async () => {
  let batches = 0
  const lease: RateLimitResources['lease'] = async (requests) => {
    batches++
    return requests.map(({ key }) => ({ key, granted: 0, counted: 100, msLeft: 60_000 }))
  }
  const clock = testClock()
  const limit = new RateLimit('client', { perSecond: 100 }, { clock, servers: { count: () => 2 }, lease, hash })
  await admittedOf(50, () => limit)
  const soFar = batches
  assert.equal(await admittedOf(1000, () => limit), 0)
  await wait(50)
  assert.equal(batches, soFar)
  assert.equal(soFar, 1)
})

async function startServer(t: TestContext, settings: Partial<Settings>): Promise<Service> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-'))
  atEnd(t, () => rm(dataFolder, { recursive: true }))
  const options = { ...settings, dataFolder, port: 0, drainMs: 0, overloadDelayMs: 60_000 }
  const config = { ...sandboxParts({ url: 'http://127.0.0.1:9' }), settings: readConfig({ options }).settings }
  const service = await startService({
    config,
    log: pino({ level: 'silent' }),
    environment: { SANDBOX_SECRET: 'none' },
  })
  atEnd(t, () => service.stop())
  return service
}

test('two running servers answer 429 when a client has used its limit at both together', async (t) => {
  const databaseUrl = await postgresDatabases.place(t)
  // A window is a second: the clients are faster than any machine serves them, for three windows.
  const settings = { databaseUrl, masterKey: randomBytes(32).toString('base64'), clientRatePerSecond: 40 }
  const first = await startServer(t, settings)
  const second = await startServer(t, settings)
  const [{ n }] = (await first.parts.database.query<{ n: number }>('select count(*) as n from server')) as [
    { n: number },
  ]
  assert.equal(n, 2)
  while (first.parts.servers.requestCounts.servers.count() < 2) await wait(100)
  // A store that takes longer than usual is waited for: without it, each server admits its part.
  for (const { parts } of [first, second]) Object.assign(parts.servers.requestCounts, { longestWaitMs: 60_000 })
  const tenantId = (await first.parts.tenantKeyring.createTenant('shop')).id
  const credentials = { ...(await first.parts.clients.createClient(tenantId, 'backend')) }
  const ask = async ({ url }: Service) => {
    const response = await fetch(url + endpoints.validateToken.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credentials },
      body: '{"token":"none"}',
    })
    await response.arrayBuffer()
    return response.status
  }
  const startedAt = performance.now()
  const secondsOf = () => Math.floor((performance.now() - startedAt) / 1000)
  /** Seconds in which the limit was used up. A busy machine may ask nothing in others. */
  const spent = new Set<number>()
  let admitted = 0
  while (spent.size < 3) {
    const statuses = await Promise.all([first, second, first, second, first, second].map(ask))
    admitted += statuses.filter((status) => status !== 429).length
    if (statuses.includes(429)) spent.add(secondsOf())
  }
  const windows = secondsOf() + 1
  assert.ok(admitted <= 1.1 * 40 * windows, `${admitted} in ${windows} windows`)
  assert.ok(admitted >= 0.5 * 40 * (spent.size - 1), `${admitted} in ${spent.size} windows`)
})

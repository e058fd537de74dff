// Can anybody fill the disk with SDK calls? An app, and an IP address, may store so much in a day.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { pino } from 'pino'
import type { Database } from '../core/storage/database.ts'
import { dropStoredBytesBefore } from '../core/storage/stored-bytes.ts'
import { dropExpired } from '../device/history/retention.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { createApp, sdkClient } from '../testing/sdk-client.ts'
import { testClock } from '../testing/test-clock.ts'
import { startTestService } from '../testing/test-service.ts'
import { StorageBudget } from './storage-budget.ts'

/** A statement whose row takes this many bytes. */
const storing = (bytes: number) => [{ sql: '', params: [new Uint8Array(bytes - 40)] }]
const settings = { storageMbPerAppDay: 10, storageMbPerAddressDay: 4 }
const ip = { asnOf: () => undefined }
const megabyte = 1_000_000

const budgetOn = (database: Database, clock = testClock(), log = pino({ level: 'silent' })) =>
  new StorageBudget({ database, clock, settings, log, ip })

/** How many calls that store a megabyte pass, of so many. */
function passing(budget: StorageBudget, calls: number, addressOf: (call: number) => string, app = 'rfa_1'): number {
  let passed = 0
  for (let call = 0; call < calls; call++) {
    try {
      budget.take(app, addressOf(call), storing(megabyte))
      passed++
    } catch (error) {
      assert.equal((error as { failure?: string }).failure, 'storageSpent')
    }
  }
  return passed
}

test('one /48 of IPv6 stores three times as much in a day as one /64, and its operator a hundred times', async (t) => {
  const clock = testClock()
  const small = { storageMbPerAppDay: 1000, storageMbPerAddressDay: 1 }
  const budget = new StorageBudget({
    ...{ database: await sqliteDatabases.open(t), clock, log: pino({ level: 'silent' }), settings: small },
    ip: { asnOf: ({ words }) => (words[0] === 0x20010db8 ? 64500 : 64501) },
  })
  const of = (calls: number, addressOf: (call: number) => string) => passing(budget, calls, addressOf)
  assert.equal(
    of(9, (call) => `2001:db8:0:${call}::1`),
    2,
    'one /56',
  )
  assert.equal(
    of(9, (call) => `2001:db8:0:${call}00::1`),
    1,
    'the rest of its /48',
  )
  assert.equal(
    of(120, (call) => `2001:db8:${(call + 1).toString(16)}::1`),
    97,
    'the rest of its operator',
  )
  assert.equal(
    of(20, (call) => `192.0.2.${call}`),
    16,
    'another operator',
  )
  await budget.close()
})

eachDatabase(({ engine, open }) => {
  test(`limits what an app stores in a day, over all servers and restarts, and starts again the next day (${engine})`, async (t) => {
    const database = await open(t)
    const clock = testClock()
    const [first, second] = [budgetOn(database, clock), budgetOn(database, clock)]
    assert.equal(
      passing(first, 6, (call) => `10.0.0.${call}`),
      6,
    )
    await first.flush()
    assert.equal(
      passing(second, 2, (call) => `10.0.1.${call}`),
      2,
    )
    await second.flush()
    assert.equal(
      passing(second, 6, (call) => `10.0.2.${call}`),
      2,
    )
    await second.close()
    assert.equal(
      passing(first, 6, (call) => `10.0.3.${call}`),
      4,
      'it does not know of the other one yet',
    )
    await first.flush()
    assert.equal(
      passing(first, 6, (call) => `10.0.3.${call}`),
      0,
    )
    assert.equal(
      passing(first, 1, () => '10.0.0.1', 'rfa_2'),
      1,
      'another app has its own budget',
    )
    const restarted = budgetOn(database, clock)
    assert.equal(
      passing(restarted, 1, () => '10.0.4.1'),
      1,
    )
    await restarted.flush()
    assert.equal(
      passing(restarted, 1, () => '10.0.4.2'),
      0,
    )
    clock.advance({ hours: 24 })
    assert.equal(
      passing(restarted, 1, () => '10.0.4.2'),
      1,
    )
    await Promise.all([first.close(), restarted.close()])
  })

  test(`deletes the counts of earlier days (${engine})`, async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    service.parts.apps.storageBudget.take('rfa_1', '10.0.0.1', storing(100))
    await service.parts.apps.storageBudget.flush()
    const rows = () => database.query('select bytes from stored_bytes')
    assert.deepEqual(await rows(), [{ bytes: 100 }])
    service.clock.advance({ hours: 31 * 24 })
    await dropExpired(service.parts)
    assert.equal((await rows()).length, 1)
    service.clock.advance({ hours: 24 })
    await dropExpired(service.parts)
    assert.equal((await rows()).length, 0)
    assert.equal(await dropStoredBytesBefore(database, 1, 10), 0)
  })
})

const { open } = sqliteDatabases

test('one IP address, or one IPv6 /64 network, cannot use up the budget of an app', async (t) => {
  const budget = budgetOn(await open(t))
  assert.equal(
    passing(budget, 8, () => '10.0.0.1'),
    4,
  )
  assert.equal(
    passing(budget, 8, (call) => `2001:db8::${call + 1}`),
    4,
  )
  assert.equal(
    passing(budget, 8, () => '2001:db8:0:1::1'),
    2,
    'the rest of the app',
  )
  await budget.close()
})

test('an IP address starts again at midnight, however late in the day it stored', async (t) => {
  const clock = testClock(Date.parse('2026-03-01T23:50:00Z'))
  const budget = budgetOn(await open(t), clock)
  assert.equal(
    passing(budget, 8, () => '10.0.0.1'),
    4,
  )
  clock.advance({ seconds: 600 })
  assert.equal(
    passing(budget, 8, () => '10.0.0.1'),
    4,
  )
  await budget.close()
})

test('a store that fails for a moment loses no count', async (t) => {
  const database = await open(t)
  let fails = true
  const failing = {
    ...database,
    query: (sql: string, params?: never) => (fails ? Promise.reject(new Error('down')) : database.query(sql, params)),
  } as unknown as Database
  const budget = budgetOn(failing)
  assert.equal(
    passing(budget, 3, (call) => `10.0.0.${call}`),
    3,
  )
  await budget.flush()
  fails = false
  await budget.close()
  assert.deepEqual(await database.query('select bytes from stored_bytes'), [{ bytes: 3 * megabyte }])
})

test('an SDK call beyond the budget is 429 with Retry-After, stores nothing, and leaves sign-in and reading untouched', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) })
  const database = await open(t)
  const service = await startTestService(t, database, {
    log,
    settings: { storageMbPerAppDay: 1, appRatePerSecond: 1000 },
  })
  const app = await createApp(service)
  const client = await sdkClient(service, { app })
  const { dfrId } = await client.fingerprint()
  service.parts.apps.storageBudget.take(app.id, '10.0.0.1', storing(megabyte - 10_000))
  const analyse = async () => {
    const other = await sdkClient(service, { app })
    return other.post(endpoints.intelligence.path, other.engineBody())
  }
  let last = await analyse()
  for (let visit = 0; visit < 20 && last.status === 200; visit++) last = await analyse()
  assert.deepEqual([last.status, last.body.errorMessage], [429, 'Storage limit of the day exceeded'])
  assert.ok(Number(last.headers.get('retry-after')) > 3600)
  const rows = () => database.query('select dfr_id from device_analysis')
  const before = (await rows()).length
  for (const carry of [false, true]) {
    const other = await sdkClient(service, { app })
    const engine = other.engineBody(undefined, { carry })
    const { status, body } = await other.post(endpoints.intelligence.path, engine)
    assert.equal(status, carry ? 200 : 429)
    if (!carry) continue
    const push = { ...other.pushBody(engine.requestId), data: { requestId: engine.requestId, analysis: body.analysis } }
    assert.equal((await other.post(endpoints.pushFingerprint.path, push)).status, 429)
  }
  assert.equal((await rows()).length, before)
  assert.equal(lines.filter((line) => line.includes('as much as it may today')).length, 1)
  assert.match(await (await fetch(`${service.url}/metrics`)).text(), /refusals_total\{failure="storageSpent"\} 3/)
  const report = await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB' })
  assert.equal(report.status, 200)
})

test('a repeated secure call counts too: each stores another token', async (t) => {
  const database = await open(t)
  const service = await startTestService(t, database, { settings: { storageMbPerAppDay: 1, appRatePerSecond: 1000 } })
  const client = await sdkClient(service)
  const body = client.engineBody()
  assert.equal((await client.post(endpoints.secure.path, body)).status, 200)
  service.parts.apps.storageBudget.take(client.app.id, '10.0.0.1', storing(megabyte - 20_000))
  const statuses = new Set<number>()
  for (let again = 0; again < 60; again++) statuses.add((await client.post(endpoints.secure.path, body)).status)
  assert.deepEqual(statuses, new Set([200, 429]))
  assert.ok((await database.query('select hash from token')).length < 40)
})

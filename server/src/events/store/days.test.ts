// Has each day of events its own table on PostgreSQL, which goes as a whole, and is no event lost where it has none?

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { pino } from 'pino'
import { readConfig } from '../../core/config/config.ts'
import { type Database, LockTimeout } from '../../core/storage/database.ts'
import { eventIds, lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { insertTenant } from '../../core/storage/tenants.ts'
import { startService } from '../../main.ts'
import { atEnd } from '../../testing/at-end.ts'
import { postgresDatabases } from '../../testing/databases.ts'
import { dropExpiredEvents, keepEventDays } from '../retention.ts'
import { dropEventDaysBefore, makeEventDays } from './days.ts'
import { type EventRow, eventInsert, listEvents } from './events.ts'

const dayMs = 86_400_000
const today = Date.UTC(2026, 10, 29)

async function storeWithTenant(t: Parameters<typeof postgresDatabases.open>[0]): Promise<Database> {
  const database = await postgresDatabases.open(t)
  await insertTenant(database, { id: 'shop', name: 'Shop', createdAt: 1, sealedKeys: new Uint8Array(8) })
  return database
}

const eventAt = (occurredAt: number): EventRow => ({
  ...{ tenantId: 'shop', id: eventIds()(occurredAt), type: 'decision.made', occurredAt, outcome: null },
  ...{ userHash: null, numberHash: null, emailHash: null, deviceHash: null, ipHash: null, requestHash: null },
  ...{ orderKey: new Uint8Array(8), sealed: new Uint8Array(3) },
})

const happen = (database: Database, ...moments: number[]) =>
  database.batch(moments.map((moment) => eventInsert(eventAt(moment))))

const moments = async (database: Database) => {
  const range = { after: lowestIdAt(0), before: lowestIdAt(today + 400 * dayMs), limit: 100 }
  return (await listEvents(database, 'shop', range)).map(({ occurredAt }) => occurredAt)
}

/** Table → how many events it has. */
async function tables(database: Database): Promise<Record<string, number>> {
  const rows = await database.query<{ name: string; events: number }>(
    `select cast(tableoid::regclass as text) as name, count(*) as events from event group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, events }) => [name, Number(events)]))
}

test('events of a day are in its table, found in order over days, and gone with it', async (t) => {
  const database = await storeWithTenant(t)
  await makeEventDays(database, today + 5000, 30)
  const all = [today, today + dayMs - 1, today + dayMs, today + 2 * dayMs + 7]
  await happen(database, ...all)
  assert.deepEqual(await tables(database), { event_2026_11_29_1: 2, event_2026_11_30_1: 1, event_2026_12_01_1: 1 })
  assert.deepEqual(await moments(database), all)
  await dropEventDaysBefore(database, today + dayMs - 1)
  assert.deepEqual(await moments(database), all, 'the last millisecond of the day has not expired')
  await dropEventDaysBefore(database, today + dayMs)
  assert.deepEqual(await moments(database), all.slice(2))
})

test('an event without a table of its day is kept, found and expires; its day stays without one', async (t) => {
  const database = await storeWithTenant(t)
  await happen(database, today + 1)
  await makeEventDays(database, today + 2, 30)
  await happen(database, today + 3, today + dayMs)
  assert.deepEqual(await tables(database), { event_2026_11_30_1: 1, event_other: 2 })
  assert.deepEqual(await moments(database), [today + 1, today + 3, today + dayMs])
  const keptAt = async (now: number) => {
    const needs = { database, clock: { now: () => now }, settings: { eventDays: 30 } as never }
    await dropExpiredEvents(needs)
    await keepEventDays(needs)
  }
  await keptAt(today + 30 * dayMs + 2)
  assert.deepEqual(await moments(database), [today + 3, today + dayMs])
  await keptAt(today + 32 * dayMs)
  assert.deepEqual(await moments(database), [])
})

test('servers that make the same days at once, and a second start, leave one table for each', async (t) => {
  const place = await postgresDatabases.place(t)
  const servers = [await openDatabase(place), await openDatabase(place), await openDatabase(place)]
  atEnd(t, () => Promise.all(servers.map((each) => each.close())))
  for (const _ of [1, 2]) await Promise.all(servers.map((each) => makeEventDays(each, today, 30)))
  await happen(servers[0]!, today, today + 3 * dayMs)
  assert.deepEqual(await tables(servers[1]!), { event_2026_11_29_1: 1, event_2026_12_02_1: 1 })
})

test('a day that somebody reads is removed later, and events go on meanwhile', async (t) => {
  const place = await postgresDatabases.place(t)
  const database = await openDatabase(place)
  const reader = new Client({ connectionString: place })
  await reader.connect()
  atEnd(t, () => database.close())
  await makeEventDays(database, today, 30)
  await happen(database, today)
  await reader.query('begin')
  await reader.query('select * from event')
  await assert.rejects(dropEventDaysBefore(database, today + dayMs), LockTimeout)
  await happen(database, today + dayMs)
  assert.deepEqual(await moments(database), [today, today + dayMs])
  await reader.query('rollback')
  await reader.end()
  await dropEventDaysBefore(database, today + dayMs)
  assert.deepEqual(await moments(database), [today + dayMs])
})

test('a longer retention has tables of several days, after those that are there already', async (t) => {
  const database = await storeWithTenant(t)
  await makeEventDays(database, today, 30)
  for (let day = 0; day <= 14; day++) await makeEventDays(database, today + day * dayMs, 240)
  await happen(database, today, today + 4 * dayMs, today + 14 * dayMs)
  assert.deepEqual(await tables(database), { event_2026_11_29_1: 1, event_2026_12_13_4: 1, event_other: 1 })
  await dropEventDaysBefore(database, today + 17 * dayMs)
  assert.deepEqual(await moments(database), [today + 4 * dayMs, today + 14 * dayMs], 'the last table ends a day later')
})

test('a service starts while a backup reads all events, and keeps them in the table of no day', async (t) => {
  const place = await postgresDatabases.place(t)
  await (await openDatabase(place)).close()
  const backup = new Client({ connectionString: place })
  await backup.connect()
  await backup.query('begin')
  await backup.query('select * from event')
  const masterKey = Buffer.alloc(32, 1).toString('base64')
  const dataFolder = await mkdtemp(join(tmpdir(), 'ringfence-'))
  const config = readConfig({ options: { port: 0, masterKey, databaseUrl: place, dataFolder, drainMs: 0 } })
  const service = await startService({ config, log: pino({ level: 'silent' }) })
  atEnd(t, async () => {
    await service.stop()
    await rm(dataFolder, { recursive: true })
  })
  const now = Date.now()
  await happen(service.parts.database, now)
  assert.deepEqual(await tables(service.parts.database), { event_other: 1 })
  await backup.query('rollback')
  await backup.end()
  await keepEventDays(service.parts)
  await happen(service.parts.database, now + 1, now + dayMs)
  const found = await tables(service.parts.database)
  assert.equal(found.event_other, 2)
  assert.equal(Object.keys(found).length, 2, 'tomorrow has a table')
})

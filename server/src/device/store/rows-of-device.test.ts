import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Queryable, SqlValue } from '../../core/storage/database.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { analysisInsert } from './device-analyses.ts'
import { moveVisits } from './moved-devices.ts'
import { isOfDevice, rowsOfDevice } from './rows-of-device.ts'
import { type VisitRow, visitsOfDevice } from './visits-of-device.ts'

const dayMs = 86_400_000
const hash = (n: number) => new Uint8Array(8).fill(n)
const [device, other] = [hash(1), hash(2)]
const today = 20_000 * dayMs
/** Two visits at once, at both ends of a day, and after gaps. */
const times = [0, 0, 1, dayMs - 1, dayMs, 2 * dayMs, 40 * dayMs, 41 * dayMs - 1, 170 * dayMs, 180 * dayMs].map(
  (ago) => today - ago,
)

function visitAt(deviceHash: Uint8Array, analysedAt: number) {
  const dfrId = randomBytes(16).toString('hex')
  const key = { tenantId: 'shop', dfrId, challenge: randomBytes(10), bodyHash: hash(3), pushHash: hash(4) }
  const from = { installationHash: null, ipPrefixHash: null, ipHash: null, country: null, signals: '' }
  return analysisInsert({ ...key, ...from, analysedAt, deviceHash, sealed: hash(5) })
}

eachDatabase(({ engine, open }) => {
  const opened = async (t: Parameters<typeof open>[0]) => {
    const database = await open(t)
    const rows = [...times.map((at) => [device, at] as const), [other, today - 3 * dayMs] as const]
    await database.batch(rows.map(([deviceHash, at]) => visitAt(deviceHash, at)))
    return database
  }
  const visitsOf = (database: Awaited<ReturnType<typeof open>>, deviceHash: Uint8Array, since?: number) =>
    visitsOfDevice(database, { tenantId: 'shop', deviceHash }, 100, since === undefined ? {} : { since })

  test(`finds the visits of a device on all days, the newest first, page after page (${engine})`, async (t) => {
    const database = await opened(t)
    const all = await visitsOf(database, device)
    assert.deepEqual(
      all.map(({ analysedAt }) => analysedAt),
      times,
    )
    const pages: VisitRow[] = []
    for (let before: VisitRow | undefined; ; before = pages.at(-1)) {
      const page = await visitsOfDevice(database, { tenantId: 'shop', deviceHash: device }, 3, before ? { before } : {})
      pages.push(...page)
      if (page.length < 3) break
    }
    assert.deepEqual(pages, all)
    const since = today - 41 * dayMs
    assert.deepEqual(
      (await visitsOf(database, device, since)).map(({ analysedAt }) => analysedAt),
      times.filter((at) => at > since),
    )
    assert.deepEqual(await visitsOfDevice(database, { tenantId: 'bank', deviceHash: device }, 100), [])
  })

  test(`lists the analyses of a device a page at a time, and each once (${engine})`, async (t) => {
    const database = await opened(t)
    const busy = Array.from({ length: 250 }, (_, n) => today - 300 * dayMs + Math.floor(n / 40))
    await database.batch(busy.map((at) => visitAt(device, at)))
    const pages: number[] = []
    const watched: Queryable = {
      async query<R>(sql: string, params: readonly SqlValue[] = []) {
        const rows = await database.query<R>(sql, params)
        if (sql.includes('limit')) pages.push(rows.length)
        return rows
      },
    }
    const idsOf = async (tenantId: string) => {
      const ids: string[] = []
      for await (const id of rowsOfDevice(watched, { tenantId, deviceHash: device }))
        ids.push(Buffer.from(id).toString('hex'))
      return ids
    }
    const ids = await idsOf('shop')
    assert.deepEqual([ids.length, new Set(ids).size], [260, 260])
    assert.deepEqual(pages.slice(0, 3), [100, 100, 50], 'of the busy day')
    assert.deepEqual(await idsOf('bank'), [])
  })

  test(`moves the visits of a device on all days to another one (${engine})`, async (t) => {
    const database = await opened(t)
    await moveVisits(database, device, other)
    assert.deepEqual(await visitsOf(database, device), [])
    assert.equal((await visitsOf(database, other)).length, times.length + 1)
  })

  test(`reads few of the visits of a device that comes every ten seconds (${engine})`, async (t) => {
    const database = await open(t)
    const visits = Array.from({ length: 400 }, (_, ago) => today - ago * 10_000)
    for (const some of [visits.slice(0, 200), visits.slice(200)]) {
      await database.batch(some.map((at) => visitAt(device, at)))
    }
    const windows: number[] = []
    const watched = {
      query: (sql: string, params: readonly SqlValue[] = []) => {
        if (sql.includes('order by analysed_at')) windows.push(Number(params[4]) - Number(params[3]))
        return database.query(sql, params)
      },
    } as Queryable
    const page = await visitsOfDevice(watched, { tenantId: 'shop', deviceHash: device }, 50, {
      before: { analysedAt: today, dfrId: new Uint8Array(16) },
    })
    assert.deepEqual(
      page.map(({ analysedAt }) => analysedAt),
      visits.slice(1, 51),
    )
    assert.deepEqual(windows, [900_000])
  })
})

test('finds the visits of a device by the index of devices, not among all of the tenant (sqlite)', async (t) => {
  const database = await sqliteDatabases.open(t)
  const plan = await database.query<{ detail: string }>(
    `explain query plan select sealed from device_analysis where ${isOfDevice('$1', { tenant: '$2' })}`,
    [device, hash(9)],
  )
  const reads = plan.map(({ detail }) => detail).filter((detail) => detail.includes('device_analysis'))
  assert.ok(reads.length >= 3)
  for (const read of reads) assert.match(read, /^SEARCH .* INDEX device_analysis_by_device \(/)
})

test('finds a page of a busy device by time, not among all its visits of the day (sqlite)', async (t) => {
  const database = await sqliteDatabases.open(t)
  const plan = await database.query<{ detail: string }>(
    `explain query plan select sealed from device_analysis
      where ${isOfDevice('$1', { tenant: '$2', since: 'cast($3 as bigint)', until: 'cast($4 as bigint)' })}
        and analysed_at > $3 and analysed_at <= $4 order by analysed_at desc, dfr_id desc limit 3`,
    [device, hash(9), today - dayMs, today],
  )
  assert.match(plan[0]!.detail, /_by_device \(.* AND device_hash=\? AND analysed_at>\? AND analysed_at<\?\)/)
})

test('reads no more rows of a device than a page has (sqlite)', async (t) => {
  const database = await sqliteDatabases.open(t)
  await database.batch([visitAt(device, today)])
  const texts: string[] = []
  const watched: Queryable = {
    query(sql, params) {
      texts.push(sql)
      return database.query(sql, params)
    },
  }
  for await (const _ of rowsOfDevice(watched, { tenantId: 'shop', deviceHash: device }));
  const plan = await database.query<{ detail: string }>(`explain query plan ${texts.at(-1)}`, [
    0,
    device,
    hash(9),
    0,
    hash(1),
  ])
  const details = plan.map(({ detail }) => detail)
  assert.match(
    details[0]!,
    /^SEARCH .* INDEX device_analysis_by_device \(<expr>=\? AND device_hash=\? AND analysed_at>\?\)/,
  )
  // Only rows of the same millisecond are sorted.
  assert.deepEqual(details.slice(1), ['USE TEMP B-TREE FOR LAST TERM OF ORDER BY'])
})

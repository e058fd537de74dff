import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { analysisInsert } from './device-analyses.ts'
import { moveVisits } from './moved-devices.ts'
import { isOfDevice } from './rows-of-device.ts'
import { type VisitRow, visitsOfDevice } from './visits-of-device.ts'

const dayMs = 86_400_000
const hash = (n: number) => new Uint8Array(8).fill(n)
const [device, other] = [hash(1), hash(2)]
const today = 20_000 * dayMs
/** Two visits at once, at both ends of a day, and after gaps. */
const times = [0, 0, 1, dayMs - 1, dayMs, 2 * dayMs, 40 * dayMs, 41 * dayMs - 1, 170 * dayMs, 180 * dayMs].map(
  (ago) => today - ago,
)

eachDatabase(({ engine, open }) => {
  const opened = async (t: Parameters<typeof open>[0]) => {
    const database = await open(t)
    const rows = [...times.map((at) => [device, at] as const), [other, today - 3 * dayMs] as const]
    for (const [deviceHash, analysedAt] of rows) {
      const dfrId = randomBytes(16).toString('hex')
      const key = { tenantId: 'shop', dfrId, challenge: randomBytes(10), bodyHash: hash(3), pushHash: hash(4) }
      const from = { installationHash: null, ipPrefixHash: null, ipHash: null, country: null, signals: '' }
      await database.batch([analysisInsert({ ...key, ...from, analysedAt, deviceHash, sealed: hash(5) })])
    }
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

  test(`moves the visits of a device on all days to another one (${engine})`, async (t) => {
    const database = await opened(t)
    await moveVisits(database, device, other)
    assert.deepEqual(await visitsOf(database, device), [])
    assert.equal((await visitsOf(database, other)).length, times.length + 1)
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

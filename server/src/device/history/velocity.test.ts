import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Settings } from '../../core/config/settings.ts'
import { ConditionFailed, type Database } from '../../core/storage/database.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { putAccountDevice } from '../store/account-devices.ts'
import {
  analysisInsert,
  deleteContents,
  dropUnreported,
  dropWithoutContent,
  reportUpdate,
} from '../store/device-analyses.ts'
import { historyOf } from './device-history.ts'
import { historyStatements } from './history-change.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const hour = 3_600_000

const short = (text: string) => hash('sha256', text, 'buffer').subarray(0, 8)
const bytes = Buffer.from('sealed')

interface Visit {
  name: string
  device?: string
  at?: number
  account?: string
  number?: string
  country?: string
  signals?: string
}

const settings = { deviceHistoryDays: 180 } as Settings

function columnsOf({ name, device = 'device', at = now, account, number, country, signals = '' }: Visit) {
  return {
    tenantId: 'bank',
    dfrId: hash('md5', name),
    challenge: short(name),
    bodyHash: bytes,
    analysedAt: at,
    deviceHash: short(device),
    installationHash: short(device),
    accountHash: account === undefined ? null : short(account),
    numberHash: number === undefined ? null : short(number),
    ipPrefixHash: null,
    ipHash: null,
    country: country ?? null,
    signals,
    sealed: bytes,
  }
}

async function analysed(database: Database, visit: Visit): Promise<void> {
  await database.batch([analysisInsert({ ...columnsOf(visit), pushHash: null })])
}

const confirmed = (database: Database, account: string, deviceId: string, lastSeenAt: number) =>
  putAccountDevice(database, short(account), {
    deviceId: uuidBytes(deviceId),
    installations: bytes,
    firstSeenAt: 0,
    lastSeenAt,
    revokedAt: null,
    sealed: bytes,
  })

const deviceId = '00000000-0000-4000-8000-000000000001'
const historyAt = (database: Database, visit: Visit) => {
  const { bodyHash: _, sealed: __, challenge: ___, ...columns } = columnsOf(visit)
  return historyOf({ ...columns, deviceId }, { database, settings })
}

/** With its report, which writes the history. */
async function visited(database: Database, visit: Visit): Promise<void> {
  await analysed(database, visit)
  const { change } = await historyAt(database, visit)
  const report = { pushHash: bytes, sealed: bytes }
  const stored = reportUpdate({ tenantId: 'bank', dfrId: hash('md5', visit.name), ...report })
  await database.batch([stored, ...historyStatements(change)])
}

/** Signals of the visits that are stored, oldest first. */
const storedVisits = async (database: Database): Promise<string[]> => {
  const rows = await database.query<{ signals: string }>(
    'select signals from device_analysis where push_hash is not null order by analysed_at',
  )
  return rows.map(({ signals }) => signals)
}

eachDatabase(({ engine, open }) => {
  test(`counts what a device did in 1 h, 24 h and 7 d (${engine})`, async (t) => {
    const database = await open(t)
    const visits = [
      { name: 'b', at: now - hour / 2, account: 'asha', country: 'IN' },
      { name: 'c', at: now - 2 * hour, account: 'ben', country: 'FR' },
      { name: 'd', at: now - 50 * hour, account: 'cleo', number: '33' },
      { name: 'e', at: now - 8 * 24 * hour, account: 'dan' },
      { name: 'g', device: 'device of another tenant', account: 'eve' },
    ]
    for (const each of visits.toReversed()) await visited(database, each)
    await analysed(database, { name: 'without a push', account: 'flo', number: '49', country: 'DE' })
    await confirmed(database, 'asha', deviceId, now - hour / 2)
    await confirmed(database, 'asha', '00000000-0000-4000-8000-000000000002', now - 3 * hour)
    await confirmed(database, 'asha', '00000000-0000-4000-8000-000000000003', now - 8 * 24 * hour)
    const { history } = await historyAt(database, { name: 'a', account: 'asha', number: '91', country: 'IN' })
    assert.equal(history.firstVisitAt, now - 8 * 24 * hour)
    const found = history.velocity
    assert.deepEqual(found, {
      accountsPerDevice1h: 1,
      accountsPerDevice24h: 2,
      accountsPerDevice7d: 3,
      phoneNumbersPerDevice1h: 1,
      phoneNumbersPerDevice24h: 1,
      phoneNumbersPerDevice7d: 2,
      countriesPerDevice1h: 1,
      countriesPerDevice24h: 2,
      countriesPerDevice7d: 2,
      devicesPerAccount1h: 1,
      devicesPerAccount24h: 2,
      devicesPerAccount7d: 2,
    })
  })

  test(`counts one visit for several pushes of an analysis (${engine})`, async (t) => {
    const database = await open(t)
    await visited(database, { name: 'a', signals: 'bot' })
    const again = { tenantId: 'bank', dfrId: hash('md5', 'a'), pushHash: short('b'), sealed: short('b') }
    await assert.rejects(database.batch([reportUpdate(again)]), ConditionFailed)
    assert.deepEqual(await storedVisits(database), ['bot'])
  })

  test(`deletes the content first, then the visits, in slices (${engine})`, async (t) => {
    const database = await open(t)
    for (let at = 0; at < 5; at++) await visited(database, { name: `${at}`, at })
    await analysed(database, { name: 'without a push', at: 0 })
    await visited(database, { name: 'now' })
    assert.deepEqual([await dropUnreported(database, 4, 3), await dropUnreported(database, 4, 3)], [1, 0])
    const forgotten = [await deleteContents(database, 4, 3), await deleteContents(database, 4, 3)]
    assert.deepEqual([...forgotten, await deleteContents(database, 4, 3)], [3, 2, 0])
    assert.equal((await storedVisits(database)).length, 6, 'visits are remembered')
    assert.deepEqual([await dropWithoutContent(database, 4, 3), await dropWithoutContent(database, 4, 3)], [3, 1])
    assert.equal((await storedVisits(database)).length, 2)
  })
})

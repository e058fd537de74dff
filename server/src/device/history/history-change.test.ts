import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Settings } from '../../core/config/settings.ts'
import { ConditionFailed, type Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { deviceScore } from '../scores/device-score.ts'
import { sessionScore } from '../scores/session-score.ts'
import { putDeviceLabel } from '../store/labels/device-labels.ts'
import { historyOf, type KnownHistory } from './device-history.ts'
import { historyStatements } from './history-change.ts'
import { mostOfAKind, nothingSeen, packed, type Seen, unpacked, withSeen } from './seen-values.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000
const day = 86_400_000
const short = (text: string) => hash('sha256', text, 'buffer').subarray(0, 8)
const settings = { deviceHistoryDays: 180 } as Settings
const deviceHash = short('device')

interface Visit {
  by: string | null
  at: number
  account?: string
  country?: string
  signals?: string
}

const reads = ({ by, at, account, country, signals = '' }: Visit, database: Database) =>
  historyOf(
    {
      tenantId: 'bank',
      dfrId: hash('md5', `${by} ${at}`),
      analysedAt: at,
      deviceHash,
      deviceId: '00000000-0000-4000-8000-000000000001',
      installationHash: by === null ? null : short(by),
      accountHash: account === undefined ? null : short(account),
      numberHash: null,
      ipPrefixHash: null,
      ipHash: null,
      country: country ?? null,
      signals,
    },
    { database, settings },
  )

/** Stores a visit and returns the history that it reads; it reads again when another visit was faster. */
async function visits(database: Database, visit: Visit): Promise<KnownHistory> {
  const { history, change } = await reads(visit, database)
  try {
    await database.batch(historyStatements(change))
    return history
  } catch (error) {
    if (error instanceof ConditionFailed) return visits(database, visit)
    throw error
  }
}

const labelled = (database: Database, by: string, visitedAt: number, label: 'fraud' | 'legitimate' = 'fraud') =>
  putDeviceLabel(database, {
    tenantId: 'bank',
    deviceHash,
    installationHash: short(by),
    dfrId: hash('md5', `${by} ${visitedAt}`),
    label,
    knownAt: visitedAt + minute,
    visitedAt,
  })

const scoreOf = (history: KnownHistory, at: number) => deviceScore(sessionScore([]), history, at).score

test('seen values survive packing, and the newest of each kind stay', () => {
  const seen = fc.record({
    kind: fc.constantFrom<Seen['kind']>('account', 'number', 'country', 'signal'),
    value: fc.integer({ min: 0, max: 300 }).map((n) => short(`${n}`).toString('latin1')),
    after: fc.nat({ max: day / 100 }),
  })
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 300 }), (all) => {
      let at = start
      let stored = nothingSeen
      const last = new Map<string, number>()
      for (const { kind, value, after } of all) {
        at += after
        stored = unpacked(packed(withSeen(stored, [{ kind, value }], at)))
        if (kind === 'account') last.set(value, at)
      }
      // In every window the count is the true one or the most that is stored.
      for (const window of [10 * minute, day / 4, day]) {
        const truth = [...last.values()].filter((lastAt) => lastAt > at - window).length
        const counted = [...stored.account.values()].filter((lastAt) => lastAt > at - window - 10 * minute).length
        assert.ok(counted >= Math.min(truth, mostOfAKind), `${counted} of ${truth}`)
      }
      assert.ok(stored.account.size <= mostOfAKind)
    }),
  )
})

test('more accounts than are stored displace the oldest', () => {
  const seenAt = (minutes: number) => [{ kind: 'account', value: `account ${minutes}` }] as const
  let stored = nothingSeen
  for (let minutes = 0; minutes < 200; minutes++) stored = withSeen(stored, seenAt(minutes), start + minutes * minute)
  const newest = Array.from({ length: mostOfAKind }, (_, age) => start + (199 - age) * minute)
  assert.deepEqual(new Set(stored.account.values()), new Set(newest))
})

eachDatabase(({ engine, open }) => {
  test(`520 empty visits and a flood of accounts lower nothing (${engine})`, async (t) => {
    const database = await open(t)
    let at = start
    for (let account = 0; account < 13; account++) {
      at += minute
      await visits(database, { by: 'a', at, account: `${account}`, signals: 'bot' })
    }
    const before = await visits(database, { by: 'a', at })
    assert.equal(before.velocity.accountsPerDevice24h, 13)
    for (let visit = 0; visit < 520; visit++) {
      const by = visit % 2 ? 'a' : `new ${visit}`
      at += 1000
      const { velocity, signals } = await visits(database, { by, at })
      assert.deepEqual([velocity.accountsPerDevice24h, signals.has('bot')], [13, true], `${visit}`)
    }
    for (let account = 0; account < 100; account++) {
      at += 1000
      await visits(database, { by: 'a', at, account: `flood ${account}` })
    }
    for (const by of ['a', 'another']) {
      const { velocity } = await visits(database, { by, at })
      assert.equal(velocity.accountsPerDevice24h, mostOfAKind)
    }
  })

  test(`what others do on the device adds nothing to an installation, and is listed (${engine})`, async (t) => {
    const database = await open(t)
    await visits(database, { by: 'victim', at: start, account: 'asha' })
    for (let user = 0; user < 11; user++) {
      const visit = { by: `replay ${user % 3}`, at: start + user * minute, account: `user ${user}`, country: `${user}` }
      await visits(database, { ...visit, signals: 'bot tor' })
    }
    await labelled(database, 'replay 0', start + minute)
    const at = start + 30 * minute
    const victim = await visits(database, { by: 'victim', at, account: 'asha' })
    assert.equal(scoreOf(victim, at), 0)
    assert.deepEqual(victim.badLabels, [])
    assert.equal(victim.velocity.accountsPerDevice24h, 1)
    assert.deepEqual([victim.linked.badReports, victim.linked.velocity.accountsPerDevice24h], [1, 12])
    const again = await visits(database, { by: 'replay 0', at, account: 'asha' })
    assert.ok(scoreOf(again, at) > 90)
    const resembling = await visits(database, { by: 'storage cleared', at, account: 'asha' })
    assert.deepEqual([resembling.velocity.accountsPerDevice24h, resembling.badLabels.length], [12, 1])
    const throwaway = await visits(database, { by: null, at, account: 'x' })
    assert.deepEqual([throwaway.velocity.accountsPerDevice24h, throwaway.badLabels.length], [13, 1])
    assert.equal((await visits(database, { by: 'victim', at: at + 1 })).velocity.accountsPerDevice24h, 1)
  })

  test(`an installation that resembled the device keeps what the device had done until then (${engine})`, async (t) => {
    const database = await open(t)
    for (let account = 0; account < 13; account++) {
      await visits(database, { by: 'a', at: start + account * minute, account: `${account}` })
    }
    const at = start + 20 * minute
    assert.equal((await visits(database, { by: 'b', at })).velocity.accountsPerDevice24h, 13)
    // Neither a flood of the other installation nor its return changes what the second one inherited.
    for (let account = 0; account < 90; account++) {
      await visits(database, { by: 'a', at: at + account * minute, account: `later ${account}` })
    }
    const later = await visits(database, { by: 'b', at: at + 2 * 60 * minute })
    assert.deepEqual([later.velocity.accountsPerDevice24h, later.velocity.accountsPerDevice1h], [13, 0])
    // The chargeback of a session from before arrives late, and counts; one of a session after does not.
    await labelled(database, 'a', start)
    await labelled(database, 'a', at + minute)
    const { badLabels, linked } = await visits(database, { by: 'b', at: at + 3 * 60 * minute })
    assert.deepEqual([badLabels.length, linked.badReports], [1, 1])
  })

  test(`120 good labels hide no bad one, and bad labels of others crowd out none (${engine})`, async (t) => {
    const database = await open(t)
    await visits(database, { by: 'a', at: start })
    await visits(database, { by: 'b', at: start + 1 })
    await labelled(database, 'a', start + 2)
    for (let label = 0; label < 120; label++) {
      await labelled(database, 'a', start + 10 + label, 'legitimate')
      await labelled(database, 'b', start + 10 + label)
    }
    const { badLabels, linked } = await visits(database, { by: 'a', at: start + day })
    assert.deepEqual([badLabels.length, linked.badReports], [1, 20])
  })

  test(`concurrent visits of new and known installations are all counted (${engine})`, async (t) => {
    const database = await open(t)
    await visits(database, { by: 'a', at: start })
    const users = Array.from({ length: 12 }, (_, user) => user)
    await Promise.all(
      users.map((user) =>
        visits(database, { by: user % 2 ? 'a' : `new ${user}`, at: start + user, account: `${user}` }),
      ),
    )
    const { velocity } = await visits(database, { by: 'resembles', at: start + minute })
    assert.equal(velocity.accountsPerDevice1h, 12)
    const own = await visits(database, { by: 'a', at: start + minute })
    assert.equal(own.velocity.accountsPerDevice1h, 6)
  })

  test(`an unchanged visit within ten minutes writes nothing (${engine})`, async (t) => {
    const database = await open(t)
    await visits(database, { by: 'a', at: start, account: 'asha', country: 'IN' })
    const changeAt = async (at: number, account: string) =>
      (await reads({ by: 'a', at, account, country: 'IN' }, database)).change.length
    assert.deepEqual([await changeAt(start + 10 * minute - 1, 'asha'), await changeAt(start + 1, 'ben')], [0, 1])
    assert.equal(await changeAt(start + 10 * minute, 'asha'), 1)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyring } from '../core/crypto/keyring.ts'
import { tenantKeyring } from '../core/crypto/tenant-keyring.ts'
import type { Database } from '../core/storage/database.ts'
import { events } from '../events/events.ts'
import { receivers } from '../events/receivers.ts'
import { eachDatabase } from '../testing/databases.ts'
import { testClock } from '../testing/test-clock.ts'
import { defaultRules } from './defaults/default-rules.ts'
import type { RuleSet } from './language/rule.ts'
import { ruleSetOf } from './rule-set.ts'
import { type CurrentRules, RuleSets } from './rule-sets.ts'
import { findRuleSet, insertRuleSet } from './store/rule-sets.ts'
import { RuleChangeRefused } from './stored-version.ts'

const masterKey = new Uint8Array(32).fill(7)

/** Two servers on one database, with one clock. */
async function twoServers(database: Database) {
  const clock = testClock()
  const errors: string[] = []
  const log = { error: (_: unknown, message: string) => errors.push(message) }
  const keys = tenantKeyring(database, keyring(masterKey), clock)
  const queries: string[] = []
  const counted: Database = {
    ...database,
    engine: database.engine,
    batch: (statements) => database.batch(statements),
    transaction: (work, timeoutMs) => database.transaction(work, timeoutMs),
    query: (sql, params) => {
      queries.push(sql)
      return database.query(sql, params)
    },
  }
  const open = (db: Database) => {
    const recorded = events({ tenantKeyring: keys, clock, receivers: receivers({ database, clock, streams: [] }) })
    return new RuleSets({ database: db, tenantKeyring: keys, clock, log: log as never, events: recorded })
  }
  const tenant = await keys.createTenant('shop')
  return { one: open(database), other: open(counted), queries, tenant: tenant.id, keys, clock, errors }
}

const rulesOf = (...whens: string[]): RuleSet =>
  ruleSetOf({
    rules: whens.map((when, i) => ({ id: `r${i}`, name: `Rule ${i}`, when, action: 'WARN', score: 10 })),
  })
const by = { by: 'ada' }
const versions = ({ live, shadow }: CurrentRules) => [live.version, shadow?.version]

eachDatabase(({ engine, open }) => {
  test(`moves a version from draft to shadow to live, and records every change (${engine})`, async (t) => {
    const { one, tenant, clock } = await twoServers(await open(t))
    assert.deepEqual(versions(await one.current(tenant)), [0, undefined], 'the default rules')

    assert.equal(await one.draft(tenant, rulesOf('vpn'), { by: 'ada', note: 'first try' }), 1)
    assert.deepEqual(versions(await one.current(tenant)), [0, undefined], 'a draft changes nothing')
    await assert.rejects(one.live(tenant, 1, by), /version 1 was never in shadow: .*rules shadow 1, or use --untried/)
    await assert.rejects(one.live(tenant, undefined, by), /no version is in shadow/)

    clock.advance({ seconds: 60 })
    assert.equal(await one.shadow(tenant, undefined, { by: 'grace' }), 1)
    assert.deepEqual(versions(await one.current(tenant)), [0, 1])
    assert.equal(await one.live(tenant, undefined, { by: 'grace', note: 'looks right' }), 1)
    assert.deepEqual(versions(await one.current(tenant)), [1, undefined])

    await one.draft(tenant, rulesOf('vpn', 'proxy'), by)
    assert.equal(await one.live(tenant, 2, by, { untried: true }), 2)
    assert.equal(await one.live(tenant, 1, by), 1, 'back to what was live before')
    assert.equal(await one.live(tenant, 0, by), 0, 'back to the default rules')
    assert.deepEqual(versions(await one.current(tenant)), [0, undefined])

    const changes = await one.changes(tenant)
    assert.deepEqual(
      changes
        .toReversed()
        .map(({ number, change, version, versionBefore, changedBy, note }) => [
          number,
          change,
          version,
          versionBefore,
          changedBy,
          note,
        ]),
      [
        [1, 'draft', 1, undefined, 'ada', 'first try'],
        [2, 'shadow', 1, undefined, 'grace', ''],
        [3, 'live', 1, 0, 'grace', 'looks right'],
        [4, 'draft', 2, undefined, 'ada', ''],
        [5, 'live', 2, 1, 'ada', ''],
        [6, 'live', 1, 2, 'ada', ''],
        [7, 'live', 0, 1, 'ada', ''],
      ],
    )
    assert.equal(changes[5]!.changedAt - changes[6]!.changedAt, 60_000)
    assert.deepEqual(
      (await one.versions(tenant)).map(({ version, rules, stages }) => [version, rules, stages]),
      [
        [2, 2, []],
        [1, 1, []],
        [0, defaultRules.rules.length, ['live']],
      ],
    )
    assert.deepEqual(await one.read(tenant, 2), rulesOf('vpn', 'proxy'))
  })

  test(`applies a change on other servers within a second (${engine})`, async (t) => {
    const { one, other, tenant, clock, queries } = await twoServers(await open(t))
    await one.draft(tenant, rulesOf('vpn'), by)
    await one.shadow(tenant, 1, by)
    const first = await other.current(tenant)
    assert.deepEqual(versions(first), [0, 1])
    queries.length = 0
    await one.live(tenant, 1, by)
    clock.advance({ ms: 999 })
    assert.deepEqual(versions(await other.current(tenant)), [0, 1])
    assert.equal(queries.length, 0, 'nothing is read within the second')
    clock.advance({ ms: 1 })
    const [now, same] = await Promise.all([other.current(tenant), other.current(tenant)])
    assert.deepEqual(versions(now), [1, undefined])
    assert.equal(now.live, first.shadow, 'a version that is known is not read and compiled again')
    assert.equal(same, now)
    assert.equal(queries.length, 1, 'of two askers one reads')
    clock.advance({ hours: -1 })
    await one.live(tenant, 0, by)
    assert.deepEqual(
      versions(await other.current(tenant)),
      [0, undefined],
      'a clock that is set back does not extend the cache',
    )
  })

  test(`does not cache a failed read (${engine})`, async (t) => {
    const { one, tenant, clock, keys } = await twoServers(await open(t))
    const failing = await open(t)
    let fails = true
    const database: Database = {
      ...failing,
      engine: failing.engine,
      query: (sql, params) => (fails ? Promise.reject(new Error('gone')) : failing.query(sql, params)),
    }
    const recorded = events({ tenantKeyring: keys, clock, receivers: receivers({ database, clock, streams: [] }) })
    const log = { error: () => undefined } as never
    const server = new RuleSets({ database, tenantKeyring: keys, clock, log, events: recorded })
    await assert.rejects(server.current(tenant), /gone/)
    fails = false
    assert.deepEqual(versions(await server.current(tenant)), [0, undefined])
    assert.deepEqual(versions(await one.current(tenant)), [0, undefined])
  })

  test(`gives each of several concurrent drafts its own version (${engine})`, async (t) => {
    const { one, other, tenant } = await twoServers(await open(t))
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, i) => (i % 2 ? one : other).draft(tenant, rulesOf('vpn'), by)),
    )
    assert.deepEqual(made.toSorted(), [1, 2, 3, 4, 5, 6])
    assert.equal((await one.changes(tenant)).length, 6)
  })

  test(`seals rules and notes with the keys of their tenant (${engine})`, async (t) => {
    const database = await open(t)
    const { one, tenant, keys } = await twoServers(database)
    const other = await keys.createTenant('other')
    await one.draft(tenant, rulesOf('updateInfo.phoneNumber == "917020141726"'), { by: 'ada', note: 'of 917020141726' })
    const row = await findRuleSet(database, tenant, 1)
    assert.ok(!Buffer.from(row!.sealed).includes('917020141726'))
    const [change] = await database.query<{ note: Uint8Array }>('select sealed_note as note from rule_change')
    assert.ok(!Buffer.from(change!.note).includes('917020141726'))
    await assert.rejects(one.read(other.id, 1), RuleChangeRefused)
    await assert.rejects(one.shadow(other.id, 1, by), /there is no version 1; ringfence rules list/)
    assert.deepEqual(await one.changes(other.id), [])
    assert.deepEqual(versions(await one.current(other.id)), [0, undefined])
  })

  test(`skips and logs a stored rule that it cannot read (${engine})`, async (t) => {
    const database = await open(t)
    const { one, tenant, keys, errors } = await twoServers(database)
    const rules = [
      { id: 'new', name: 'Newer', when: 'quantum.noise > 3', action: 'BLOCK', score: 1 },
      { id: 'old', name: 'Older', when: 'vpn', action: 'WARN', score: 1 },
    ]
    const sealed = (await keys.keysOf(tenant)).seal(JSON.stringify({ rules }), `rule_set ${tenant} 1`)
    await insertRuleSet(database, {
      tenantId: tenant,
      version: 1,
      rules: 2,
      sealed,
      sealedVelocities: null,
      createdAt: 0,
    })
    await one.live(tenant, 1, by, { untried: true })
    const { live } = await one.current(tenant)
    assert.deepEqual(
      live.rules.map(({ rule }) => rule.id),
      ['old'],
    )
    assert.deepEqual(errors, ['a rule cannot be used by this version'])
  })
})

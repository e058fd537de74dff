import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyring } from '../../core/crypto/keyring.ts'
import { type BatchStatement, ConditionFailed, type Database } from '../../core/storage/database.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { testClock } from '../../testing/test-clock.ts'
import type { RuleInput } from '../language/vocabulary.ts'
import { ruleSetOf } from '../rule-set.ts'
import { dropVelocitiesBetween } from '../store/velocity-counts.ts'
import { compileVelocities } from './compile-velocity.ts'
import { forgetInVelocities } from './forget.ts'
import { type VelocitiesOfDecision, velocitiesOfDecision } from './of-decision.ts'
import { VelocityReplay } from './replay.ts'
import { dropVelocityCounts } from './velocity-retention.ts'

const tenantKeysOf = (tenant: string) => {
  const keys = keyring(new Uint8Array(32).fill(7))
  return keys.openTenantKeys(tenant, keys.makeTenantKeys(tenant))
}
const velocitiesOf = (velocity: object) => compileVelocities(ruleSetOf({ velocity, rules: [] }).velocities ?? [])

/** What a decision knows; the user and the phone number come from the backend. */
type Input = RuleInput

/** Decisions of a tenant: each reads its velocities and commits what it adds, as `decisions/` does. */
function tenantOn(database: Database, velocity: object, clock = testClock(), keys = tenantKeysOf('shop')) {
  const set = velocitiesOf(velocity)
  const of = (input: Input, sets = [set]) => velocitiesOfDecision(sets, input, { database, keys, now: clock.now() })
  return {
    clock,
    of,
    async decide(input: Input) {
      const { values, statements } = await of(input)
      await database.batch(statements)
      return values[0]!
    },
  }
}

/** Whether the statement has a second row, with what it folds. */
const folds = ({ statements }: VelocitiesOfDecision) => statements[0]!.params.length > 6

const rows = async (database: Database) =>
  Number((await database.query('select count(*) as n from velocity_count'))[0]!.n)

eachDatabase(({ engine, open }) => {
  test(`counts decisions, distinct values and sums, including the present decision (${engine})`, async (t) => {
    const { decide, clock } = tenantOn(await open(t), {
      decisions: { count: 'decisions', per: 'user', within: '1h' },
      cards: { distinct: 'params.card', per: 'device', within: '24h' },
      spent: { sum: 'params.amount', per: 'user', within: '7d' },
    })
    const pay = (card: string, amount: number, deviceId = 'd-1') =>
      decide({ userId: 'u-1', deviceId, params: { card, amount } })
    assert.deepEqual(await pay('a', 10), { decisions: 1, cards: 1, spent: 10 })
    assert.deepEqual(await pay('b', 0.1), { decisions: 2, cards: 2, spent: 10.1 })
    assert.deepEqual(await pay('a', 0.2), { decisions: 3, cards: 2, spent: 10.3 })
    assert.deepEqual(await pay('c', 5, 'd-2'), { decisions: 4, cards: 1, spent: 15.3 })
    clock.advance({ hours: 2 })
    assert.deepEqual(await pay('d', 1), { decisions: 1, cards: 3, spent: 16.3 })
    clock.advance({ hours: 30 })
    assert.deepEqual(await pay('d', 1), { decisions: 1, cards: 1, spent: 17.3 })
  })

  test(`gives the values that a replay in memory gives, and never less than the window holds (${engine})`, async (t) => {
    const velocity = {
      decisions: { count: 'decisions', per: 'ipPrefix', within: '5m' },
      users: { distinct: 'params.user', per: 'ip', within: '10m' },
      spent: { sum: 'params.amount', per: 'params.user', within: '1h', when: 'params.paid' },
    }
    const { decide, clock } = tenantOn(await open(t), velocity)
    const replay = new VelocityReplay([velocitiesOf(velocity)])
    const random = randomNumbers(20)
    const past: { at: number; ip: string; user: number; amount: number }[] = []
    for (let i = 0; i < 500; i++) {
      clock.advance({ ms: Math.floor(random() ** 4 * 300_000) })
      const at = clock.now()
      const [ip, user] = [
        `198.51.${100 + Math.floor(random() * 2)}.${Math.floor(random() * 3)}`,
        Math.floor(random() * 9),
      ]
      const [amount, paid] = [Math.round(random() * 1000) / 10, random() < 0.7]
      const input = { ip, params: { user, amount, paid } }
      past.push({ at, ip, user, amount: paid ? amount : 0 })
      const values = await decide(input)
      assert.deepEqual(values, replay.next(input, at)[0], `decision ${i}`)
      const during = (ms: number) => past.filter((each) => each.at > at - ms)
      const exact = (factor: number) => ({
        decisions: during(factor * 300_000).filter((each) => each.ip.slice(0, 10) === ip.slice(0, 10)).length,
        users: new Set(during(factor * 600_000).flatMap((each) => (each.ip === ip ? each.user : []))).size,
        spent: during(factor * 3_600_000).reduce((sum, each) => sum + (each.user === user ? each.amount : 0), 0),
      })
      for (const name of ['decisions', 'users', 'spent'] as const) {
        const [least, most] = [exact(1)[name] - 1e-6, exact(1.1)[name] + 1e-6]
        assert.ok(values[name]! >= least && values[name]! <= most, `${name} ${values[name]}: ${least} to ${most}`)
      }
    }
  })

  test(`concurrent decisions of two servers all count (${engine})`, async (t) => {
    const database = await open(t)
    const velocity = {
      all: { count: 'decisions', per: 'ip', within: '1h' },
      users: { distinct: 'params.user', per: 'ip', within: '1h' },
      byUser: { count: 'decisions', per: 'user', within: '1h' },
      byDevice: { count: 'decisions', per: 'device', within: '24h' },
      spent: { sum: 'params.amount', per: 'ip', within: '24h' },
    }
    const keys = tenantKeysOf('shop')
    const servers = [1, 2].map(() => tenantOn(database, velocity, testClock(), keys))
    const inputOf = (i: number) => ({
      ip: '198.51.100.7',
      userId: `u-${i % 7}`,
      deviceId: `d-${i % 5}`,
      params: { amount: 0.1, user: `u-${i % 7}` },
    })
    for (let round = 0; round < 4; round++) {
      await Promise.all(Array.from({ length: 60 }, (_, i) => servers[i % 2]!.decide(inputOf(i))))
    }
    assert.deepEqual(await servers[0]!.decide({ ...inputOf(0), params: { amount: 1, user: 'u-9' } }), {
      all: 241,
      users: 8,
      byUser: 37,
      byDevice: 49,
      spent: 25,
    })
  })

  test(`a decision that is not committed does not count, and a retry counts once (${engine})`, async (t) => {
    const database = await open(t)
    const { of, decide } = tenantOn(database, { all: { count: 'decisions', per: 'user', within: '1h' } })
    await database.query('create table decided (id text not null primary key)')
    const insert: BatchStatement = {
      sql: "insert into decided (id) values ('d-1') on conflict (id) do nothing returning id",
      params: [],
      required: true,
    }
    const attempts = await Promise.allSettled(
      [1, 2, 3].map(async () => database.batch([insert, ...(await of({ userId: 'u' })).statements])),
    )
    const failed = attempts.filter(({ status }) => status === 'rejected')
    assert.equal(failed.length, 2)
    for (const each of failed) assert.ok('reason' in each && each.reason instanceof ConditionFailed)
    assert.deepEqual(await decide({ userId: 'u' }), { all: 2 })
  })

  test(`a flood of values does not lower a count: it says at least 1,000 until they leave (${engine})`, async (t) => {
    const database = await open(t)
    const { decide, clock } = tenantOn(database, { cards: { distinct: 'params.card', per: 'ip', within: '1h' } })
    const decideAll = async (cards: string[]) => {
      for (let i = 0; i < cards.length; i += 100) {
        await Promise.all(cards.slice(i, i + 100).map((card) => decide({ ip: '203.0.113.9', params: { card } })))
      }
    }
    await decide({ ip: '203.0.113.9', params: { card: 'stolen' } })
    await decideAll(Array.from({ length: 1_200 }, (_, i) => `card ${i}`))
    assert.deepEqual(await decide({ ip: '203.0.113.9', params: { card: 'stolen' } }), { cards: 1_000 })
    assert.deepEqual(await decide({ ip: '203.0.113.10', params: { card: 'stolen' } }), { cards: 1 }, 'another key')
    clock.advance({ seconds: 1_800 })
    await decideAll(Array.from({ length: 40 }, (_, i) => `late ${i}`))
    clock.advance({ seconds: 2_400 })
    assert.deepEqual(await decide({ ip: '203.0.113.9', params: { card: 'stolen' } }), { cards: 41 }, 'those since then')
  })

  test(`nothing lowers a sum, and a large one stays at its limit (${engine})`, async (t) => {
    const { decide } = tenantOn(await open(t), { spent: { sum: 'params.amount', per: 'user', within: '1h' } })
    const pay = (amount: unknown) => decide({ userId: 'u', params: { amount } })
    assert.deepEqual(await pay(100), { spent: 100 })
    for (const amount of [-1e9, Number.NaN, '-50', 'fifty', null, true])
      assert.deepEqual(await pay(amount), { spent: 100 })
    assert.deepEqual(await pay('50.25'), { spent: 150.25 })
    assert.deepEqual(await pay(Number.MAX_VALUE), { spent: 900_719_925_474.0991 })
    assert.deepEqual(await pay(Number.POSITIVE_INFINITY), { spent: 900_719_925_474.0991 })
  })

  test(`a velocity without its key is absent, and one without its value shows what there is (${engine})`, async (t) => {
    const { decide } = tenantOn(await open(t), {
      cards: { distinct: 'params.card', per: 'user', within: '1h' },
      here: { count: 'decisions', per: 'ipPrefix', within: '1h' },
      ofCard: { count: 'decisions', per: 'params.card', within: '1h' },
    })
    assert.deepEqual(await decide({ params: { card: 'a' }, ip: 'nonsense' }), { ofCard: 1 })
    assert.deepEqual(await decide({ userId: 'u', ip: '2001:db8::1', params: { card: 'a' } }), {
      cards: 1,
      here: 1,
      ofCard: 2,
    })
    assert.deepEqual(await decide({ userId: 'u', ip: '2001:db8::ffff:1' }), { cards: 1, here: 2 })
    assert.deepEqual(await decide({ userId: 'u', ip: '2001:db8:0:1::1', params: { card: ['a'] } }), {
      cards: 1,
      here: 1,
    })
    assert.deepEqual(
      await decide({ userId: '', params: { card: 1 } }),
      { ofCard: 1 },
      'a number is another card than a text',
    )
    assert.deepEqual(await decide({ params: { card: '1' } }), { ofCard: 1 })
  })

  test(`counts once what live and shadow define alike, and begins again at 0 when the definition changes (${engine})`, async (t) => {
    const database = await open(t)
    const live = { decisions: { count: 'decisions', per: 'user', within: '24h' } }
    const { of, decide } = tenantOn(database, live)
    const shadow = velocitiesOf({
      sameByAnotherName: { count: 'decisions', per: 'user', within: '1d' },
      decisions: { count: 'decisions', per: 'user', within: '2d' },
    })
    await decide({ userId: 'u' })
    const { values, statements } = await of({ userId: 'u' }, [velocitiesOf(live), shadow])
    await database.batch(statements)
    assert.deepEqual(values, [{ decisions: 2 }, { sameByAnotherName: 2, decisions: 1 }])
    assert.deepEqual(await decide({ userId: 'u' }), { decisions: 3 })
  })

  test(`a key that has folded much is folded seldom, since a fold reads and writes all of it (${engine})`, async (t) => {
    const names = Array.from({ length: 20 }, (_, i) => `x${i}`)
    const velocity = Object.fromEntries(
      names.map((name) => [name, { distinct: `params.${name}`, per: 'user', within: '30d' }]),
    )
    const database = await open(t)
    const { of, clock } = tenantOn(database, velocity)
    let folded = 0
    for (let decision = 0; decision < 150; decision++) {
      clock.advance({ ms: 1_000 })
      const params = Object.fromEntries(names.map((name) => [name, `${name} ${decision}`]))
      const made = await of({ userId: 'u', params })
      await database.batch(made.statements)
      assert.equal(made.values[0]!.x19, decision + 1)
      if (decision >= 100 && folds(made)) folded++
    }
    assert.ok(folded > 5 && folded <= 15, `${folded} of 50 decisions fold`)
  })

  test(`a server that does not know a velocity yet folds it without loss (${engine})`, async (t) => {
    const database = await open(t)
    const [clock, keys] = [testClock(), tenantKeysOf('shop')]
    const decisions = { decisions: { count: 'decisions', per: 'user', within: '1h' } }
    const more = { ...decisions, spent: { sum: 'params.amount', per: 'user', within: '24h' } }
    const [older, newer] = [decisions, more].map((velocity) => tenantOn(database, velocity, clock, keys))
    for (let i = 1; i <= 60; i++) {
      const input = { userId: 'u', params: { amount: 2 } }
      assert.deepEqual(await newer!.decide(input), { decisions: 2 * i - 1, spent: 2 * i })
      assert.deepEqual(await older!.decide(input), { decisions: 2 * i })
      clock.advance({ seconds: 3 })
    }
    assert.equal(await rows(database), 2)
  })

  test(`a key has at most eight rows of bounded length, however many decisions it has (${engine})`, async (t) => {
    const database = await open(t)
    const { decide, clock } = tenantOn(database, {
      all: { count: 'decisions', per: 'ip', within: '1h' },
      cards: { distinct: 'params.card', per: 'ip', within: '1h' },
    })
    const decideAll = (from: number) =>
      Promise.all(Array.from({ length: 100 }, (_, i) => decide({ ip: '203.0.113.9', params: { card: from + i } })))
    for (let i = 0; i < 30; i++) {
      await decideAll(i * 100)
      if (i % 3 === 0) clock.advance({ seconds: 60 })
    }
    const [{ n, longest }] = (await database.query(
      'select count(*) as n, max(length(content)) as longest from velocity_count',
    )) as [{ n: number; longest: number }]
    assert.ok(n > 2 && n <= 8, `${n} rows`)
    assert.ok(longest > 1_000 && longest < 10_000, `${longest} characters`)
    assert.deepEqual(await decide({ ip: '203.0.113.9', params: { card: 'one more' } }), { all: 3_001, cards: 1_000 })
  })

  test(`concurrent folds of a log lose nothing, whichever is first (${engine})`, async (t) => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const database = await open(t)
      const { of, decide, clock } = tenantOn(database, { all: { count: 'decisions', per: 'user', within: '1h' } })
      const appends = await of({ userId: 'u' })
      while (!folds(await of({ userId: 'u' }))) {
        await decide({ userId: 'u' })
        clock.advance({ seconds: 2 })
      }
      const before = (await of({ userId: 'u' })).values[0]!.all!
      const shorter = await of({ userId: 'u' })
      await database.batch(appends.statements)
      const both = [shorter, await of({ userId: 'u' })]
      assert.ok(both.every(folds))
      for (const each of order) await database.batch(both[each]!.statements)
      assert.deepEqual(await decide({ userId: 'u' }), { all: before + 3 })
    }
  })

  test(`what is folded late, after its key was deleted and begun again, hides nothing (${engine})`, async (t) => {
    const database = await open(t)
    const { of, decide, clock } = tenantOn(database, { all: { count: 'decisions', per: 'user', within: '5m' } })
    while (!folds(await of({ userId: 'u' }))) {
      await decide({ userId: 'u' })
      clock.advance({ seconds: 2 })
    }
    clock.advance({ seconds: 400 })
    const late = await of({ userId: 'u' })
    const all = { from: new Uint8Array(0), to: new Uint8Array(11).fill(255) }
    await dropVelocitiesBetween(database, all, clock.now(), 10)
    assert.equal(await rows(database), 0)
    await decide({ userId: 'u' })
    await database.query('update velocity_count set folded = 0') // as likely as any other number
    await database.batch(late.statements)
    assert.deepEqual(await decide({ userId: 'u' }), { all: 3 })
  })

  test(`forgetting a device deletes what it has counted, and nothing of others (${engine})`, async (t) => {
    const database = await open(t)
    const [clock, keys] = [testClock(), tenantKeysOf('shop')]
    const byKey = Object.fromEntries(
      ['device', 'installation', 'user'].map((per) => [per, { count: 'decisions', per, within: '1h' }]),
    )
    const { decide } = tenantOn(database, byKey, clock, keys)
    const [device, other] = ['d-1', 'd-2'].map((id) => ({ deviceId: id, installationId: `i of ${id}`, userId: 'u' }))
    for (let i = 0; i < 40; i++) {
      await decide(device!)
      await decide(other!)
    }
    await forgetInVelocities(database, { deviceId: 'd-1', installationIds: ['i of d-1'] }, keys)
    assert.deepEqual(await decide(device!), { device: 1, installation: 1, user: 81 })
    assert.deepEqual(await decide(other!), { device: 41, installation: 41, user: 82 })
  })

  test(`tenants do not share counts (${engine})`, async (t) => {
    const database = await open(t)
    const velocity = { decisions: { count: 'decisions', per: 'user', within: '1h' } }
    const [shop, bank] = ['shop', 'bank'].map((name) => tenantOn(database, velocity, testClock(), tenantKeysOf(name)))
    await shop!.decide({ userId: 'u' })
    assert.deepEqual(await bank!.decide({ userId: 'u' }), { decisions: 1 })
  })

  test(`deletes within an hour what has left its window, in slices, and nothing else (${engine})`, async (t) => {
    const database = await open(t)
    const { decide, clock } = tenantOn(database, {
      short: { count: 'decisions', per: 'user', within: '1h' },
      long: { count: 'decisions', per: 'user', within: '30d' },
    })
    for (let i = 0; i < 100; i++) await decide({ userId: `u-${i}` })
    clock.advance({ hours: 2 })
    await decide({ userId: 'u-1' })
    for (let minute = 0; minute < 60; minute++) {
      await dropVelocityCounts({ database, clock })
      clock.advance({ seconds: 60 })
    }
    assert.equal(await rows(database), 100, 'the keys, since long has not left')
    assert.deepEqual(await decide({ userId: 'u-1' }), { short: 2, long: 3 })

    let from: Uint8Array = new Uint8Array(0)
    const to = new Uint8Array(11).fill(255)
    const later = clock.now() + 40 * 86_400_000
    let slices = 1
    for (; ; slices++) {
      const next = await dropVelocitiesBetween(database, { from, to }, later, 10)
      if (!next) break
      from = next
    }
    assert.deepEqual([slices, await rows(database)], [10, 0])
  })
})

/** mulberry32: the same numbers each time, 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

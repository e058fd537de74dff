import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Label } from '../../device/history/label.ts'
import type { StoredReport } from '../backtests/stored-report.ts'
import { printCondition } from '../language/text.ts'
import { readRuleFile, ruleFileText } from '../rule-file.ts'
import { ruleSetOf } from '../rule-set.ts'
import { collect } from './collect.ts'
import { LabelledSample } from './sample.ts'
import { suggest } from './suggest.ts'

const noRules = ruleSetOf({ rules: [] })

async function* of(reports: readonly StoredReport[]) {
  yield* reports
}

const suggestFrom = async (reports: readonly StoredReport[], rules = noRules) =>
  suggest(
    await collect({ reports: of(reports), rules }),
    rules.velocities?.map(({ name }) => name),
  )

/** 0 to 1, spread evenly and without a pattern that matters: the same each time. */
const spread = (index: number, factor: number) => (index * factor) % 1

/** A fifth is fraud, most of it over a VPN with a large amount, some of it not; a few good sessions do the same. */
function sessions(count: number): StoredReport[] {
  return Array.from({ length: count }, (_, index) => {
    const isBad = index % 5 === 0
    const isTypical = spread(index, 0.7548776662) < (isBad ? 0.9 : 0.02)
    const amount = Math.round((isTypical ? 900 : 20) + 500 * spread(index, 0.5698402909))
    const outcome: Label = isBad ? 'fraud' : 'legitimate'
    const userEventType = index % 2 === 0 ? ('LOGIN' as const) : ('TRANSACTION' as const)
    return {
      ...{ decisionId: `d-${index}`, at: index * 60_000, outcome },
      input: { userId: `u-${index}`, vpn: isTypical, params: { amount }, updateInfo: { userEventType } },
    }
  })
}

test('suggests the conditions that tell fraud from the rest, with what they do on the held-out half', async () => {
  const { suggestions, labelled, baseRate, candidates } = await suggestFrom(sessions(2_000))
  assert.deepEqual(labelled, { bad: 400, good: 1_600, badGroups: 400, goodGroups: 1_600 })
  assert.equal(baseRate, 0.2)
  assert.ok(candidates >= 10, `${candidates}`)
  const [best] = suggestions
  assert.match(printCondition(best!.when), /^vpn|params\.amount > /)
  const { bad, good, precision, precisionRange, recall, recallRange } = best!.measured
  assert.ok(bad + good > 150 && bad + good < 300, 'only the held-out half')
  assert.ok(
    precision > 0.85 && precisionRange[0] > 0.8 && precisionRange[0] < precision && precision < precisionRange[1],
  )
  assert.ok(recallRange[0] < 0.9 && 0.9 < recallRange[1], `${recall}`)
  assert.ok(!suggestions.some(({ when }) => /userEventType|userId/.test(printCondition(when))))
  const rules = suggestions.flatMap(({ rule }) => rule ?? [])
  assert.ok(rules.length > 0)
  assert.deepEqual(readRuleFile(ruleFileText({ rules })).mistakes, [], 'ready to use')
})

test('confirms no condition when labels are chance', async () => {
  for (const factor of [0.618033988, 0.414213562, 0.732050807]) {
    const random = sessions(2_000).map((session, index) => ({
      ...session,
      outcome: spread(index * index, factor) < 0.2 ? ('fraud' as const) : ('legitimate' as const),
    }))
    const { suggestions, tooLittle } = await suggestFrom(random)
    assert.equal(tooLittle, undefined)
    const confirmed = suggestions.flatMap(({ rule }) => rule ?? [])
    assert.deepEqual(confirmed, [])
  }
})

test('says that there is too little, counting one user with many sessions once', async () => {
  const few = await suggestFrom(sessions(100))
  assert.match(
    few.tooLittle!,
    /^20 sessions are labelled as bad and 80 as good, of 20 and 80 separate users or devices/,
  )
  const ofOneFraudster = sessions(2_000).map((session) =>
    session.outcome === 'fraud' ? { ...session, input: { ...session.input, userId: 'mallory' } } : session,
  )
  const one = await suggestFrom(ofOneFraudster)
  assert.match(one.tooLittle!, /400 sessions are labelled as bad and 1600 as good, of 1 and 1600 separate users/)
  assert.deepEqual([few.suggestions, one.suggestions], [[], []])
  assert.match((await suggestFrom([])).tooLittle!, /^0 sessions/)
})

test('keeps users and devices that belong together in one half', () => {
  const sample = new LabelledSample()
  for (let i = 0; i < 200; i++) {
    // Users share devices in chains of five: u-0 d-0, u-0 d-1, u-1 d-1, …
    const chain = Math.floor(i / 5)
    sample.add({
      input: { userId: `u-${chain}-${(i % 5) >> 1}`, deviceId: `d-${chain}-${((i % 5) + 1) >> 1}` },
      isBad: i % 2 === 0,
    })
  }
  const { choosing, heldOut } = sample.halves()
  const chainsOf = (half: typeof choosing) => new Set(half.map(({ input }) => input.userId!.split('-')[1]))
  const shared = [...chainsOf(choosing)].filter((chain) => chainsOf(heldOut).has(chain))
  assert.deepEqual([shared, choosing.length + heldOut.length], [[], 200])
  assert.ok(choosing.length >= 80 && heldOut.length >= 80)
})

test('estimates the same precision from a sample as from all sessions', async () => {
  const reports = sessions(6_000)
  const precisionOf = async (most: number) => {
    const { suggestions } = suggest(await collect({ reports: of(reports), rules: noRules, most }))
    return suggestions[0]!.measured
  }
  const [all, sampled] = [await precisionOf(10_000), await precisionOf(900)]
  assert.ok(sampled.bad + sampled.good < 600)
  const [low, high] = sampled.precisionRange
  assert.ok(low <= all.precision && all.precision <= high, `${all.precision}: ${low} to ${high}`)
  assert.ok(sampled.precision < 0.97, 'a sample of as many good as bad ones would say 98 %')
})

test('tries velocities of a rule set, which sessions without a label fill, too', async () => {
  const rules = ruleSetOf({
    velocity: { cards: { distinct: 'params.card', per: 'user', within: '24h' } },
    rules: [],
  })
  const tested = Array.from({ length: 300 }, (_, user) => {
    const isBad = user % 3 === 0
    return Array.from({ length: isBad ? 5 : 2 }, (_, attempt): StoredReport => {
      const last = attempt === (isBad ? 4 : 1)
      return {
        ...{ decisionId: `d-${user}-${attempt}`, at: user * 1000 + attempt },
        input: { userId: `u-${user}`, params: { card: `card ${user} ${attempt}` } },
        ...(last && { outcome: isBad ? ('fraud' as const) : ('legitimate' as const) }),
      }
    })
  }).flat()
  const [best] = (await suggestFrom(tested, rules)).suggestions
  assert.equal(printCondition(best!.when), 'velocity.cards > 2')
  assert.equal(best!.measured.precision, 1)
  assert.equal(best!.measured.recall, 1)
})

test('looks for the fraud that the rules do not stop, whatever share of all fraud it is', async () => {
  const rules = ruleSetOf({
    rules: [
      { id: 'vpn', name: 'VPN', when: 'vpn', action: 'BLOCK', score: 1 },
      { id: 'look', name: 'Look', when: 'params.amount > 5000', action: 'REVIEW', score: 1 },
      { id: 'warn', name: 'Warn', when: 'params.item == "gift-card"', action: 'WARN', score: 1 },
    ],
  })
  // Of 1,000 bad sessions, 930 come over a VPN with a large amount; 70 buy gift cards, as a few good ones do.
  const planted = sessions(5_000).map((session, index): StoredReport => {
    const isGift = index % 5 === 0 ? index % 70 === 0 : index % 300 === 1
    const { vpn, params } = session.input
    const known = isGift
      ? { vpn: false, params: { amount: 50, item: 'gift-card' } }
      : { vpn: session.outcome === 'fraud' || vpn === true, params: { ...params, item: 'shoes' } }
    const input = { ...session.input, ...known }
    return { ...session, input }
  })
  const { stopped, labelled, suggestions } = await suggestFrom(planted, rules)
  assert.equal(stopped.bad + labelled.bad, 1_000)
  assert.equal(labelled.bad, 72, 'a WARN stops nothing')
  assert.ok(stopped.good > 50)
  assert.match(printCondition(suggestions[0]!.when), /gift-card/)
  assert.ok(suggestions[0]!.measured.recall > 0.9 && suggestions[0]!.rule)
  const reviewed = planted.map(
    (session): StoredReport => ({
      ...session,
      input: { ...session.input, vpn: false, params: { ...session.input.params, amount: 9_999 } },
    }),
  )
  const all = await suggestFrom(reviewed, rules)
  assert.deepEqual([all.stopped, all.labelled.bad], [{ bad: 1_000, good: 4_000 }, 0], 'a person looks at each')
})

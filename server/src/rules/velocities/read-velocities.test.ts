import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCases } from '../cases.ts'
import { readRuleFile, ruleFileText } from '../rule-file.ts'
import { mistakeText, readRuleSet, ruleSetOf } from '../rule-set.ts'

const rule = (when: string) => ({ id: 'r', name: 'R', when, action: 'WARN', score: 1 })
const cards = { distinct: 'params.card', per: 'device', within: '24h' }

test('reads a written file with velocities as the same rule set', () => {
  const set = ruleSetOf({
    velocity: {
      cards,
      spent: { sum: 'params["my amount"]', per: 'params["card: number"]', within: '7d' },
      failures: { count: 'decisions', per: 'ipPrefix', within: '5m', when: 'params.login == "failed" and not vpn' },
    },
    rules: [
      {
        ...rule('velocity.cards > 3 or velocity.spent > velocity.failures'),
        cases: [{ fires: { 'velocity.cards': 4 } }, { silent: { 'velocity.cards': 3, 'velocity.spent': 10 } }],
      },
    ],
  })
  const text = ruleFileText(set)
  assert.match(text, /^require:\n {2}LOGIN: \[login, device\]\n/)
  assert.match(text, /^velocity:\n {2}cards:\n {4}distinct: params\.card\n {4}per: device\n {4}within: 24h\n/m)
  assert.deepEqual(readRuleFile(text), { ruleSet: set, mistakes: [] })
  assert.deepEqual(runCases(set.rules).failed, [])
  assert.equal(runCases(set.rules).cases, 2)
})

const mistakes: readonly (readonly [velocity: unknown, reason: RegExp])[] = [
  [[cards], /^velocity: velocity must be velocities by name/],
  [{ cards: 'params.card' }, /^velocity\.cards: a velocity is \{ count, distinct or sum; per; within \}/],
  [{ Cards: cards }, /^velocity\.Cards: the name of a velocity has 1 to 40 letters/],
  [{ 'a.b': cards }, /^velocity\.a\.b: the name of a velocity has 1 to 40 letters/],
  [{ devicesPerAccount24h: cards }, /velocity\.devicesPerAccount24h is built in: choose another name/],
  [{ cards: { per: 'device', within: '24h' } }, /exactly one of count: decisions, distinct: PATH, sum: PATH/],
  [{ cards: { ...cards, count: 'decisions' } }, /exactly one of count: decisions, distinct: PATH, sum: PATH/],
  [
    { cards: { ...cards, distinct: undefined, count: true } },
    /^velocity\.cards\.count: count must be one of decisions$/,
  ],
  [{ cards: { ...cards, whithin: '1h' } }, /whithin is not a known key; did you mean within\?/],
  [
    { cards: { ...cards, distinct: 'parms.card' } },
    /^velocity\.cards\.distinct: there is no "parms\.card"; did you mean params\.card\?/,
  ],
  [{ cards: { ...cards, distinct: 'vpn and proxy' } }, /^velocity\.cards\.distinct: must be one path/],
  [{ cards: { ...cards, distinct: 'velocity.cards' } }, /^velocity\.cards\.distinct: there is no "velocity\.cards"/],
  [
    { cards: { per: 'user', within: '1h', sum: 'ip' } },
    /^velocity\.cards\.sum: ip is not a number: count its values with distinct/,
  ],
  [{ cards: { ...cards, per: 'devise' } }, /^velocity\.cards\.per: per must be user, .*; did you mean device\?/],
  [{ cards: { ...cards, per: 'updateInfo.userId' } }, /^velocity\.cards\.per: per must be user, phoneNumber, device/],
  [{ cards: { ...cards, within: '4m' } }, /^velocity\.cards\.within: within must be a time from 5m to 30d/],
  [{ cards: { ...cards, within: '31d' } }, /^velocity\.cards\.within: within must be a time from 5m to 30d/],
  [{ cards: { ...cards, within: '1.5h' } }, /^velocity\.cards\.within: within must be a time from 5m to 30d/],
  [
    { cards: { ...cards, when: 'vpn and vnp' } },
    /^velocity\.cards\.when, line 1, column 9: there is no "vnp"; did you mean vpn\?/,
  ],
  [
    { cards: { ...cards, when: 'velocity.cards > 1' } },
    /^velocity\.cards\.when, line 1, column 1: there is no "velocity\.cards"/,
  ],
  [Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`v${i}`, cards])), /^velocity: more than 20 velocities/],
]

test('reports each mistake in a velocity at its place', () => {
  for (const [velocity, reason] of mistakes) {
    const [mistake, ...others] = readRuleSet({ velocity, rules: [] }).mistakes
    assert.match(mistake ? mistakeText(mistake) : 'none', reason)
    assert.deepEqual(others, [], JSON.stringify(velocity))
  }
})

test('reports the line of a mistake in a file, and only once', () => {
  const text = [
    'velocity:',
    '  cards: { distinct: params.card, per: devise, within: 24h }',
    ...['rules:', '  - { id: a, name: A, action: WARN, score: 1, when: velocity.cards > 3 }'],
  ].join('\n')
  const { mistakes } = readRuleFile(text)
  assert.deepEqual(
    mistakes.map(({ line, column }) => [line, column]),
    [[2, 40]],
  )
})

test('a rule reads only velocities that its rule set declares', () => {
  const mistakeOf = (when: string, velocity?: object) => {
    const [mistake] = readRuleSet({ velocity, rules: [rule(when)] }).mistakes
    return mistake && mistakeText(mistake)
  }
  assert.equal(mistakeOf('velocity.cards > 3', { cards }), undefined)
  assert.match(
    mistakeOf('velocity.cards > 3')!,
    /there is no "velocity\.cards"; declare it under velocity, beside rules/,
  )
  assert.match(
    mistakeOf('velocity.card > 3', { cards })!,
    /there is no "velocity\.card"; did you mean velocity\.cards\?/,
  )
  assert.match(mistakeOf('velocity.cards == "3"', { cards })!, /velocity\.cards is a number, not a text/)
  assert.match(mistakeOf('velocity.toString > 3', { cards })!, /there is no "velocity\.toString"/)
})

test('refuses a comparison beyond what a velocity counts, because it never or always holds', () => {
  const velocity = {
    cards,
    spent: { sum: 'params.amount', per: 'user', within: '7d' },
    attempts: { count: 'decisions', per: 'ip', within: '5m' },
  }
  const mistakeOf = (when: string) => {
    const rules = [{ id: 'many', name: 'Many', when, action: 'WARN', score: 1 }]
    const { mistakes } = readRuleSet({ velocity, rules })
    return mistakes.map((mistake) => mistakeText(mistake))
  }
  const reason = (holds: string) =>
    `velocity.cards counts up to 1,000 distinct values, so this ${holds} holds: compare with at most 1000; >= 1000 holds from there on`
  const refused = {
    'velocity.cards > 1000': ['never', 18],
    'velocity.cards >= 1001': ['never', 19],
    'velocity.cards == 1001': ['never', 19],
    'velocity.cards in (3, 5000)': ['never', 23],
    'velocity.cards between 1001 and 2000': ['never', 24],
    'velocity.cards between 5 and 2000': ['always', 30],
    'velocity.cards <= 1000': ['always', 19],
    'not (velocity.cards < 1001)': ['always', 23],
    'vpn or velocity.cards != 2000': ['always', 26],
  } as const
  for (const [when, [holds, column]] of Object.entries(refused)) {
    assert.deepEqual(mistakeOf(when), [`rule many, rules[0].when, line 1, column ${column}: ${reason(holds)}`])
  }
  const [when] = Object.keys(refused)
  const rules = [{ id: 'many', name: 'Many', when: `vpn or ${when}`, action: 'WARN', score: 1 }]
  const stored = readRuleSet({ velocity, rules }, { isStored: true })
  assert.deepEqual([stored.ruleSet.rules.length, stored.mistakes], [1, []], 'a version that is live stays whole')
  assert.match(
    mistakeOf('velocity.spent > 900719925474.0991')[0]!,
    /: velocity\.spent adds up to 900,719,925,474\.0991, so this never/,
  )
  for (const when of [
    ...['velocity.cards > 999', 'velocity.cards >= 1000', 'velocity.cards == 1000', 'velocity.cards < 1000'],
    ...['velocity.cards between 5 and 1000', 'velocity.cards > params.limit', 'exists velocity.cards'],
    ...['velocity.attempts > 5000', 'velocity.spent > 5000'],
  ]) {
    assert.deepEqual(mistakeOf(when), [], when)
  }
})

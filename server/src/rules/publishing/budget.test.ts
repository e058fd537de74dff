import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceFindings } from '../../admin/doctor/service-findings.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { defaultRules } from '../defaults/default-rules.ts'
import type { RuleSet } from '../language/rule.ts'
import { loadedRules } from '../loaded-rules.ts'
import { ruleSetOf } from '../rule-set.ts'
import { insertRuleChange } from '../store/rule-sets.ts'
import { RuleChangeRefused } from '../stored-version.ts'
import { costOf, overBudget, ruleBudget } from './budget.ts'

const rule = (id: string, when: string) => ({ id, name: id, when, action: 'BLOCK', score: 1 })
const setOf = (...conditions: string[]): RuleSet =>
  ruleSetOf({ rules: conditions.map((when, at) => rule(`r${at}`, when)) })
const repeated = (count: number, each: (at: number) => string, join = ' or ') =>
  Array.from({ length: count }, (_, at) => each(at)).join(join)

test('the cost of a rule set follows from its text: what each kind of condition adds', () => {
  for (const [when, microseconds] of [
    ['newDevice', 1],
    [repeated(900, (at) => `params.x == "${at}"`), 72],
    [repeated(900, (at) => `params.x == params.p${at}`), 207],
    [`params.x in (${repeated(1000, (at) => `"${at}"`, ', ')})`, 1],
    ['inList("a", params.x)', 11],
    [repeated(2, () => 'inList("a", params.x)'), 11],
    [repeated(100, (at) => `inList("a", params.p${at})`), 1040],
    [repeated(900, () => 'telecom.simSwap.maxAgeHours > 1'), 180],
  ] as const)
    assert.equal(costOf(setOf(when)).microseconds, microseconds, when.slice(0, 60))
})

test('a velocity costs more than a look-up, since the store counts it; one of distinct values still more', () => {
  const velocity = {
    cards: { distinct: 'params.card', per: 'user', within: '1h' },
    decisions: { count: 'decisions', per: 'user', within: '1h' },
  }
  const set = ruleSetOf({ velocity, rules: [rule('many', 'velocity.cards > 3')] })
  assert.deepEqual(costOf(set), {
    microseconds: 171,
    budget: ruleBudget,
    costliest: [
      { name: 'velocity.cards', microseconds: 150 },
      { name: 'velocity.decisions', microseconds: 20 },
      { name: 'many', microseconds: 1 },
    ],
  })
})

test('the rules that come with Ringfence, and 200 rules of ten comparisons, stay within the budget', () => {
  assert.equal(overBudget(costOf(defaultRules)), undefined)
  const large = setOf(...Array.from({ length: 200 }, () => repeated(10, (at) => `params.x${at} == "a"`, ' and ')))
  assert.ok(costOf(large).microseconds < ruleBudget / 5)
})

/** 13,600 look-ups of 13,600 paths. */
const bomb = setOf(
  ...Array.from({ length: 17 }, (_, at) => repeated(800, (each) => `inList("a", params.p${at}x${each})`)),
)

test('what is over the budget is refused with the sum and the most expensive rules', () => {
  const cost = costOf(bomb)
  assert.equal(
    overBudget(cost),
    `the rules may take ${cost.microseconds} µs of CPU time for one decision, and the budget is 2000 µs; the most expensive: r0 (8320), r1 (8320), r2 (8320). Look values up in fewer lists, or replace many comparisons of one path by \`in\` or a list`,
  )
})

test('a path that 1,000 rules look up in the same list is one look-up of a decision', () => {
  const rules = setOf(...Array.from({ length: 100 }, () => repeated(10, () => 'inList("a", params.x)')))
  assert.equal(loadedRules(1, rules).listReads.length, 1)
  assert.ok(costOf(rules).microseconds < 1000)
})

eachDatabase(({ engine, open }) => {
  test(`rules over the budget are stored as a draft, and never become live or shadow (${engine})`, async (t) => {
    const { parts: needs, tenantId } = await startTestService(t, await open(t))
    const {
      rules,
      rules: { lists },
      database,
    } = needs
    await lists.create(tenantId, { name: 'a', kind: 'text', purpose: 'watch' }, 'test')
    const by = { by: 'test' }
    const version = await rules.draft(tenantId, bomb, by)
    const isRefused = (error: Error) =>
      error instanceof RuleChangeRefused && error.message.startsWith(`version ${version}: the rules may take`)
    await assert.rejects(rules.shadow(tenantId, undefined, by), isRefused)
    await assert.rejects(rules.shadow(tenantId, version, by), isRefused)
    await assert.rejects(rules.live(tenantId, version, by, { untried: true }), isRefused)
    const [finding] = (await serviceFindings(needs, tenantId)).filter(({ subject }) => subject === 'rules')
    assert.equal(finding!.state, 'ok')
    // It decided before the budget existed.
    const change = {
      change: 'live',
      version,
      versionBefore: 0,
      changedAt: 1,
      changedBy: 'x',
      sealedNote: null,
    } as const
    await database.transaction((tx) => insertRuleChange(tx, tenantId, change))
    await rules.live(tenantId, version, by)
    const [warned] = (await serviceFindings(needs, tenantId)).filter(({ subject }) => subject === 'rules')
    assert.equal(warned!.state, 'warning')
    assert.match(warned!.text, /^version 1: the rules may take \d+ µs/)
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputOf, readCase, runCases } from './cases.ts'
import { defaultRules } from './defaults/default-rules.ts'
import { evaluate, shownInReport } from './evaluate.ts'
import { compileRules } from './language/compile.ts'
import { readCondition } from './language/condition.ts'
import { actions, type Rule } from './language/rule.ts'

const rule = (id: string, action: Rule['action'], score: number, when = 'vpn', more: Partial<Rule> = {}): Rule => ({
  id,
  name: `Rule ${id}`,
  action,
  score,
  when: readCondition(when),
  ...more,
})

const decided = (...rules: Rule[]) => evaluate(compileRules(rules), { vpn: true })

test('chooses the strongest action, then the highest score, then the first rule', () => {
  const winner = (...rules: Rule[]) => decided(...rules).ruleAction.name
  assert.equal(
    winner(rule('a', 'ALLOW', 99), rule('b', 'WARN', 50), rule('c', 'BLOCK', 1), rule('d', 'WARN', 90)),
    'Rule c',
  )
  assert.equal(winner(rule('a', 'REVIEW', 1), rule('b', 'WARN', 9)), 'Rule a')
  assert.equal(winner(rule('a', 'REVIEW', 9), rule('b', 'CHALLENGE', 1)), 'Rule b')
  assert.equal(winner(rule('a', 'BLOCK', 1), rule('b', 'CHALLENGE', 9)), 'Rule a')
  assert.equal(winner(rule('a', 'WARN', 1), rule('b', 'WARN', 2), rule('c', 'ALLOW', 3)), 'Rule b')
  assert.equal(winner(rule('a', 'WARN', 2), rule('b', 'WARN', 2)), 'Rule a')
  assert.equal(winner(rule('a', 'BLOCK', 9, 'proxy'), rule('b', 'ALLOW', 0)), 'Rule b')
})

test('returns the scores of fired rules, and the texts of the decisive rule', () => {
  const texts = { description: 'Why', message: 'Try again' }
  const { ruleAction, appliedRules } = decided(
    rule('r-1', 'WARN', 30),
    rule('r-2', 'BLOCK', 12.5, 'vpn', texts),
    rule('r-3', 'WARN', 7, 'proxy'),
  )
  assert.deepEqual(ruleAction, { action: 'BLOCK', name: 'Rule r-2', description: 'Why', message: 'Try again' })
  assert.deepEqual(appliedRules, { rules: { 'r-1 : Rule r-1': 30, 'r-2 : Rule r-2': 12.5 }, totalScore: 42.5 })
})

test('returns the own action of a rule, and WARN for REVIEW and CHALLENGE in a device report', () => {
  const texts = { name: 'Rule a', description: '', message: '' }
  const shown = actions.map((action) => {
    const { ruleAction } = decided(rule('a', action, 1))
    assert.deepEqual(ruleAction, { action, ...texts })
    return shownInReport(ruleAction)
  })
  assert.deepEqual(
    shown,
    (['ALLOW', 'WARN', 'WARN', 'WARN', 'BLOCK'] as const).map((action) => ({ action, ...texts })),
  )
})

test('returns ALLOW with empty texts when no rule fires', () => {
  const { ruleAction, appliedRules, fired, decisive } = evaluate(compileRules([rule('a', 'BLOCK', 9)]), {})
  assert.deepEqual(ruleAction, { action: 'ALLOW', name: '', description: '', message: '' })
  assert.deepEqual([appliedRules, fired, decisive], [{ rules: {}, totalScore: 0 }, [], undefined])
})

test('runs cases that say which value a list has, compared as the list compares it', () => {
  const when = 'inList("office", ip) or inList("stolen", params.card)'
  const cases = [
    { fires: { ip: '10.1.2.3', 'lists.office': '10.0.0.0/8' } },
    { fires: { 'params.card': 4111, 'lists.stolen': '4111' } },
    { silent: { ip: '11.1.2.3', 'lists.office': '10.0.0.0/8' } },
    { silent: { ip: '10.1.2.3', 'lists.stolen': '10.1.2.3' } },
    { silent: { 'params.card': 'c1' } },
  ]
  const kinds = new Map([
    ['office', 'ip'],
    ['stolen', 'text'],
  ] as const)
  for (const lists of [kinds, undefined]) {
    const { cases: ran, failed } = runCases([rule('a', 'BLOCK', 1, when, { cases })], lists)
    assert.deepEqual([ran, failed], [5, []])
  }
  assert.equal(typeof readCase({ fires: { 'lists.office': true } }), 'string')
  assert.equal(typeof readCase(cases[0]), 'object')
})

test('has a passing case that fires and one that stays silent for each default rule', () => {
  const { cases, failed, untried } = runCases(defaultRules.rules)
  assert.ok(cases >= 2 * defaultRules.rules.length)
  assert.deepEqual([failed, untried], [[], []])
})

test('blocks a score over 70 by default, and warns over 30, never both', () => {
  const rules = compileRules(defaultRules.rules)
  const of = (sessionRiskScore: number) => {
    const { ruleAction, fired } = evaluate(rules, inputOf({ sessionRiskScore }))
    return [ruleAction.action, fired.length]
  }
  assert.deepEqual(
    [of(0), of(30), of(30.5), of(70), of(70.5), of(100)],
    [
      ['ALLOW', 0],
      ['ALLOW', 0],
      ['WARN', 1],
      ['WARN', 1],
      ['BLOCK', 1],
      ['BLOCK', 1],
    ],
  )
})

test('fires no default rule for only a VPN, a private window or a new device', () => {
  const ordinary = inputOf({
    vpn: true,
    proxy: true,
    newDevice: true,
    'signals.incognito': true,
    sessionRiskScore: 30,
    'signals.bot': 'good',
    'signals.developerTools': true,
  })
  assert.deepEqual(evaluate(compileRules(defaultRules.rules), ordinary).fired, [])
})

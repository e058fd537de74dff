import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRequirements } from '../language/requirements.ts'
import { readRuleFile, ruleFileText } from '../rule-file.ts'
import { mistakeText, readRuleSet, ruleSetOf, writtenRuleSet } from '../rule-set.ts'

const rule = (when: string) => ({ id: 'r', name: 'R', when, action: 'WARN' as const, score: 1 })

test('a rule set without require has the defaults, written out', () => {
  const set = ruleSetOf({ rules: [] })
  assert.deepEqual(set.requirements, defaultRequirements)
  assert.deepEqual(writtenRuleSet(set), { ...defaultRequirements, rules: [] })
})

test('an action that require leaves out keeps its default, and an empty require requires nothing', () => {
  const of = (require: object) => ruleSetOf({ require, rules: [] }).requirements?.require
  assert.deepEqual(of({ LOGIN: ['login'] }), { ...defaultRequirements.require, LOGIN: ['login'] })
  assert.deepEqual(of({ PAYMENT: [] }), { ...defaultRequirements.require, PAYMENT: [] })
  assert.deepEqual(of({ WITHDRAWAL: ['phone', 'login'] })?.WITHDRAWAL, ['login', 'phone'])
  assert.deepEqual(of({}), {})
})

test('a stored set is read as it was written', () => {
  const stored = readRuleSet({ require: {}, otherwise: 'BLOCK', warnBelow: 5, rules: [] }, { isStored: true })
  assert.deepEqual(stored.ruleSet.requirements, { require: {}, otherwise: 'BLOCK', warnBelow: 5 })
  assert.deepEqual(readRuleSet({ rules: [] }, { isStored: true }).ruleSet.requirements, defaultRequirements)
})

test('each mistake is reported at its place, with a suggestion', () => {
  const mistakesOf = (set: object) => readRuleSet({ rules: [], ...set }).mistakes.map(mistakeText)
  assert.deepEqual(mistakesOf({ require: { LOGIN: ['login', 'devise'] } }), [
    'require.LOGIN[1]: must be one of login, device, phone; did you mean device?',
  ])
  assert.deepEqual(mistakesOf({ require: { PAYMNT: ['phone'], payment: ['phone'], 'two words': [] } }), [
    'require.PAYMNT: "PAYMNT" is not an action of your decisions; did you mean PAYMENT?',
    'require.payment: "payment" is not an action of your decisions; did you mean PAYMENT?',
    'require.two words: "two words" is not an action: LOGIN, SIGNUP, PAYMENT or your own, in capitals',
  ])
  assert.deepEqual(mistakesOf({ require: ['login'] }), [
    'require: require must be parts by action: { LOGIN: [login, device], PAYMENT: [device, phone] }',
  ])
  assert.deepEqual(mistakesOf({ require: { LOGIN: 'login' } }), [
    'require.LOGIN: must be a list of login, device, phone',
  ])
  assert.deepEqual(mistakesOf({ require: { LOGIN: ['login', 'login'] } }), ['require.LOGIN[1]: login is listed twice'])
  assert.deepEqual(mistakesOf({ otherwise: 'CHALENGE' }), [
    'otherwise: must be one of REVIEW, CHALLENGE, BLOCK; did you mean CHALLENGE?',
  ])
  assert.deepEqual(mistakesOf({ otherwise: { SIGNUP: 'ALLOW' } }), [
    'otherwise.SIGNUP: must be one of REVIEW, CHALLENGE, BLOCK',
  ])
  assert.deepEqual(mistakesOf({ warnBelow: '50' }), ['warnBelow: must be an amount: a number from 0, without quotes'])
  assert.deepEqual(mistakesOf({ requires: {} }), [
    'the whole: "requires" is not a known key; allowed: rules, velocity, require, otherwise, warnBelow',
  ])
})

test('an action that a rule names is one of yours', () => {
  const { mistakes } = readRuleSet({
    require: { PAYMENTS: ['phone'] },
    rules: [rule('action in ("PAYMENTS", "OTHER")')],
  })
  assert.deepEqual(mistakes, [])
})

test('a file has the line of a mistake, and reads as what was written', () => {
  const text = 'require:\n  LOGIN:\n    - login\n    - devise\nrules: []\n'
  assert.deepEqual(readRuleFile(text).mistakes, [
    { line: 4, column: 7, reason: 'must be one of login, device, phone; did you mean device?' },
  ])
  const set = ruleSetOf({
    require: { PAYMENT: ['phone'], WITHDRAWAL: [] },
    otherwise: { PAYMENT: 'REVIEW', LOGIN: 'BLOCK' },
    warnBelow: 12.5,
    rules: [{ ...rule('vpn'), acceptNumber: true }],
  })
  assert.deepEqual(readRuleFile(ruleFileText(set)), { ruleSet: set, mistakes: [] })
  assert.match(ruleFileText(set), /^ {2}PAYMENT: \[phone\]\n {2}WITHDRAWAL: \[\]$/m)
  assert.match(ruleFileText(set), /^ {4}acceptNumber: true$/m)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { conditions } from '../testing/arbitrary.ts'
import { readCondition } from './condition.ts'
import type { KnownLists } from './list-mistake.ts'
import { type Condition, ConditionMistake, caps } from './rule.ts'

const mistakeOf = (given: unknown, lists?: KnownLists): ConditionMistake => {
  try {
    readCondition(given, { lists })
  } catch (error) {
    if (error instanceof ConditionMistake) return error
    throw error
  }
  return assert.fail(`accepted: ${JSON.stringify(given)}`)
}

const misspelt: readonly (readonly [path: string, meant: string])[] = [
  ['vnp', 'vpn'],
  ['country', 'ipDetails.country'],
  ['bot', 'signals.bot'],
  ['ipDetails.contry', 'ipDetails.country'],
  ['sesionRiskscore', 'sessionRiskScore'],
  ['velocity.accountPerDevice24h', 'velocity.accountsPerDevice24h'],
  ['parms.amount', 'params.amount'],
  ['Telecom.Swapped', 'telecom.simSwap.swapped'],
]

test('suggests the nearest path for a misspelt one', () => {
  for (const [path, meant] of misspelt) {
    assert.match(mistakeOf(`exists ${path}`).reason, new RegExp(`there is no "${path}"; did you mean ${meant}\\?$`))
  }
  assert.match(
    mistakeOf('telecom.kycMatch.matches == false').reason,
    /answers of kycMatch are not stored; pass .* as a param/,
  )
  assert.match(mistakeOf('exists somethingElse').reason, /there is no "somethingElse"; the reference of rules lists/)
})

const wronglyTyped: readonly (readonly [text: string, column: number, reason: RegExp])[] = [
  ['sessionRiskScore > "70"', 20, /> compares with a number, without quotes/],
  ['sessionRiskScore == "70"', 21, /sessionRiskScore is a number, not a text/],
  ['ip == 10', 7, /ip is a text, not a number: write it in double quotes/],
  ['ip', 1, /ip is a text, not true or false/],
  ['ip > 3', 1, /ip is a text, and > compares numbers/],
  ['vpn prefix "a"', 1, /vpn is true or false, and prefix compares texts/],
  ['ip prefix 10', 11, /prefix takes a text/],
  ['vpn between 1 and 2', 1, /vpn is true or false, and between compares numbers/],
  ['sessionRiskScore between 70 and 30', 33, /the upper bound is below the lower one/],
  ['ip in ("a", 3)', 13, /ip is a text, not a number/],
  ['signals.bot == "Bad"', 16, /signals.bot is one of notDetected, good, bad; did you mean bad\?/],
  ['vpn == telecom.country', 8, /vpn is true or false, telecom.country is a text/],
  ['ipDetails.country != telecom.contry', 22, /there is no "telecom.contry"; did you mean telecom.country\?/],
]

test('reports a comparison of wrong types at its place', () => {
  for (const [text, column, reason] of wronglyTyped) {
    const mistake = mistakeOf(text)
    assert.match(mistake.reason, reason)
    assert.deepEqual([mistake.line, mistake.column], [1, column], text)
  }
})

test('accepts any type for a value of the integrator', () => {
  for (const text of ['params.x > 3', 'params.x == "a"', 'params.x', 'params.x == ip', 'params.x in (1, "a", true)']) {
    readCondition(text)
  }
  assert.match(mistakeOf('params == 1').reason, /there is no "params"/)
  assert.match(mistakeOf('params. == 1').reason, /there is no "params\."/)
})

const lists = new Map([
  ['stolen-cards', 'text'],
  ['office', 'ip'],
  ['fraudsters', 'phoneNumber'],
] as const)

test('reports a list that does not exist, or whose kind does not fit the path', () => {
  const wrong: readonly (readonly [text: string, column: number, reason: RegExp])[] = [
    ['inList("stolen-card", params.card)', 8, /there is no list "stolen-card"; did you mean stolen-cards\?/],
    ['vpn and not inList("banks", params.card)', 20, /there is no list "banks"; create it first with ringfence lists/],
    ['inList("a b", params.card)', 8, /"a b" is not the name of a list/],
    ['inList("office", deviceId)', 8, /the list office has IP addresses, and deviceId is none/],
    ['inList("stolen-cards", params.)', 24, /there is no "params\."/],
    ['inList("stolen-cards", vpn)', 24, /vpn is true or false, and a list has texts/],
    ['inList("stolen-cards", sessionRiskScore)', 24, /is a number, and a list has texts/],
    ['inList("stolen-cards", platform)', 24, /platform is one of WEB, IOS, ANDROID/],
    ['inList(stolen-cards, ip)', 8, /expected the name of a list in double quotes, found stolen-cards/],
    ['inList("stolen-cards" ip)', 23, /expected , and a path, found ip/],
    ['inList("stolen-cards", ip', 26, /expected a closing \), found the end/],
    ['inList == 3', 8, /expected \( and the name of a list, found ==/],
    ['isInList("stolen-cards", ip)', 9, /a path is not a function; the only one is inList/],
  ]
  for (const [text, column, reason] of wrong) {
    const mistake = mistakeOf(text, lists)
    assert.match(mistake.reason, reason)
    assert.deepEqual([mistake.line, mistake.column], [1, column], text)
  }
  const right = ['inList("office", ip)', 'inList("fraudsters", updateInfo.phoneNumber)', 'inList("office", params.ip)']
  for (const text of [...right, 'not inList("stolen-cards", deviceId)']) readCondition(text, { lists })
  readCondition('inList("banks", params.card)')
  const tree = {
    op: 'any',
    of: [
      { op: 'exists', path: 'vpn' },
      { op: 'inList', list: 'banks', path: 'ip' },
    ],
  }
  assert.match(mistakeOf(tree, lists).message, /^of\[1\]: there is no list "banks"/)
})

const trees: readonly (readonly [tree: unknown, message: RegExp])[] = [
  [null, /must be a condition/],
  [[], /must be a condition/],
  [{}, /op must be one of ==/],
  [{ op: 'constructor' }, /op must be one of ==/],
  [JSON.parse('{"__proto__": {"op": "exists", "path": "vpn"}}'), /op must be one of ==/],
  [{ op: 'exists', path: '__proto__' }, /there is no "__proto__"/],
  [{ op: 'exists', path: 'vpn', also: 1 }, /also is not a known key/],
  [{ op: '==', path: 'vpn' }, /value is missing/],
  [{ op: '<', path: 'sessionRiskScore', value: Number.NaN }, /value must be a number/],
  [{ op: '<', path: 'sessionRiskScore', value: Number.POSITIVE_INFINITY }, /value must be/],
  [{ op: 'all', of: [{ op: 'exists', path: 'vpn' }] }, /of must not have fewer than 2 items/],
  [{ op: 'not', of: { op: 'any', of: [{ op: 'exists', path: 'vpn' }, { op: 'exist' }] } }, /^of\.of\[1\]: op must be/],
  [{ op: 'not', of: { op: 'exists', path: 'vqn' } }, /^of: there is no "vqn"; did you mean vpn\?/],
]

test('names the place in a tree that is not a condition', () => {
  for (const [tree, message] of trees) assert.match(mistakeOf(tree).message, message)
})

test('limits size, depth and lists of texts and trees', () => {
  const vpn: Condition = { op: 'exists', path: 'vpn' }
  const deep = (depth: number): Condition => (depth === 1 ? vpn : { op: 'not', of: deep(depth - 1) })
  const wide = (parts: number): Condition => ({ op: 'any', of: Array(parts).fill(vpn) })
  const list = (length: number) => ({ op: 'in', path: 'ip', values: Array(length).fill('a') })
  readCondition(deep(caps.depth))
  readCondition(wide(caps.conditions - 1))
  readCondition(list(caps.listLength))
  assert.match(mistakeOf(deep(caps.depth + 1)).message, /deeper than 32/)
  assert.match(mistakeOf(wide(caps.conditions)).message, /more than 1000 conditions/)
  assert.match(mistakeOf(list(caps.listLength + 1)).message, /a list of more than 1000/)

  readCondition(`${'not '.repeat(caps.depth - 1)}vpn`)
  const nested = (levels: number): string => (levels === 0 ? 'vpn' : `vpn or proxy and (${nested(levels - 1)})`)
  readCondition(nested(15))
  assert.match(mistakeOf(nested(16)).message, /column \d+: deeper than 32/, 'or and and count, not only parentheses')
  readCondition(`${'vpn or '.repeat(caps.conditions - 2)}vpn`)
  readCondition(`ip in (${'"a",'.repeat(caps.listLength - 1)}"a")`)
  assert.match(mistakeOf(`${'not '.repeat(caps.depth)}vpn`).message, /column 129: deeper than 32/)
  assert.match(mistakeOf(`${'vpn or '.repeat(caps.conditions - 1)}vpn`).message, /more than 1000 conditions/)
  assert.match(mistakeOf(`ip in (${'"a",'.repeat(caps.listLength)}"a")`).message, /a list of more than 1000/)
  assert.match(mistakeOf(`ip == "${'a'.repeat(caps.literalLength + 1)}"`).message, /a text of more than 1024/)
  assert.match(mistakeOf(`vpn${' '.repeat(caps.textLength)}`).message, /at most 65536 are read/)
})

test('reads the same condition from text and from a tree', () => {
  const tree = {
    op: 'any',
    of: [
      { op: '==', path: 'vpn', value: true },
      { op: '<', path: 'params.x', value: { path: 'params.y' } },
    ],
  }
  assert.deepEqual(readCondition('vpn or params.x < params.y'), readCondition(tree))
})

test('accepts every valid condition as a tree', () => {
  fc.assert(fc.property(conditions, (condition) => assert.equal(readCondition(condition), condition)))
})

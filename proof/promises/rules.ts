// Can a rule hang the service, or read beyond its input? Reads hostile conditions and rule sets, and times each one.

import fc from 'fast-check'
import { compileCondition } from '../../server/src/rules/language/compile.ts'
import { readCondition } from '../../server/src/rules/language/condition.ts'
import { type Condition, ConditionMistake, caps } from '../../server/src/rules/language/rule.ts'
import { printCondition } from '../../server/src/rules/language/text.ts'
import { readRuleSet } from '../../server/src/rules/rule-set.ts'
import { conditions, inputs, roughTexts } from '../../server/src/rules/testing/arbitrary.ts'
import type { Judge, PromiseProgram } from './promise.ts'

const limitMs = 5
/** A text counts as slow only when every attempt is slow: other work on the machine disturbs some. */
const tries = 10

export const rules: PromiseProgram = {
  name: 'rules',
  promise: `rules cannot hang or escape: hostile rule texts take ${limitMs} ms at most, and end in a clear error`,
  async run(run) {
    let slowestMs = 0
    let [accepted, refused] = [0, 0]

    /** Reads the text, evaluates it if it is a condition, and complains when it is slow or the error is unclear. */
    const attempt = (name: string, given: unknown) => {
      const takenMs = takes(() => read(given))
      slowestMs = Math.max(slowestMs, takenMs)
      run.unless(takenMs <= limitMs, () => `${name}: ${takenMs.toFixed(1)} ms`)
      const answer = read(given)
      if (answer instanceof Error) refused++
      else accepted++
      const isClear = !(answer instanceof Error) || (answer instanceof ConditionMistake && answer.message.length < 600)
      run.unless(isClear, () => `${name}: ${String(answer)}`)
      const hasPlace = typeof given !== 'string' || !(answer instanceof ConditionMistake) || answer.line !== undefined
      run.unless(hasPlace || String(given).length > caps.textLength, () => `${name}: without line and column`)
    }

    // Code that is not compiled yet is slow for every text.
    for (const [, given] of hostile()) read(given)
    for (const [name, given] of hostile()) attempt(name, given)
    run.say(`${accepted + refused} hostile texts and trees`)
    const made = run.full ? 100_000 : 3_000
    fc.assert(
      fc.property(roughTexts, (text) => attempt(JSON.stringify(text), text)),
      { numRuns: made },
    )

    const sets = ruleSets(run)
    slowestMs = Math.max(slowestMs, sets.slowestMs)
    const escapes = escaped(run.full ? 20_000 : 500, run)
    return {
      figures: {
        'conditions and trees read': accepted + refused,
        'of these, refused with place and reason': refused,
        'rule sets read': sets.count,
        'conditions evaluated on inputs named like prototypes': escapes,
        'slowest, ms': slowestMs.toFixed(2),
      },
    }
  },
}

function read(given: unknown): Condition | Error {
  try {
    const condition = readCondition(given)
    compileCondition(condition)({ params: {} })
    return condition
  } catch (error) {
    return error as Error
  }
}

/** Elapsed ms of the fastest attempt; stops at the first attempt within the limit. */
function takes(work: () => unknown): number {
  let quickestMs = Number.POSITIVE_INFINITY
  for (let tried = 0; tried < tries && quickestMs > limitMs; tried++) {
    const startedAt = performance.now()
    work()
    quickestMs = Math.min(quickestMs, performance.now() - startedAt)
  }
  return quickestMs
}

function* hostile(): Generator<readonly [name: string, given: unknown]> {
  const length = caps.textLength
  const filled = (part: string) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
  const parts = [
    '(',
    ')',
    '[',
    '"',
    "'",
    '\\',
    '\n',
    ' ',
    '\u0000',
    '\ud800',
    '🙂',
    '-',
    '9',
    '1e',
    '0x',
    '.',
    'a',
    '_',
    'a.',
  ]
  const words = [
    'not ',
    'vpn or ',
    'vpn and ',
    'not (',
    '(vpn or ',
    'vpn and (',
    'ip in (',
    '"a",',
    'exists ',
    'params.',
    '== ',
  ]
  for (const part of [...parts, ...words, 'a'.repeat(31).concat(' '), '"\\u0000"', 'vpn==vpn or ', 'vnp or ']) {
    yield [`${JSON.stringify(part)} again and again`, filled(part)]
    yield [`vpn and ${JSON.stringify(part)} again and again`, `vpn and ${filled(part)}`.slice(0, length)]
  }
  yield ['ten million characters', '('.repeat(10_000_000)]
  yield ['a text of a megabyte', `ip == "${'a'.repeat(1_000_000)}"`]
  yield ['the largest number of conditions', `${'params.x != "a" or '.repeat(caps.conditions - 2)}vpn`]
  yield ['many conditions, the last one misspelt', `${'vpn or '.repeat(caps.conditions - 2)}sesionRiskScoer > 1`]
  yield ['nested to the greatest depth', `${'not '.repeat(caps.depth - 1)}vpn`]
  yield ['parentheses to the greatest depth', `${'('.repeat(caps.depth - 1)}vpn${')'.repeat(caps.depth - 1)}`]
  yield ['the longest list', `ip in (${'"a", '.repeat(caps.listLength - 1)}"a")`]
  yield ['a long list whose last value is wrong', `ip in (${'"a", '.repeat(caps.listLength - 1)}1)`]
  yield ['backtracking bait', `ip == "${'a'.repeat(1_000)}!" and ${'x'.repeat(caps.pathLength)} == 1`]
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__']) {
    for (const text of [name, `exists ${name}`, `${name}.${name} == 1`, `params.${name}`, `params["${name}"] == "x"`]) {
      yield [text, text]
    }
    yield [`op ${name}`, { op: name, path: 'vpn', value: true }]
    yield [`path ${name}`, { op: '==', path: name, value: true }]
    yield [`key ${name}`, JSON.parse(`{ "op": "exists", "path": "vpn", "${name}": {} }`)]
  }
  yield* hostileTrees()
}

function* hostileTrees(): Generator<readonly [name: string, given: unknown]> {
  const vpn = { op: 'exists', path: 'vpn' }
  let deep: object = vpn
  for (let depth = 0; depth < 100_000; depth++) deep = { op: 'not', of: deep }
  yield ['a tree of a hundred thousand levels', deep]
  const round: { op: string; of?: unknown } = { op: 'not' }
  round.of = round
  yield ['a tree that contains itself', round]
  yield ['a million branches', { op: 'all', of: Array(1_000_000).fill(vpn) }]
  yield ['a thousand wrong branches', { op: 'any', of: Array(caps.listLength).fill({ op: 'exists' }) }]
  yield ['a thousand misspelt branches', { op: 'any', of: Array(900).fill({ op: 'exists', path: 'vnp' }) }]
  yield ['a million values', { op: 'in', path: 'ip', values: Array(1_000_000).fill('a') }]
  yield ['a thousand wrong values', { op: 'in', path: 'ip', values: Array(caps.listLength).fill({}) }]
  yield ['many keys', Object.fromEntries([['op', 'exists'], ...Array.from({ length: 8_000 }, (_, i) => [`k${i}`, i])])]
  yield ['no condition', null]
  yield ['a list', [[[]]]]
}

/** Rule sets as the API would accept them: parsed JSON of at most 64 KiB. */
function ruleSets(run: Judge): { count: number; slowestMs: number } {
  const rule = { id: 'a', name: 'A', when: 'vpn', action: 'WARN', score: 1 }
  const many = (length: number, each: (index: number) => unknown) => ({
    rules: Array.from({ length }, (_, i) => each(i)),
  })
  const sets: unknown[] = [
    many(caps.rules, (i) => ({ ...rule, id: `r${i}` })),
    many(caps.rules, () => rule),
    many(caps.rules, (i) => ({ ...rule, id: `r${i}`, when: 'vnp' })),
    many(20_000, () => 1),
    many(caps.rules, () => null),
    many(caps.rules, () => ({ id: '__proto__', name: '', when: '((((', action: 'constructor', score: '1' })),
    { rules: [{ ...rule, cases: Array(caps.cases).fill({ fires: { __proto__: 1, 'params.__proto__': {} } }) }] },
    {
      rules: [
        { ...rule, cases: [{ fires: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`x${i}`, i])) }] },
      ],
    },
    { rules: [Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`k${i}`, i]))] },
    JSON.parse('{"__proto__": {"rules": []}, "constructor": 1}'),
    null,
    [],
    'rules',
  ]
  let slowestMs = 0
  for (const [index, set] of sets.entries()) {
    readRuleSet(set)
    const takenMs = takes(() => readRuleSet(set))
    slowestMs = Math.max(slowestMs, takenMs)
    run.unless(takenMs <= limitMs, () => `rule set ${index}: ${takenMs.toFixed(1)} ms`)
    const { mistakes } = readRuleSet(set)
    run.unless(
      index === 0 ? mistakes.length === 0 : mistakes.length > 0,
      () => `rule set ${index}: ${JSON.stringify(mistakes[0])}`,
    )
  }
  return { count: sets.length, slowestMs }
}

/** No condition reads inherited properties, and none changes anything. */
function escaped(times: number, run: Judge): number {
  const names = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty']
  let asked = 0
  const prototypeBefore = Object.getOwnPropertyNames(Object.prototype).join()
  for (const name of names) {
    const holds = compileCondition(readCondition(`exists params["${name}"] or params.${name} != "" or params.${name}`))
    run.unless(!holds({ params: {} }) && !holds({}), () => `params.${name} is read although it was not sent`)
  }
  fc.assert(
    fc.property(conditions, inputs, (condition, input) => {
      const before = JSON.stringify(input)
      compileCondition(condition)(input)
      run.unless(JSON.stringify(input) === before, () => `${printCondition(condition)} changed its input`)
      asked++
    }),
    { numRuns: times },
  )
  run.unless(
    Object.getOwnPropertyNames(Object.prototype).join() === prototypeBefore,
    () => 'a rule changed the prototype of all objects',
  )
  return asked + names.length
}

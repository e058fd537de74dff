// How is a rule evaluated fast? Each condition is compiled once into closures: no generated code, no lookups by path.

import { compared, comparedWith, type Order } from './decimals.ts'
import { type InList, inNoList, type ListRead } from './list.ts'
import { findPath, isParam, velocityMeaning, velocityPrefix } from './paths.ts'
import type { Read } from './readers.ts'
import type { Comparison, Condition, Literal, OrderOperator, Rule } from './rule.ts'
import type { RuleInput } from './vocabulary.ts'

/** `inList` says which values are in the lists of the tenant; without it, none is. */
export type Test = (input: RuleInput, inList?: InList) => boolean

export interface CompiledRule {
  readonly rule: Rule
  /** `<id> : <name>`, as a report names it (specification 2.6). */
  readonly key: string
  readonly holds: Test
}

/** Compiles rules that `readRuleSet` has accepted, in their order. @throws Error for an unknown path */
export function compileRules(rules: readonly Rule[]): CompiledRule[] {
  return rules.map((rule) => ({ rule, key: `${rule.id} : ${rule.name}`, holds: compileCondition(rule.when) }))
}

/** Compiles a condition that `readCondition` has accepted. @throws Error for an unknown path */
export function compileCondition(condition: Condition): Test {
  switch (condition.op) {
    case 'all':
      return joined(condition.of.map(compileCondition), every)
    case 'any':
      return joined(condition.of.map(compileCondition), some)
    case 'not': {
      const test = compileCondition(condition.of)
      return (input, inList) => !test(input, inList)
    }
    default:
      return compileComparison(condition)
  }
}

/** What a condition looks up in lists. */
export function listReadsIn(condition: Condition): ListRead[] {
  if (condition.op === 'not') return listReadsIn(condition.of)
  if (condition.op === 'all' || condition.op === 'any') return condition.of.flatMap(listReadsIn)
  return condition.op === 'inList'
    ? [{ list: condition.list, path: condition.path, read: readerOf(condition.path) }]
    : []
}

const every =
  (first: Test, second: Test): Test =>
  (input, inList) =>
    first(input, inList) && second(input, inList)
const some =
  (first: Test, second: Test): Test =>
  (input, inList) =>
    first(input, inList) || second(input, inList)

/** A balanced tree of pairs, so that a thousand tests do not overflow the stack. */
function joined(tests: readonly Test[], join: (first: Test, second: Test) => Test): Test {
  if (tests.length === 1) return tests[0]!
  const half = tests.length >> 1
  return join(joined(tests.slice(0, half), join), joined(tests.slice(half), join))
}

/** Whether the rule set declares a velocity was checked when the condition was read. */
const meaningOf = (path: string) =>
  findPath(path) ?? (path.startsWith(velocityPrefix) ? velocityMeaning(path) : undefined)

function readerOf(path: string): Read {
  const meaning = meaningOf(path)
  if (!meaning) throw new Error(`no rule can read ${path}`)
  return meaning.read
}

function compileComparison(comparison: Comparison): Test {
  const read = readerOf(comparison.path)
  switch (comparison.op) {
    case 'exists':
      return (input) => exists(read(input))
    case 'inList': {
      const { list } = comparison
      return (input, inList = inNoList) => inList(list, read(input))
    }
    case 'in':
      return isParam(comparison.path) ? compileParamIn(read, comparison.values) : compileIn(read, comparison.values)
    case 'between': {
      const { from, to } = comparison
      if (isParam(comparison.path)) {
        const [least, most] = [comparedWith(from), comparedWith(to)]
        return (input) => {
          const value = read(input)
          return least(value) >= 0 && most(value) <= 0
        }
      }
      return (input) => {
        const value = read(input)
        return typeof value === 'number' && value >= from && value <= to
      }
    }
    case 'prefix': {
      const { value: prefix } = comparison
      return (input) => {
        const value = read(input)
        return typeof value === 'string' && value.startsWith(prefix)
      }
    }
    default:
      return comparesNumbers(comparison) ? compileNumeric(comparison, read) : compileOperator(comparison, read)
  }
}

export type WithOperator = Extract<Comparison, { op: '==' | '!=' | OrderOperator }>

function compileOperator({ op, value }: WithOperator, read: Read): Test {
  if (op === '==') return compileEqual(read, value)
  if (op === '!=') return compileUnequal(read, value)
  return compileOrder(op, read, value as number | { path: string })
}

/** Whether a param is compared with a number, so that decimal text counts as one: only `==` of two params compares text. */
export function comparesNumbers({ op, path, value }: WithOperator): boolean {
  if (typeof value !== 'object') return isParam(path) && typeof value === 'number'
  if (!isParam(path) && !isParam(value.path)) return false
  const isOrder = op !== '==' && op !== '!='
  return isOrder || [path, value.path].some((each) => !isParam(each) && meaningOf(each)?.kind === 'number')
}

const holdsFor: Readonly<Record<WithOperator['op'], (order: Order) => boolean>> = {
  '==': (order) => order === 0,
  '!=': (order) => order < 0 || order > 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

function compileNumeric({ op, value }: WithOperator, read: Read): Test {
  const holds = holdsFor[op]
  if (typeof value === 'object') {
    const other = readerOf(value.path)
    return (input) => holds(compared(read(input), other(input)))
  }
  const order = comparedWith(value as number)
  return (input) => holds(order(read(input)))
}

/** Decimal text is one of the numbers too. */
function compileParamIn(read: Read, values: readonly Literal[]): Test {
  const numbers = values.filter((value) => typeof value === 'number').map(comparedWith)
  const isAmong = compileIn(read, values)
  if (numbers.length === 0) return isAmong
  return (input) => {
    const value = read(input)
    return isAmong(input) || (typeof value === 'string' && numbers.some((order) => order(value) === 0))
  }
}

/** An integrator may send any value: null, lists, objects and NaN count as absent. */
function exists(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && !Number.isNaN(value))
}

function compileIn(read: Read, values: readonly Literal[]): Test {
  // For a few values, a scan is faster than hashing.
  if (values.length <= 8) return (input) => values.includes(read(input) as Literal)
  const set = new Set<unknown>(values)
  return (input) => set.has(read(input))
}

function compileEqual(read: Read, value: Literal | { path: string }): Test {
  if (typeof value !== 'object') return (input) => read(input) === value
  const other = readerOf(value.path)
  return (input) => {
    const left = read(input)
    return exists(left) && left === other(input)
  }
}

/** A value of another type than the compared one counts as absent. */
function compileUnequal(read: Read, value: Literal | { path: string }): Test {
  if (typeof value !== 'object') {
    const type = typeof value
    return (input) => {
      const left = read(input)
      return typeof left === type && left !== value && exists(left)
    }
  }
  const other = readerOf(value.path)
  return (input) => {
    const [left, right] = [read(input), other(input)]
    return typeof left === typeof right && left !== right && exists(left) && exists(right)
  }
}

function compileOrder(op: OrderOperator, read: Read, value: number | { path: string }): Test {
  if (typeof value === 'number') return compileLimit(op, read, value)
  const other = readerOf(value.path)
  const inOrder = orders[op]
  return (input) => {
    const [left, right] = [read(input), other(input)]
    return typeof left === 'number' && typeof right === 'number' && inOrder(left, right)
  }
}

const orders: Readonly<Record<OrderOperator, (left: number, right: number) => boolean>> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
}

/** Written out: this is what most rules ask. */
function compileLimit(op: OrderOperator, read: Read, limit: number): Test {
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : Number.NaN)
  if (op === '<') return (input) => numberOf(read(input)) < limit
  if (op === '<=') return (input) => numberOf(read(input)) <= limit
  if (op === '>') return (input) => numberOf(read(input)) > limit
  return (input) => numberOf(read(input)) >= limit
}

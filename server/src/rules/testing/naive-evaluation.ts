// Does a condition hold for an input? The simplest evaluation, to which tests and the benchmark compare the compiled form.

import { inNoList } from '../language/list.ts'
import { paths } from '../language/paths.ts'
import type { Comparison, Condition } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'

type Readable = string | number | boolean

/** Walks the tree, and looks up each path by name. */
export function naivelyHolds(condition: Condition, input: RuleInput, inList = inNoList): boolean {
  if (condition.op === 'all') return condition.of.every((part) => naivelyHolds(part, input, inList))
  if (condition.op === 'any') return condition.of.some((part) => naivelyHolds(part, input, inList))
  if (condition.op === 'not') return !naivelyHolds(condition.of, input, inList)
  const value = valueAt(condition.path, input)
  if (value === undefined) return false
  if (condition.op === 'exists') return true
  if (condition.op === 'inList') return inList(condition.list, value)
  const { path } = condition
  if (condition.op === 'in') {
    const number = isParam(path) ? rationalOf(value) : undefined
    return condition.values.some(
      (each) => each === value || (typeof each === 'number' && isOrdered('==', number, rationalOf(each))),
    )
  }
  if (condition.op === 'between') {
    const { from, to } = condition
    if (!isParam(path)) return typeof value === 'number' && from <= value && value <= to
    return isOrdered('>=', rationalOf(value), rationalOf(from)) && isOrdered('<=', rationalOf(value), rationalOf(to))
  }
  if (condition.op === 'prefix') return typeof value === 'string' && value.startsWith(condition.value)
  const other = typeof condition.value === 'object' ? valueAt(condition.value.path, input) : condition.value
  if (other === undefined) return false
  if (isOfNumbers(condition)) return isOrdered(condition.op, rationalOf(value), rationalOf(other))
  if (typeof other !== typeof value) return false
  if (condition.op === '==') return value === other
  if (condition.op === '!=') return value !== other
  if (typeof value !== 'number' || typeof other !== 'number') return false
  if (condition.op === '<') return value < other
  if (condition.op === '<=') return value <= other
  return condition.op === '>' ? value > other : value >= other
}

const isParam = (path: string) => path.startsWith('params.')
const isNumberPath = (path: string) => paths.some((each) => each.path === path && each.kind === 'number')

/** Whether decimal text of a param is a number here: beside a number, and wherever order matters. */
function isOfNumbers({ op, path, value }: Extract<Comparison, { value: unknown }>): boolean {
  if (typeof value !== 'object') return isParam(path) && typeof value === 'number'
  if (!isParam(path) && !isParam(value.path)) return false
  return (op !== '==' && op !== '!=') || isNumberPath(path) || isNumberPath(value.path)
}

interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The exact value of a number or decimal text as it is written; undefined for anything else. */
export function rationalOf(value: unknown): Rational | undefined {
  if (typeof value === 'string' && !/^-?\d{1,15}(\.\d{1,6})?$/.test(value)) return undefined
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(`${value}`)!
  const power = Number(exponent) - fraction.length
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) }
}

export function isOrdered(op: string, left: Rational | undefined, right: Rational | undefined): boolean {
  if (!left || !right) return false
  const difference = left.numerator * right.denominator - right.numerator * left.denominator
  if (op === '==') return difference === 0n
  if (op === '!=') return difference !== 0n
  if (op === '<') return difference < 0n
  if (op === '<=') return difference <= 0n
  return op === '>' ? difference > 0n : difference >= 0n
}

/** Parts whose keys the integrator chooses. */
const openParts = ['updateInfo.additionalInput', 'params']

function valueAt(path: string, input: RuleInput): Readable | undefined {
  const open = openParts.find((part) => path.startsWith(`${part}.`))
  const names = open === undefined ? path.split('.') : [...open.split('.'), path.slice(open.length + 1)]
  let value: unknown = input
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  const isReadable = ['string', 'number', 'boolean'].includes(typeof value) && !Number.isNaN(value)
  return isReadable ? (value as Readable) : undefined
}

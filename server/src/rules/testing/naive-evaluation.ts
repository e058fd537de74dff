// Does a condition hold for an input? The simplest evaluation, to which tests and the benchmark compare the compiled form.

import { inNoList } from '../lists/list.ts'
import type { Condition } from '../rule.ts'
import type { RuleInput } from '../vocabulary.ts'

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
  if (condition.op === 'in') return condition.values.some((each) => each === value)
  if (condition.op === 'between') return typeof value === 'number' && condition.from <= value && value <= condition.to
  if (condition.op === 'prefix') return typeof value === 'string' && value.startsWith(condition.value)
  const other = typeof condition.value === 'object' ? valueAt(condition.value.path, input) : condition.value
  if (other === undefined || typeof other !== typeof value) return false
  if (condition.op === '==') return value === other
  if (condition.op === '!=') return value !== other
  if (typeof value !== 'number' || typeof other !== 'number') return false
  if (condition.op === '<') return value < other
  if (condition.op === '<=') return value <= other
  return condition.op === '>' ? value > other : value >= other
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

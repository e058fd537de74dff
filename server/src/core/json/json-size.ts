// How much JSON may an integrator send beside our fields? Bounded in bytes, keys and depth, because it is stored.

import { numberAsKept } from './numbers.ts'

export interface JsonLimits {
  readonly bytes: number
  readonly keys: number
  readonly depth: number
}

/** Which limit these values exceed together, in words that follow "may"; undefined for none. A value that is no object counts nothing. */
export function exceededLimit(values: readonly unknown[], limits: JsonLimits): string | undefined {
  const parts = values.filter(isObject)
  let keys = 0
  // Level by level: recursion would let a hostile body exhaust the stack.
  let level: readonly object[] = parts
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.depth) return `be nested at most ${limits.depth} levels deep`
    for (const object of level) if (!Array.isArray(object)) keys += Object.keys(object).length
    level = level.flatMap((object) => Object.values(object).filter(isObject))
  }
  if (keys > limits.keys) return `have at most ${limits.keys} keys, nested ones included; they have ${keys}`
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0)
  return bytes > limits.bytes ? `have at most ${limits.bytes} bytes of JSON; they have ${bytes}` : undefined
}

/** Long numbers are objects too (numbers.ts), but have no levels. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && numberAsKept(value) === value

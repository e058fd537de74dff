// How much may an integrator add to a visit? `additionalInput` of the engine call and the params of the push, together.

import { customInputLimits as limits } from '@ringfence/contract'
import { Refusal } from '../../errors.ts'
import { numberAsKept } from '../../json/numbers.ts'

/**
 * Refuses with `fieldInvalid` what is too large. Anyone who knows the app id can send it, and it is stored with the report, so its
 * limits are far below those of a body. A value that is no object is dropped later, and passes.
 */
export function checkCustomInput(...given: readonly unknown[]): void {
  const parts = given.filter(isObject)
  let keys = 0
  // Level by level: recursion would let a hostile body exhaust the stack.
  let level: readonly object[] = parts
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > limits.depth) throw tooLarge(`be nested at most ${limits.depth} levels deep`)
    for (const object of level) if (!Array.isArray(object)) keys += Object.keys(object).length
    level = level.flatMap((object) => Object.values(object).filter(isObject))
  }
  if (keys > limits.keys) throw tooLarge(`have at most ${limits.keys} keys, nested ones included; they have ${keys}`)
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0)
  if (bytes > limits.bytes) throw tooLarge(`have at most ${limits.bytes} bytes of JSON; they have ${bytes}`)
}

/** Long numbers are objects too (json/numbers.ts), but have no levels. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && numberAsKept(value) === value

const tooLarge = (limit: string) =>
  new Refusal('fieldInvalid', { mistake: `params and updateInfo.additionalInput together may ${limit}` })

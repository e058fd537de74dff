// Is this the same body again? A repeated call has the same hash.

import type { TenantKeys } from '../../crypto/keyring.ts'
import { Refusal } from '../../errors.ts'

const deepest = 64

/**
 * 8 bytes of a keyed hash. The same body has another hash at another endpoint.
 * Refuses with `invalidJson` a body that is nested too deeply to be written as JSON again.
 */
export function bodyHash(
  endpoint: 'intelligence' | 'secure' | 'push' | 'decision',
  body: object,
  keys: TenantKeys,
): Uint8Array {
  if (!isNestedWithin(body, deepest)) throw new Refusal('invalidJson')
  return keys.hash(`${endpoint} ${JSON.stringify(body)}`).subarray(0, 8)
}

/** Level by level: recursion would let a hostile body exhaust the stack. */
function isNestedWithin(value: object, levels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return false
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []))
  }
  return true
}

// Is this the same body again? A repeated call has the same hash.

import type { TenantKeys } from '../../core/crypto/keyring.ts'

/** 8 bytes of a keyed hash. The same body has another hash at another endpoint. */
export function bodyHash(
  endpoint: 'intelligence' | 'secure' | 'push' | 'decision',
  body: object,
  keys: TenantKeys,
): Uint8Array {
  return keys.hash(`${endpoint} ${JSON.stringify(body)}`).subarray(0, 8)
}

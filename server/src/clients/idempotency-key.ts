// How is an Idempotency-Key stored?

import type { TenantKeys } from '../core/crypto/keyring.ts'

/** Finds what was made for it. */
export const hashOfIdempotencyKey = (idempotencyKey: string, keys: Pick<TenantKeys, 'hash'>): Uint8Array =>
  keys.hash(`idempotency ${idempotencyKey}`).subarray(0, 16)

// How does a tenant end a token before it expires?

import type { RevokedToken, RevokeTokenRequest } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { markTokenRevoked } from '../storage/tokens.ts'
import { tokenKey } from './token.ts'

/**
 * POST /auth/v1/tokens/revoke. Returns after the revocation is durable for every server. Revoking
 * again, or after expiry, succeeds too, so that a caller can retry. Unlike RFC 7009, 2.2, it
 * refuses an unknown token, or one of another tenant, with `tokenInvalid`: a success would claim
 * that a token is revoked that may still be valid.
 */
export async function revokeToken(
  { token }: RevokeTokenRequest,
  { caller }: Call,
  { clock, database }: Platform,
): Promise<RevokedToken> {
  const now = clock.now()
  const key = tokenKey(token, now)
  if (!key || !(await markTokenRevoked(database, key, caller.tenantId, now))) throw new Refusal('tokenInvalid')
  return { status: 'SUCCESS' }
}

// May this token be accepted any longer? Not after its tenant has revoked it.

import type { RevokedToken, RevokeTokenRequest } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { markTokenRevoked } from '../storage/tokens.ts'
import { tokenKey } from './token.ts'

/**
 * Revokes a token, durably and for every server, before it answers; again, or after its end, it is a success too, so that a
 * lost answer can be asked for again. Refuses with `tokenInvalid` what is no token of this tenant: success would then say
 * that a token is revoked which still lives (unlike RFC 7009, 2.2, where clients revoke tokens of their own only).
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

// How does a tenant end a token before it expires?

import type { RevokedToken, RevokeTokenRequest } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import { ConditionFailed } from '../../core/storage/database.ts'
import { tokenRevocation } from '../store/tokens.ts'
import { tokenIdOf } from './issue.ts'
import type { TokensNeeds } from './room.ts'
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
  { clock, database, events }: TokensNeeds,
): Promise<RevokedToken> {
  const now = clock.now()
  const key = tokenKey(token, now)
  if (!key) throw new Refusal('tokenInvalid')
  const { tenantId } = caller
  const tokenId = tokenIdOf(key)
  const revoked = await events.statements(tenantId, [
    { type: 'token.revoked', data: { tokenId }, orderedBy: `token ${tokenId}` },
  ])
  try {
    await database.batch([{ ...tokenRevocation(key, tenantId, now), required: true }, ...revoked])
  } catch (error) {
    throw error instanceof ConditionFailed ? new Refusal('tokenInvalid') : error
  }
  return { status: 'SUCCESS' }
}

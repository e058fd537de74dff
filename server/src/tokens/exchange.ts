// What may be told for this token now? The one way from a token to what was sealed for it.

import type { Call } from '../call.ts'
import { open } from '../crypto/sealed-text.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { claimToken, findToken, type TokenView } from '../storage/tokens.ts'
import { rememberExpiredMs } from './expiry.ts'
import { sealingContext, tokenKey, tokenSealingKey } from './token.ts'

/**
 * The text that was sealed for one of the two endpoints, or undefined when there is none.
 * Refuses with `tokenExpired` for a day after the token's end, and with `tokenInvalid` when it is malformed, unknown,
 * another tenant's, revoked, or, where tokens are accepted once, used up.
 */
export async function exchange(
  token: string,
  view: TokenView,
  { caller: { tenantId } }: Call,
  { clock, database, settings }: Platform,
): Promise<string | undefined> {
  const now = clock.now()
  const key = tokenKey(token, now)
  if (!key) throw new Refusal('tokenInvalid')
  const found = await findToken(database, key, tenantId, view)
  if (!found || found.revokedAt !== null) throw new Refusal('tokenInvalid')
  if (now >= found.expiresAt) {
    throw new Refusal(now < found.expiresAt + rememberExpiredMs ? 'tokenExpired' : 'tokenInvalid')
  }
  if (settings.tokenUses === 'once' && !(await claimToken(database, key, tenantId, view, now))) {
    throw new Refusal('tokenInvalid')
  }
  return found.sealed
    ? open(tokenSealingKey(token), found.sealed, sealingContext(tenantId, view)).toString()
    : undefined
}

// What may this token be exchanged for now? The only way from a token to its sealed content.

import type { Call } from '../call.ts'
import { open } from '../crypto/sealed-text.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { claimToken, findToken, type TokenView } from '../storage/tokens.ts'
import { sealingContext, tokenKey, tokenSealingKey } from './token.ts'
import { rememberExpiredMs } from './token-retention.ts'

/**
 * The JSON text that was sealed for one of the two endpoints, or undefined when there is none.
 * Refuses with `tokenExpired` until a day after expiry, and with `tokenInvalid` when the token is
 * malformed, unknown, revoked, of another tenant, or already used, where TOKEN_USES is `once` on the
 * server that issued it or on a server that accepted it.
 */
export async function exchange(
  token: string,
  view: TokenView,
  { caller: { tenantId } }: Pick<Call, 'caller'>,
  { clock, database, settings }: Platform,
): Promise<string | undefined> {
  const now = clock.now()
  const key = tokenKey(token, now)
  if (!key) throw new Refusal('tokenInvalid')
  const found = await findToken(database, key, tenantId, view)
  if (!found || found.revokedAt !== null || found.usedAt !== null) throw new Refusal('tokenInvalid')
  if (now >= found.expiresAt) {
    throw new Refusal(now < found.expiresAt + rememberExpiredMs ? 'tokenExpired' : 'tokenInvalid')
  }
  const isSingleUse = found.singleUse === 1 || settings.tokenUses === 'once'
  if (isSingleUse && !(await claimToken(database, key, tenantId, view, now))) {
    throw new Refusal('tokenInvalid')
  }
  return found.sealed
    ? open(tokenSealingKey(token), found.sealed, sealingContext(tenantId, view)).toString()
    : undefined
}

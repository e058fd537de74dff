// What may this token be exchanged for now? The only way from a token to its sealed content.

import type { Call } from '../../clients/call.ts'
import type { Core } from '../../core/core.ts'
import { open } from '../../core/crypto/sealed-text.ts'
import { Refusal } from '../../core/errors.ts'
import { findToken, type TokenKey, type TokenView, tokenClaim } from '../store/tokens.ts'
import { splitContent, type TokenBasis } from './basis.ts'
import type { TokensNeeds } from './room.ts'
import { sealingContext, tokenKey, tokenSealingKey } from './token.ts'
import { rememberExpiredMs } from './token-retention.ts'

/** A token that is accepted now. */
export interface AcceptedToken {
  readonly key: TokenKey
  /** This is its only use: write `tokenClaim` before or with what follows from it. */
  readonly isSingleUse: boolean
  /** The JSON text that was sealed for the endpoint; undefined when there is none. */
  readonly text: string | undefined
  /** What the server knows of the sign-in beside the answer. */
  readonly basis: TokenBasis
  /** A decision was made with it. */
  readonly isDecided: boolean
}

/** The text of one of the two endpoints, as `acceptToken` returns it. Records the use of a token that is accepted once. */
export async function exchange(
  token: string,
  view: TokenView,
  { caller: { tenantId } }: Pick<Call, 'caller'>,
  needs: TokensNeeds,
): Promise<Pick<AcceptedToken, 'text' | 'basis'>> {
  const { key, isSingleUse, text, basis } = await acceptToken(token, view, tenantId, needs)
  if (isSingleUse) {
    const { sql, params } = tokenClaim(key, tenantId, view, needs.clock.now())
    if ((await needs.database.query(sql, params)).length === 0) throw new Refusal('tokenInvalid')
  }
  return { text, basis }
}

/**
 * Records nothing. Refuses with `tokenExpired` until a day after expiry, and with `tokenInvalid` when the token is
 * malformed, unknown, revoked, of another tenant, or already used, where TOKEN_USES is `once` on the
 * server that issued it or on a server that accepted it.
 */
export async function acceptToken(
  token: string,
  view: TokenView,
  tenantId: string,
  { clock, database, settings }: Pick<Core, 'clock' | 'database' | 'settings'>,
): Promise<AcceptedToken> {
  const now = clock.now()
  const key = tokenKey(token, now)
  if (!key) throw new Refusal('tokenInvalid')
  const found = await findToken(database, key, tenantId, view)
  if (!found || found.revokedAt !== null || found.usedAt !== null) throw new Refusal('tokenInvalid')
  if (now >= found.expiresAt) {
    throw new Refusal(now < found.expiresAt + rememberExpiredMs ? 'tokenExpired' : 'tokenInvalid')
  }
  const isSingleUse = found.singleUse === 1 || settings.tokenUses === 'once'
  const isDecided = found.decidedAt !== null
  if (!found.sealed) return { key, isSingleUse, isDecided, text: undefined, basis: {} }
  const content = open(tokenSealingKey(token), found.sealed, sealingContext(tenantId, view)).toString()
  return { key, isSingleUse, isDecided, ...splitContent(content) }
}

// Which sign-in does the token of a decision belong to?

import type { Decision, TokenVerification } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import type { RuleInput } from '../rules/vocabulary.ts'
import type { BatchStatement } from '../storage/database.ts'
import { tokenClaim } from '../storage/tokens.ts'
import { acceptToken } from '../tokens/exchange.ts'
import { PartMissing } from './parts.ts'

export type Login = NonNullable<Decision['login']>

/**
 * Accepts the token as validate/token does. Its only use, with TOKEN_USES=once, belongs to the commit of the decision (`claims`), so that
 * a repeated request finds it again. Throws PartMissing when the token is not accepted, has no sign-in, or is of another user than `userId`.
 */
export async function loginOf(
  token: string,
  { userId, claims }: { userId: string | undefined; claims: BatchStatement[] },
  { caller: { tenantId } }: Pick<Call, 'caller'>,
  platform: Platform,
): Promise<Login> {
  let text: string | undefined
  try {
    const accepted = await acceptToken(token, 'login', tenantId, platform)
    if (accepted.isSingleUse) claims.push(tokenClaim(accepted.key, tenantId, 'login', platform.clock.now()))
    text = accepted.text
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new PartMissing<'login'>(error.failure === 'tokenExpired' ? 'expired' : 'unknown')
  }
  if (text === undefined) throw new PartMissing<'login'>('no-sign-in')
  const found: Omit<TokenVerification, 'token'> = JSON.parse(text)
  if (userId !== undefined && found.userId !== userId) throw new PartMissing<'login'>('other-user')
  const { timestamp, identities, network } = found
  return { userId: found.userId, timestamp, identities, ...(network && { network }) }
}

/** What rules read about it. `digits`: the phone number of the decision. */
export function loginInput(
  { userId, timestamp, identities, network }: Login,
  digits: string | undefined,
  now: number,
): NonNullable<RuleInput['login']> {
  const [first] = identities
  const country = network?.ipLocation.country?.code
  const numbers = identities.filter(({ identityType }) => identityType === 'MOBILE')
  return {
    userId,
    ageSeconds: Math.max(0, now - Date.parse(timestamp)) / 1000,
    verified: identities.every(({ verified }) => verified),
    ...(first && { identityType: first.identityType, channel: first.channel }),
    ...(first?.methods[0] !== undefined && { method: first.methods[0] }),
    ...(digits !== undefined &&
      numbers.length > 0 && { ofPhoneNumber: numbers.some(({ identityValue }) => identityValue === digits) }),
    ...(network && { ip: network.ip }),
    ...(country !== undefined && { country }),
  }
}

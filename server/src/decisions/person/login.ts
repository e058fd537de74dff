// Which sign-in does the token of a decision belong to?

import type { Decision, TokenVerification } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import type { RuleInput } from '../../rules/vocabulary.ts'
import { tokenClaim } from '../../sign-in/store/tokens.ts'
import { type AcceptedToken, acceptToken } from '../../sign-in/tokens/exchange.ts'
import { PartMissing, type Parts } from '../parts.ts'
import type { CheckedRequest } from '../request.ts'
import type { DecisionsNeeds } from '../room.ts'
import { type PendingLink, personOfSignIn } from './person.ts'

export type Login = NonNullable<Decision['login']>

export interface FoundLogin {
  /** Absent: whoever signed in is not linked to the user, and nothing in the decision may link them. */
  readonly login?: Login
  /** Minted for whoever signed in. Absent: a backend issued the token. */
  readonly personId: string | undefined
  /** What may link whoever signed in to the user. */
  readonly link?: PendingLink
  /**
   * Record the use of a token that is accepted once. They belong to the commit of the decision, so that a repeated request finds it again;
   * a decision that goes on without the sign-in has none.
   */
  readonly claims: readonly BatchStatement[]
}

/** The sign-in of the token; undefined when it is missing, with the reason in `parts`. */
export async function findLogin(
  token: string,
  request: CheckedRequest,
  parts: Parts,
  call: Pick<Call, 'caller'>,
  needs: DecisionsNeeds,
): Promise<FoundLogin | undefined> {
  const found = await parts.find('login', () => loginOf(token, request, call, needs), 'deadline', 'failed')
  if (found && !found.login) parts.missing.push({ what: 'login', why: 'not-linked' })
  return found
}

/**
 * Accepts the token as validate/token does, and records nothing.
 * Throws PartMissing when the token is not accepted, has no sign-in, or is of another user than `userId`.
 */
async function loginOf(
  token: string,
  request: CheckedRequest,
  { caller: { tenantId } }: Pick<Call, 'caller'>,
  needs: DecisionsNeeds,
): Promise<FoundLogin> {
  const { key, isSingleUse, text, basis } = await accepted(token, tenantId, needs)
  if (text === undefined) throw new PartMissing<'login'>('no-sign-in')
  const found: Omit<TokenVerification, 'token'> = JSON.parse(text)
  const { personId } = basis
  const person = await personOfSignIn(found, basis, request, { tenantId, needs })
  if ('why' in person) {
    if (person.why === 'other-user') throw new PartMissing<'login'>('other-user')
    return { personId, link: person.link, claims: [] }
  }
  const { userId, link } = person
  const { timestamp, identities, network } = found
  return {
    login: { userId, timestamp, identities, ...(network && { network }) },
    personId,
    ...(link && { link }),
    claims: isSingleUse ? [tokenClaim(key, tenantId, 'login', needs.clock.now())] : [],
  }
}

async function accepted(token: string, tenantId: string, needs: DecisionsNeeds): Promise<AcceptedToken> {
  try {
    return await acceptToken(token, 'login', tenantId, needs)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new PartMissing<'login'>(error.failure === 'tokenExpired' ? 'expired' : 'unknown')
  }
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

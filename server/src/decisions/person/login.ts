// Which sign-in does the token of a decision belong to?

import type { Decision, TokenVerification } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import { tokenClaim, tokenDecides } from '../../sign-in/store/tokens.ts'
import type { TokenBasis } from '../../sign-in/tokens/basis.ts'
import { type AcceptedToken, acceptToken } from '../../sign-in/tokens/exchange.ts'
import { type SignInDevice, signInDeviceOf } from '../joined/sign-in-device.ts'
import type { FoundDevice } from '../parts/device.ts'
import { PartMissing, type Parts } from '../parts/parts.ts'
import type { CheckedRequest } from '../request.ts'
import type { DecisionsNeeds } from '../room.ts'
import { type PendingLink, personOfSignIn } from './person.ts'

export type Login = NonNullable<Decision['login']>

type WhyNoLogin = PartMissing<'login'>['why']

/** A sign-in that counts for the decision, or why it does not. */
type OwnLogin = Pick<FoundLogin, 'login' | 'link' | 'claims'> & { readonly why?: WhyNoLogin }

export interface FoundLogin {
  /** Absent when the sign-in does not count for the decision. */
  readonly login?: Login
  /** What may link whoever signed in to the user. */
  readonly link?: PendingLink
  /**
   * Record the use of the token. They belong to the commit of the decision, so that a repeated request finds it again; a decision that goes
   * on without the sign-in has none.
   */
  readonly claims: readonly BatchStatement[]
  readonly basis: TokenBasis
  /** Another decision was made with the token. */
  readonly isDecided: boolean
  /** The device of the sign-in, whether or not the sign-in counts. */
  readonly signedInOn: SignInDevice | undefined
}

/** Undefined when the token is not accepted. `parts` has the reason then, and where the sign-in does not count. */
export async function findLogin(
  token: string,
  { request, given }: { request: CheckedRequest; given: Promise<FoundDevice | undefined> | undefined },
  parts: Parts,
  { caller: { tenantId } }: Pick<Call, 'caller'>,
  needs: DecisionsNeeds,
): Promise<FoundLogin | undefined> {
  const look = async () => {
    const accepted = await acceptedToken(token, tenantId, needs)
    const [own, signedInOn] = await Promise.all([
      loginOf(accepted, request, tenantId, needs),
      signInDeviceOf(accepted.basis, { dfrId: request.dfrId, device: given }, tenantId, needs),
    ])
    return { ...accepted, own, signedInOn }
  }
  const found = await parts.find('login', look, 'deadline', 'failed')
  if (!found) return undefined
  const { own, basis, isDecided, signedInOn } = found
  if (own.why) parts.missing.push({ what: 'login', why: own.why })
  return { ...own, basis, isDecided, signedInOn }
}

/** Accepts the token as validate/token does, and records nothing. */
async function loginOf(
  { key, isSingleUse, isDecided, text, basis }: AcceptedToken,
  request: CheckedRequest,
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<OwnLogin> {
  if (text === undefined) return { why: 'no-sign-in', claims: [] }
  const found: Omit<TokenVerification, 'token'> = JSON.parse(text)
  const person = await personOfSignIn(found, basis, request, { tenantId, needs })
  const why = 'why' in person ? person.why : undefined
  if (why === 'other-user') return { why, claims: [] }
  if (isDecided && needs.settings.decisionTokenUses === 'once') return { why: 'unknown', claims: [] }
  if ('why' in person) return { why: person.why, ...('link' in person && { link: person.link }), claims: [] }
  const { userId, link } = person
  const { timestamp, identities, network } = found
  const at = needs.clock.now()
  const used = isSingleUse ? [tokenClaim(key, tenantId, 'login', at)] : []
  return {
    login: { userId, timestamp, identities, ...(network && { network }) },
    ...(link && { link }),
    claims: isDecided ? used : [tokenDecides(key, tenantId, { isSingleUse, at })],
  }
}

async function acceptedToken(token: string, tenantId: string, needs: DecisionsNeeds): Promise<AcceptedToken> {
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
  { digits, otherDevice }: { digits: string | undefined; otherDevice: boolean | undefined },
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
    ...(otherDevice !== undefined && { otherDevice }),
    ...(network && { ip: network.ip }),
    ...(country !== undefined && { country }),
  }
}

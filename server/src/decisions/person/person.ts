// Is the sign-in of a token that of the user that the backend names, and what may link them?

import type { Identity } from '@ringfence/contract'
import { effectiveUserId, effectiveUserIdOf, type NewLink, personOf, personsOf } from '../../accounts/person.ts'
import { findKnowledge } from '../../device/store/account-knowledge.ts'
import { readEmailAddress } from '../../email/email-address.ts'
import { accountHashOf } from '../../events/subject-hashes.ts'
import { isContactOf, isImported } from '../../sign-in/customers/customers.ts'
import type { TokenBasis } from '../../sign-in/tokens/basis.ts'
import type { CheckedRequest } from '../request.ts'
import type { DecisionsNeeds } from '../room.ts'

/**
 * Why a decision itself may link a sign-in to the backend's user. `new`: the user signs up, and nobody has this id. `named`: the person
 * proved a number or an email address that the backend gave or imported for this user.
 */
export type LinkedBy = 'new' | 'named'

export interface PendingLink extends NewLink {
  /** Absent: only a challenge passed with an identity that is known of the user links. */
  readonly by?: LinkedBy
}

/** Whose sign-in it is. */
export type SignedInPerson =
  /** `userId`: under which habits, devices and events of the person are found. */
  | { readonly userId: string; readonly link?: PendingLink & { readonly by: LinkedBy } }
  | { readonly why: 'other-user' }
  | { readonly why: 'not-linked'; readonly link: PendingLink }

type Named = Pick<CheckedRequest, 'action' | 'userId' | 'digits' | 'email'>

/**
 * `signedIn`: the user id and identities of the token. A link by the first decision alone would be a take-over: a thief who knows the
 * password signs in with a number of his own.
 */
export async function personOfSignIn(
  signedIn: { readonly userId: string; readonly identities: readonly Identity[] },
  { personId }: TokenBasis,
  named: Named,
  { tenantId, needs }: { readonly tenantId: string; readonly needs: DecisionsNeeds },
): Promise<SignedInPerson> {
  const { userId } = named
  // Read now: a link may be newer than the token, and one that was ended must not count.
  const person = personId === undefined ? undefined : await personOf(tenantId, personId, needs)
  if (!person) {
    const issuedFor = await effectiveUserIdOf(tenantId, signedIn.userId, needs)
    return userId === undefined || userId === issuedFor ? { userId: issuedFor } : { why: 'other-user' }
  }
  const effective = effectiveUserId(person)
  if (userId === undefined || userId === effective || userId === person.personId) return { userId: effective }
  if (person.customerId !== undefined) return { why: 'other-user' }
  const link = { tenantId, personId: person.personId, customerId: userId }
  const by = await linkableBy(signedIn.identities, { ...named, userId }, tenantId, needs)
  return by ? { userId, link: { ...link, by } } : { why: 'not-linked', link }
}

async function linkableBy(
  identities: readonly Identity[],
  named: Named & { readonly userId: string },
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<LinkedBy | undefined> {
  const { action, userId } = named
  const proved = identities.filter(({ verified }) => verified)
  if (proved.some((identity) => isNamed(identity, named))) return 'named'
  for (const identity of proved) if (await isContactOf(tenantId, userId, identity, needs)) return 'named'
  return action === 'SIGNUP' && (await isNewId(tenantId, userId, needs)) ? 'new' : undefined
}

/** Nobody who signed in has the id, it was not imported, and no session of it was ever proven. */
async function isNewId(tenantId: string, userId: string, needs: DecisionsNeeds): Promise<boolean> {
  if ((await personsOf(tenantId, userId, needs)).length > 0) return false
  if (await isImported(tenantId, userId, needs)) return false
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  return (await findKnowledge(needs.database, accountHashOf(userId, keys))) === undefined
}

/** Whether it is the number or the email address that the backend gave. */
export const isNamed = (
  { identityType, identityValue }: Pick<Identity, 'identityType' | 'identityValue'>,
  { digits, email }: Pick<CheckedRequest, 'digits' | 'email'>,
): boolean =>
  identityType === 'MOBILE'
    ? identityValue === digits
    : identityType === 'EMAIL' && email !== undefined && readEmailAddress(identityValue).address === email

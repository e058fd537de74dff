// With which identities can the person of a decision pass a challenge? Those that are known of the person, but for the one in doubt.

import type { Consent, Identity } from '@ringfence/contract'
import { contactsOf, isContactOf } from '../../sign-in/customers/customers.ts'
import { identitiesOf, type PersonIdentity } from '../../sign-in/persons/identities.ts'
import { codesReach, storedOfNumber } from '../parts/phone.ts'
import type { Login } from '../person/login.ts'
import type { PendingLink } from '../person/person.ts'
import type { DecisionsNeeds } from '../room.ts'

/** Time to receive and enter a code, and to try again. */
export const challengeMs = 600_000

/** The person is not there when a reviewer asks. */
export const askedChallengeMs = 24 * 3_600_000

/** Whoever took over a session must not add a way of their own and pass with it at once. */
const newIdentityMs = 24 * 3_600_000

export interface Challenged {
  readonly tenantId: string
  readonly userId: string | undefined
  readonly phoneNumber: string | undefined
  readonly email: string | undefined
  readonly login: Login | undefined
  readonly link: PendingLink | undefined
  /** A code to the phone number may reach somebody else. */
  readonly isNumberInDoubt: boolean
  /** For which stored answers about other numbers are read. */
  readonly consent: Consent | undefined
}

const answering = ['MOBILE', 'EMAIL'] as const

/** Empty: nobody could pass. */
export async function identityTypesFor(challenged: Challenged, needs: DecisionsNeeds): Promise<string[]> {
  const known = await identitiesThatCount(challenged, needs)
  const found: string[] = []
  for (const wanted of answering) {
    for (const [type, value] of known) {
      if (type !== wanted || (type === 'MOBILE' && (await isDiverted(value, challenged, needs)))) continue
      found.push(wanted)
      break
    }
  }
  return found
}

/** As far as is known: of another number than that of the decision, an operator is asked when somebody passes with it. */
async function isDiverted(
  number: string,
  { tenantId, phoneNumber, isNumberInDoubt, consent }: Challenged,
  needs: DecisionsNeeds,
): Promise<boolean> {
  if (number === phoneNumber) return isNumberInDoubt
  const stored = await storedOfNumber(number, { tenantId, consent }, needs)
  return codesReach(stored, stored, undefined) === 'diverted'
}

type Known = readonly [type: Identity['identityType'], value: string]

async function identitiesThatCount(
  { tenantId, userId, phoneNumber, email, login, link }: Challenged,
  needs: DecisionsNeeds,
): Promise<Known[]> {
  const named: Known[] = [
    ...(phoneNumber === undefined ? [] : [['MOBILE', phoneNumber] as const]),
    ...(email === undefined ? [] : [['EMAIL', email] as const]),
  ]
  // Of whoever proved only a named number nothing else is known to be the user's: the SIM may have been swapped.
  const isUser = link === undefined || link.by === 'new'
  const signedIn = (isUser ? (login?.identities ?? []) : [])
    .filter(({ verified }) => verified)
    .map(({ identityType, identityValue }): Known => [identityType, identityValue])
  const persons = [...(userId === undefined ? [] : [userId]), ...(link && isUser ? [link.personId] : [])]
  const [imported, ...stored] = await Promise.all([
    userId === undefined ? [] : importedFor(userId, phoneNumber, tenantId, needs),
    ...persons.map((id) => identitiesOf(tenantId, id, needs)),
  ])
  const now = needs.clock.now()
  const added = stored.flat().filter((identity) => isNew(identity, now))
  return [...named, ...signedIn, ...imported, ...stored.flat().map(({ type, value }): Known => [type, value])].filter(
    ([type, value]) => !added.some((each) => each.type === type && each.value === value),
  )
}

/** Only hashes of imported contacts are stored: the number of the decision is known by its own. */
async function importedFor(
  userId: string,
  phoneNumber: string | undefined,
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<Known[]> {
  const contacts = await contactsOf(tenantId, userId, needs)
  const asked = phoneNumber === undefined ? undefined : { identityType: 'MOBILE' as const, identityValue: phoneNumber }
  const isAsked = asked !== undefined && (await isContactOf(tenantId, userId, asked, needs))
  const numbers = contacts.filter((kind) => kind === 'MOBILE').length - (isAsked ? 1 : 0)
  return [
    ...(numbers > 0 ? [['MOBILE', 'imported'] as const] : []),
    ...(contacts.includes('EMAIL') ? [['EMAIL', 'imported'] as const] : []),
  ]
}

const isNew = ({ addedAt }: PersonIdentity, now: number) => addedAt !== undefined && now < addedAt + newIdentityMs

/** Identities that the person added too short a time ago to pass a challenge with them. */
export async function addedLately(tenantId: string, userId: string, needs: DecisionsNeeds): Promise<PersonIdentity[]> {
  const now = needs.clock.now()
  return (await identitiesOf(tenantId, userId, needs)).filter((identity) => isNew(identity, now))
}

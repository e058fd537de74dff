// What is stored of a person? Name, email address, password hash and the secret of the authenticator app, sealed.

import type { Keyring } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { inUnicode, readEmailAddress } from '../../email/email-address.ts'
import { findMember } from '../store/members.ts'
import { findPeopleByEmail, findPerson, lockPerson, type PersonRow } from '../store/people.ts'
import type { PasswordHash } from './password.ts'

export interface Person {
  readonly name: string
  readonly email: string
  /** Absent after a reset, until the person has chosen a new one. */
  readonly password?: PasswordHash
  /** base64 */
  readonly totpSecret?: string
  /** Whoever signs in with the identity provider of a tenant has neither. */
  readonly sso?: { readonly tenantId: string; readonly issuer: string; readonly subject: string }
}

export const personContext = (id: string): string => `person ${id}`

export const sealPerson = (id: string, person: Person, { service }: Pick<Keyring, 'service'>): Uint8Array =>
  service.seal(JSON.stringify(person), personContext(id))

export const openPerson = ({ id, sealed }: PersonRow, { service }: Pick<Keyring, 'service'>): Person =>
  JSON.parse(service.open(sealed, personContext(id)))

/** Two writings of an address are one person. */
export const emailHash = (email: string, keyring: Pick<Keyring, 'hashSecret'>): Uint8Array =>
  keyring.hashSecret(`person ${comparedEmail(email)}`)

/** The email address of a new account. Refuses with `fieldInvalid`. */
export function newEmail(text: string): string {
  const { address, mistake } = readEmailAddress(text)
  if (mistake !== undefined) throw new Refusal('fieldInvalid', { mistake: `email ${mistake}` })
  return address
}

/** An account of an older version may have a text such as `maya@intranet`, which no reader takes for an address. */
const comparedEmail = (email: string) =>
  readEmailAddress(email).address ?? email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Who has this email address in any tenant, also if an older version stored it under a hash of its Unicode form. */
export async function peopleWithEmail(
  database: Queryable,
  email: string,
  keyring: Pick<Keyring, 'hashSecret' | 'service'>,
): Promise<PersonRow[]> {
  const found = await findPeopleByEmail(database, emailHash(email, keyring))
  const folded = inUnicode(comparedEmail(email)).normalize('NFKC').toLowerCase()
  if (folded === comparedEmail(email)) return found
  const older = await findPeopleByEmail(database, keyring.hashSecret(`person ${folded}`))
  // That form has addresses of several people alike.
  return [...found, ...older.filter((row) => comparedEmail(openPerson(row, keyring).email) === comparedEmail(email))]
}

/** Who has this email address and a role in the tenant. */
export async function personOfTenant(
  database: Queryable,
  tenantId: string,
  email: string,
  keyring: Pick<Keyring, 'hashSecret' | 'service'>,
): Promise<PersonRow | undefined> {
  for (const person of await peopleWithEmail(database, email, keyring))
    if (await findMember(database, tenantId, person.id)) return person
  return undefined
}

/**
 * In the transaction of what somebody proved who they are for: checking a password takes a while, and a reset or a new password meanwhile
 * must win. Others that change the person wait. Refuses with `consoleSignInFailed`. @returns the person as it is now
 */
export async function refuseChangedFactors(
  tx: Queryable,
  proved: PersonRow,
  keyring: Pick<Keyring, 'service'>,
): Promise<PersonRow> {
  const now = (await lockPerson(tx, proved.id)) ? await findPerson(tx, proved.id) : undefined
  if (now && factorsOf(now, keyring) === factorsOf(proved, keyring)) return now
  throw new Refusal('consoleSignInFailed')
}

function factorsOf(row: PersonRow, keyring: Pick<Keyring, 'service'>): string {
  const { password, totpSecret, sso } = openPerson(row, keyring)
  return JSON.stringify([password, totpSecret, sso])
}

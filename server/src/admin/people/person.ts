// What is stored of a person? Name, email address, password hash and the secret of the authenticator app, sealed.

import type { Keyring } from '../../crypto/keyring.ts'
import type { PersonRow } from '../../storage/admin/people.ts'
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

/** Two spellings of an address in capitals are one person. */
export const emailHash = (email: string, keyring: Pick<Keyring, 'hashSecret'>): Uint8Array =>
  keyring.hashSecret(`person ${email.trim().normalize('NFKC').toLowerCase()}`)

// Under which hashes are imported customers and their contacts stored? Short ones: there are tens of millions.

import { customerHashOf } from '../../accounts/person.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { isUuid, uuidBytes, uuidText } from '../../core/storage/uuid.ts'
import { hashOfIdentity, type IdentityName } from '../identity-hash.ts'

/** 95 bits and the kind: that two of 100 million contacts have the same is as good as impossible. */
export const contactBytes = 12
/** Tells apart the few customers who have the same contact. */
export const ownerBytes = 6

/** The beginning of the hash by which users are linked to the customer. */
export const shortCustomerHashOf = (keys: Pick<TenantKeys, 'hash'>, customerId: string): Uint8Array =>
  customerHashOf(customerId, keys).subarray(0, contactBytes)

/** Its last bit says the kind, so that a challenge names what the customer has. */
export const contactHashOf = (keys: Pick<TenantKeys, 'hash'>, identity: IdentityName): Uint8Array =>
  contactHashIn(hashOfIdentity(keys, identity), identity.identityType === 'EMAIL' ? 'EMAIL' : 'MOBILE')

export type ContactKind = 'MOBILE' | 'EMAIL'

/** `identityHash`: in full, as `hashOfIdentity` makes it. */
function contactHashIn(identityHash: Uint8Array, kind: ContactKind): Uint8Array {
  const hash = Uint8Array.from(identityHash.subarray(0, contactBytes))
  const last = hash[contactBytes - 1]! & 0xfe
  hash[contactBytes - 1] = kind === 'EMAIL' ? last | 1 : last
  return hash
}

/** Where nothing says what an identity is. */
export const contactHashesIn = (identityHash: Uint8Array): Uint8Array[] => [
  contactHashIn(identityHash, 'MOBILE'),
  contactHashIn(identityHash, 'EMAIL'),
]

export const kindOfContact = (contactHash: Uint8Array): ContactKind =>
  (contactHash[contactBytes - 1]! & 1) === 1 ? 'EMAIL' : 'MOBILE'

export const ownerHashOf = (customerHash: Uint8Array): Uint8Array => customerHash.subarray(0, ownerBytes)

export const contextOfContact = (contactHash: Uint8Array, ownerHash: Uint8Array): string =>
  `customer_contact ${latin1(contactHash)}${latin1(ownerHash)}`

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** No id begins with it: ids have no control characters. */
const uuidMark = 0

/** A UUID takes 17 bytes instead of 36. */
export const idBytes = (customerId: string): Uint8Array =>
  isUuid(customerId) ? Buffer.concat([Buffer.of(uuidMark), uuidBytes(customerId)]) : Buffer.from(customerId)

export function idOfBytes(bytes: Uint8Array): string {
  return bytes[0] === uuidMark ? uuidText(bytes.subarray(1)) : Buffer.from(bytes).toString()
}

/** The hashes in `contacts` of a customer. */
export function contactsIn(contacts: Uint8Array): Uint8Array[] {
  const count = contacts.length / contactBytes
  return Array.from({ length: count }, (_, i) => contacts.subarray(i * contactBytes, (i + 1) * contactBytes))
}

/** In the order of their hashes, each once. */
export function unionOf(some: Uint8Array, others: Uint8Array): Uint8Array {
  return Buffer.concat([...contactsIn(some), ...contactsIn(withoutContacts(others, some))].toSorted(Buffer.compare))
}

export function withoutContacts(contacts: Uint8Array, gone: Uint8Array): Uint8Array {
  const known = new Set(contactsIn(gone).map(hexOf))
  return Buffer.concat(contactsIn(contacts).filter((hash) => !known.has(hexOf(hash))))
}

export const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')

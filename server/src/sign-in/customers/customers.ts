// Which customer did a tenant import with this phone number or email address? One read for each.

import type { Core } from '../../core/core.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import type { IdentityName } from '../identity-hash.ts'
import { contactsOfCustomer, ownersOfContact } from '../store/customers.ts'
import {
  type ContactKind,
  contactHashOf,
  contactsIn,
  contextOfContact,
  idOfBytes,
  kindOfContact,
  ownerHashOf,
  shortCustomerHashOf,
} from './customer-hashes.ts'

type Resources = { readonly database: Queryable; readonly tenantKeyring: Core['tenantKeyring'] }

/**
 * The customer's id, when the identities were imported for one customer and no other. Identities that were not imported say nothing; one
 * that several customers have says that nobody knows.
 */
export async function customerWith(
  tenantId: string,
  identities: readonly IdentityName[],
  { database, tenantKeyring }: Resources,
): Promise<string | undefined> {
  return customerIn(database, { tenantId, identities }, await tenantKeyring.keysOf(tenantId))
}

/** As `customerWith`, in a transaction. */
export async function customerIn(
  tx: Queryable,
  { tenantId, identities }: { readonly tenantId: string; readonly identities: readonly IdentityName[] },
  keys: TenantKeys,
): Promise<string | undefined> {
  let found: string | undefined
  for (const identity of identities.filter(isContact)) {
    const contactHash = contactHashOf(keys, identity)
    const [owner, another] = await ownersOfContact(tx, tenantId, contactHash)
    if (!owner) continue
    if (another) return undefined
    const { ownerHash, sealed } = owner
    const customerId = idOfBytes(keys.openBytes(sealed, contextOfContact(contactHash, ownerHash)))
    if (found !== undefined && found !== customerId) return undefined
    found = customerId
  }
  return found
}

/** Whether the identity was imported for this customer, and for no other. */
export async function isContactOf(
  tenantId: string,
  customerId: string,
  identity: IdentityName,
  { database, tenantKeyring }: Resources,
): Promise<boolean> {
  if (!isContact(identity)) return false
  const keys = await tenantKeyring.keysOf(tenantId)
  const [owner, another] = await ownersOfContact(database, tenantId, contactHashOf(keys, identity))
  return (
    !!owner && !another && Buffer.compare(owner.ownerHash, ownerHashOf(shortCustomerHashOf(keys, customerId))) === 0
  )
}

/** Whether the tenant imported a customer with this id. */
export async function isImported(
  tenantId: string,
  customerId: string,
  { database, tenantKeyring }: Resources,
): Promise<boolean> {
  const keys = await tenantKeyring.keysOf(tenantId)
  return (await contactsOfCustomer(database, tenantId, shortCustomerHashOf(keys, customerId))) !== undefined
}

/** What the imported contacts of a customer are, one for each; without those that other customers have too. */
export async function contactsOf(
  tenantId: string,
  customerId: string,
  { database, tenantKeyring }: Resources,
): Promise<ContactKind[]> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const contacts = await contactsOfCustomer(database, tenantId, shortCustomerHashOf(keys, customerId))
  const own: ContactKind[] = []
  for (const hash of contactsIn(contacts ?? new Uint8Array(0))) {
    if ((await ownersOfContact(database, tenantId, hash)).length === 1) own.push(kindOfContact(hash))
  }
  return own
}

const isContact = ({ identityType }: IdentityName) => identityType === 'MOBILE' || identityType === 'EMAIL'

// What did an import store about a person, and how is it deleted?

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Database, Queryable } from '../../core/storage/database.ts'
import { stopImport } from '../store/customer-imports.ts'
import { contactsOfCustomer, deleteContact, everyOwnerOfContact, replaceContacts } from '../store/customers.ts'
import {
  contactBytes,
  contactHashesIn,
  contactsIn,
  contextOfContact,
  idOfBytes,
  ownerHashOf,
  shortCustomerHashOf,
  withoutContacts,
} from './customer-hashes.ts'

export interface ImportedPerson {
  readonly tenantId: string
  /** Ids under which the tenant may know the person. */
  readonly customerIds: readonly string[]
  /** Hashes of identities, in full. */
  readonly identityHashes: readonly Uint8Array[]
}

export interface ImportedCustomer {
  readonly customerId: string
  /** How many numbers and email addresses were imported: only their hashes are stored. */
  readonly contacts: number
}

/** The customers with these ids, and those with these contacts. */
export async function importedCustomers(
  database: Queryable,
  { tenantId, customerIds, identityHashes }: ImportedPerson,
  keys: TenantKeys,
): Promise<ImportedCustomer[]> {
  const ids = new Set(customerIds)
  for (const contactHash of identityHashes.flatMap(contactHashesIn)) {
    for (const { ownerHash, sealed } of await everyOwnerOfContact(database, tenantId, contactHash))
      ids.add(idOfBytes(keys.openBytes(sealed, contextOfContact(contactHash, ownerHash))))
  }
  const found: ImportedCustomer[] = []
  for (const customerId of ids) {
    const contacts = await contactsOfCustomer(database, tenantId, shortCustomerHashOf(keys, customerId))
    if (contacts) found.push({ customerId, contacts: contacts.length / contactBytes })
  }
  return found
}

/** How many rows of an import are deleted. */
export interface ForgottenRows {
  readonly customers: number
  readonly contacts: number
}

/** Deletes the customers with these ids, and the contacts with these hashes. A customer without another contact goes with its last one. */
export async function forgetImported(
  database: Database,
  person: ImportedPerson,
  keys: TenantKeys,
): Promise<ForgottenRows> {
  // A single statement waits for the slice that an import writes; a whole transaction would conflict with each of them.
  if ((await importedCustomers(database, person, keys)).length > 0) await stopImport(database, person.tenantId)
  return database.transaction((tx) => deleteImported(tx, person, keys))
}

async function deleteImported(
  tx: Queryable,
  { tenantId, customerIds, identityHashes }: ImportedPerson,
  keys: TenantKeys,
): Promise<ForgottenRows> {
  const counts = { customers: 0, contacts: 0 }
  for (const customerHash of customerIds.map((id) => shortCustomerHashOf(keys, id))) {
    const contacts = await contactsOfCustomer(tx, tenantId, customerHash)
    if (!contacts) continue
    for (const contactHash of contactsIn(contacts))
      counts.contacts += await deleteContact(tx, tenantId, { contactHash, ownerHash: ownerHashOf(customerHash) })
    await replaceContacts(tx, tenantId, { customerHash, contacts: new Uint8Array(0) })
    counts.customers++
  }
  for (const contactHash of identityHashes.flatMap(contactHashesIn)) {
    for (const { ownerHash, sealed } of await everyOwnerOfContact(tx, tenantId, contactHash)) {
      counts.contacts += await deleteContact(tx, tenantId, { contactHash, ownerHash })
      const customerId = idOfBytes(keys.openBytes(sealed, contextOfContact(contactHash, ownerHash)))
      const customerHash = shortCustomerHashOf(keys, customerId)
      const contacts = await contactsOfCustomer(tx, tenantId, customerHash)
      const others = withoutContacts(contacts ?? new Uint8Array(0), contactHash)
      await replaceContacts(tx, tenantId, { customerHash, contacts: others })
      if (others.length === 0) counts.customers++
    }
  }
  if (counts.customers + counts.contacts > 0) await stopImport(tx, tenantId)
  return counts
}

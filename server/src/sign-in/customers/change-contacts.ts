// What does a backend's word change about what was imported? An unlinked identity finds its customer no longer, and a merged customer's contacts move.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Queryable } from '../../core/storage/database.ts'
import { addContacts, putCustomers } from '../store/customer-rows.ts'
import { contactsOfCustomer, deleteContact, replaceContacts } from '../store/customers.ts'
import {
  contactHashesIn,
  contactsIn,
  contextOfContact,
  idBytes,
  ownerHashOf,
  shortCustomerHashOf,
  unionOf,
  withoutContacts,
} from './customer-hashes.ts'

/** Otherwise the next sign-in with it would link it again. @param identityHashes in full */
export async function dropContacts(
  tx: Queryable,
  {
    tenantId,
    customerId,
    identityHashes,
  }: { tenantId: string; customerId: string; identityHashes: readonly Uint8Array[] },
  keys: TenantKeys,
): Promise<void> {
  const customerHash = shortCustomerHashOf(keys, customerId)
  const contacts = await contactsOfCustomer(tx, tenantId, customerHash)
  if (!contacts) return
  const gone = identityHashes.flatMap(contactHashesIn)
  for (const contactHash of gone)
    await deleteContact(tx, tenantId, { contactHash, ownerHash: ownerHashOf(customerHash) })
  const left = withoutContacts(contacts, Buffer.concat(gone))
  if (left.length < contacts.length) await replaceContacts(tx, tenantId, { customerHash, contacts: left })
}

export async function moveContactsIn(
  tx: Queryable,
  { tenantId, from, to }: { tenantId: string; from: string; to: string },
  keys: TenantKeys,
): Promise<void> {
  const [fromHash, toHash] = [shortCustomerHashOf(keys, from), shortCustomerHashOf(keys, to)]
  const contacts = await contactsOfCustomer(tx, tenantId, fromHash)
  if (!contacts) return
  const ownerHash = ownerHashOf(toHash)
  for (const contactHash of contactsIn(contacts)) {
    if ((await deleteContact(tx, tenantId, { contactHash, ownerHash: ownerHashOf(fromHash) })) === 0) continue
    const sealed = keys.seal(idBytes(to), contextOfContact(contactHash, ownerHash))
    await addContacts(tx, tenantId, [{ contactHash, ownerHash, sealed }])
  }
  const had = (await contactsOfCustomer(tx, tenantId, toHash)) ?? new Uint8Array(0)
  await putCustomers(tx, tenantId, [{ customerHash: toHash, contacts: unionOf(had, contacts) }])
  await replaceContacts(tx, tenantId, { customerHash: fromHash, contacts: new Uint8Array(0) })
}

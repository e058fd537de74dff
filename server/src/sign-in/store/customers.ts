// Which customers did a tenant import, and with which contacts? Statements for one of them; an import has its own.

import type { Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { countRows } from '../../core/storage/statement.ts'

export interface OwnerOfContact {
  readonly ownerHash: Uint8Array
  /** The customer's id. */
  readonly sealed: Uint8Array
}

/** At most two: more than one customer has it. */
export const ownersOfContact = (
  database: Queryable,
  tenantId: string,
  contactHash: Uint8Array,
): Promise<OwnerOfContact[]> =>
  database.query(
    `select owner_hash as "ownerHash", sealed from customer_contact where tenant_hash = $1 and contact_hash = $2
      order by owner_hash limit 2`,
    [tenantHash(tenantId), contactHash],
  )

export const everyOwnerOfContact = (
  database: Queryable,
  tenantId: string,
  contactHash: Uint8Array,
): Promise<OwnerOfContact[]> =>
  database.query(
    'select owner_hash as "ownerHash", sealed from customer_contact where tenant_hash = $1 and contact_hash = $2',
    [tenantHash(tenantId), contactHash],
  )

/** @returns how many rows */
export const deleteContact = (
  tx: Queryable,
  tenantId: string,
  { contactHash, ownerHash }: { contactHash: Uint8Array; ownerHash: Uint8Array },
): Promise<number> =>
  countRows(
    tx,
    `delete from customer_contact where tenant_hash = $1 and contact_hash = $2 and owner_hash = $3
      returning owner_hash`,
    [tenantHash(tenantId), contactHash, ownerHash],
  )

export async function contactsOfCustomer(
  database: Queryable,
  tenantId: string,
  customerHash: Uint8Array,
): Promise<Uint8Array | undefined> {
  const [customer] = await database.query<{ contacts: Uint8Array }>(
    'select contacts from customer where tenant_hash = $1 and customer_hash = $2',
    [tenantHash(tenantId), customerHash],
  )
  return customer?.contacts
}

/** A customer without contacts has no row. */
export async function replaceContacts(
  tx: Queryable,
  tenantId: string,
  { customerHash, contacts }: { customerHash: Uint8Array; contacts: Uint8Array },
): Promise<void> {
  const key = [tenantHash(tenantId), customerHash]
  if (contacts.length === 0) await tx.query('delete from customer where tenant_hash = $1 and customer_hash = $2', key)
  else
    await tx.query('update customer set contacts = $3 where tenant_hash = $1 and customer_hash = $2', [
      ...key,
      contacts,
    ])
}

// How does an import of customers read and write many rows? In statements of few sizes, in the order of their keys.

import type { Queryable } from '../../core/storage/database.ts'
import { inSizes } from '../../core/storage/in-sizes.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'

export interface CustomerRow {
  readonly customerHash: Uint8Array
  readonly contacts: Uint8Array
}

export interface ContactRow {
  readonly contactHash: Uint8Array
  readonly ownerHash: Uint8Array
  readonly sealed: Uint8Array
}

const sizes = [256, 32, 4, 1] as const
const texts = (text: (size: number) => string) => new Map<number, string>(sizes.map((size) => [size, text(size)]))

/** `($1, $2, $3), ($1, $4, $5)`: the tenant is the first column of each row. */
const rowsOf = (columns: number) => (size: number) =>
  Array.from(
    { length: size },
    (_, row) => `($1, ${Array.from({ length: columns }, (__, i) => `$${2 + row * columns + i}`).join(', ')})`,
  ).join(', ')

const hashesOf = (size: number) => Array.from({ length: size }, (_, i) => `$${i + 2}`).join(', ')

export async function hasCustomers(database: Queryable, tenantId: string): Promise<boolean> {
  const rows = await database.query('select 1 as one from customer where tenant_hash = $1 limit 1', [
    tenantHash(tenantId),
  ])
  return rows.length > 0
}

const findTexts = texts(
  (size) =>
    `select customer_hash as "customerHash", contacts from customer where tenant_hash = $1 and customer_hash in (${hashesOf(size)})`,
)

/** Those of these hashes that exist, in any order. */
export async function findCustomers(
  tx: Queryable,
  tenantId: string,
  customerHashes: readonly Uint8Array[],
): Promise<CustomerRow[]> {
  const found: CustomerRow[] = []
  for (const part of inSizes(customerHashes, sizes))
    found.push(...(await tx.query<CustomerRow>(findTexts.get(part.length)!, [tenantHash(tenantId), ...part])))
  return found
}

/** All customers of a tenant in the order of their hashes. */
export const customersAfter = (
  database: Queryable,
  tenantId: string,
  { after, limit }: { after: Uint8Array; limit: number },
): Promise<CustomerRow[]> =>
  database.query(
    `select customer_hash as "customerHash", contacts from customer where tenant_hash = $1 and customer_hash > $2
      order by customer_hash limit ${limit}`,
    [tenantHash(tenantId), after],
  )

const putCustomerTexts = texts(
  (size) =>
    `insert into customer (tenant_hash, customer_hash, contacts) values ${rowsOf(2)(size)}
     on conflict (tenant_hash, customer_hash) do update set contacts = excluded.contacts`,
)

export async function putCustomers(tx: Queryable, tenantId: string, rows: readonly CustomerRow[]): Promise<void> {
  for (const part of inSizes(rows, sizes)) {
    const params = part.flatMap(({ customerHash, contacts }) => [customerHash, contacts])
    await tx.query(putCustomerTexts.get(part.length)!, [tenantHash(tenantId), ...params])
  }
}

const addContactTexts = texts(
  (size) =>
    `insert into customer_contact (tenant_hash, contact_hash, owner_hash, sealed) values ${rowsOf(3)(size)}
     on conflict (tenant_hash, contact_hash, owner_hash) do nothing`,
)

/** Rows that exist stay: they have the same id. */
export async function addContacts(tx: Queryable, tenantId: string, rows: readonly ContactRow[]): Promise<void> {
  for (const part of inSizes(rows, sizes)) {
    const params = part.flatMap(({ contactHash, ownerHash, sealed }) => [contactHash, ownerHash, sealed])
    await tx.query(addContactTexts.get(part.length)!, [tenantHash(tenantId), ...params])
  }
}

const sharedTexts = texts(
  (size) =>
    `select contact_hash as "contactHash" from customer_contact where tenant_hash = $1 and contact_hash in (${hashesOf(size)})
      group by contact_hash having count(*) > 1`,
)

/** Which of these contacts several customers have. */
export async function sharedContacts(
  tx: Queryable,
  tenantId: string,
  contactHashes: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const shared: Uint8Array[] = []
  for (const part of inSizes(contactHashes, sizes)) {
    const rows = await tx.query<Pick<ContactRow, 'contactHash'>>(sharedTexts.get(part.length)!, [
      tenantHash(tenantId),
      ...part,
    ])
    shared.push(...rows.map(({ contactHash }) => contactHash))
  }
  return shared
}

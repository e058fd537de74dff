// Under which id does the integrator know a user who signed in? Found by the minted id, or by a keyed hash of the integrator's.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'

export interface PersonRow {
  readonly personId: string
  /** Null, as the hash: not linked. */
  readonly sealedCustomer: Uint8Array | null
}

export async function findPerson(
  database: Queryable,
  tenantId: string,
  personId: string,
): Promise<PersonRow | undefined> {
  const [row] = await database.query<{ sealedCustomer: Uint8Array | null }>(
    'select sealed_customer as "sealedCustomer" from app_user where tenant_id = $1 and id = $2',
    [tenantId, personId],
  )
  return row && { personId, ...row }
}

/** The users that are linked to an id, the last to sign in first. */
export async function personsOfCustomer(
  database: Queryable,
  { tenantId, customerHash, limit }: { tenantId: string; customerHash: Uint8Array; limit: number },
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(
    `select id from app_user where tenant_id = $1 and customer_hash = $2 order by last_sign_in_at desc, id limit ${limit}`,
    [tenantId, customerHash],
  )
  return rows.map(({ id }) => id)
}

export interface Link {
  readonly tenantId: string
  readonly personId: string
  readonly customerHash: Uint8Array
  readonly sealedCustomer: Uint8Array
  /** The id must be new: fails with UniqueViolation when another user was first. */
  readonly isFirst?: boolean
}

/** A condition: fails when the user is unknown, or is linked to another id. */
export const personLink = ({ tenantId, personId, customerHash, sealedCustomer, isFirst }: Link): BatchStatement => ({
  sql: `update app_user set customer_hash = $3, sealed_customer = $4, is_first_of_customer = coalesce($5, is_first_of_customer)
         where tenant_id = $1 and id = $2 and (customer_hash is null or customer_hash = $3) returning id`,
  params: [tenantId, personId, customerHash, sealedCustomer, isFirst ? 1 : null],
  required: true,
})

/** Links a user to another id than before (`previousHash`). Does nothing when it is no longer linked to that one. */
export const personRelink = (
  { tenantId, personId, customerHash, sealedCustomer }: Link,
  previousHash: Uint8Array,
): BatchStatement => ({
  sql: `update app_user set customer_hash = $3, sealed_customer = $4, is_first_of_customer = null
         where tenant_id = $1 and id = $2 and customer_hash = $5`,
  params: [tenantId, personId, customerHash, sealedCustomer, previousHash],
})

/** Returns no row when the user is not linked to this id. */
export const personUnlink = ({
  tenantId,
  personId,
  customerHash,
}: Pick<Link, 'tenantId' | 'personId' | 'customerHash'>): BatchStatement => ({
  sql: `update app_user set customer_hash = null, sealed_customer = null, is_first_of_customer = null
         where tenant_id = $1 and id = $2 and customer_hash = $3 returning id`,
  params: [tenantId, personId, customerHash],
})

// Which tenants exist? Each with its sealed keys.

import type { Queryable } from './database.ts'

export interface Tenant {
  id: string
  name: string
  createdAt: number
  /** The tenant's keys, sealed under the key of the store (crypto/keyring.ts). */
  sealedKeys: Uint8Array
}

const columns = 'id, name, created_at as "createdAt", sealed_keys as "sealedKeys"'

export async function insertTenant(database: Queryable, { id, name, createdAt, sealedKeys }: Tenant): Promise<void> {
  await database.query('insert into tenant (id, name, created_at, sealed_keys) values ($1, $2, $3, $4)', [
    id,
    name,
    createdAt,
    sealedKeys,
  ])
}

export async function findTenant(database: Queryable, id: string): Promise<Tenant | undefined> {
  const [tenant] = await database.query<Tenant>(`select ${columns} from tenant where id = $1`, [id])
  return tenant
}

/** In the order of creation. */
export async function listTenants(database: Queryable): Promise<Tenant[]> {
  return database.query<Tenant>(`select ${columns} from tenant order by created_at, id`)
}

/** False when another process has changed the keys since they were read. */
export async function replaceTenantKeys(
  database: Queryable,
  { id, sealedKeys: before }: Pick<Tenant, 'id' | 'sealedKeys'>,
  sealedKeys: Uint8Array,
): Promise<boolean> {
  const changed = await database.query(
    'update tenant set sealed_keys = $1 where id = $2 and sealed_keys = $3 returning 1 as changed',
    [sealedKeys, id, before],
  )
  return changed.length > 0
}

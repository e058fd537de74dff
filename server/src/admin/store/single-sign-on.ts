// With which identity provider do people of a tenant sign in to the console?

import type { Queryable } from '../../core/storage/database.ts'

export interface SsoRow {
  readonly tenantId: string
  readonly id: string
  readonly issuer: string
  /** 1: people can sign in with it. */
  readonly enabled: number
  /** 1: the sign-in page offers it to everybody. */
  readonly listed: number
  readonly passwords: 'allowed' | 'ownersOnly'
  readonly version: number
  readonly sealed: Uint8Array
}

const columns = 'tenant_id as "tenantId", id, issuer, enabled, listed, passwords, version, sealed'

export async function findSso(database: Queryable, tenantId: string): Promise<SsoRow | undefined> {
  const [row] = await database.query<SsoRow>(`select ${columns} from single_sign_on where tenant_id = $1`, [tenantId])
  return row
}

export async function findSsoById(database: Queryable, id: string): Promise<SsoRow | undefined> {
  const [row] = await database.query<SsoRow>(`select ${columns} from single_sign_on where id = $1`, [id])
  return row
}

/** Those that their tenants show to everybody. */
export async function listListedSso(database: Queryable, limit: number): Promise<SsoRow[]> {
  return database.query<SsoRow>(
    `select ${columns} from single_sign_on where enabled = 1 and listed = 1 order by id limit $1`,
    [limit],
  )
}

export async function putSso(tx: Queryable, row: SsoRow): Promise<void> {
  await tx.query(
    `insert into single_sign_on (tenant_id, id, issuer, enabled, listed, passwords, version, sealed)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (tenant_id) do update set issuer = excluded.issuer, enabled = excluded.enabled, listed = excluded.listed,
       passwords = excluded.passwords, version = excluded.version, sealed = excluded.sealed`,
    [row.tenantId, row.id, row.issuer, row.enabled, row.listed, row.passwords, row.version, row.sealed],
  )
}

export async function deleteSso(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query('delete from single_sign_on where tenant_id = $1', [tenantId])
}

/** False when this sign-in was finished already. */
export async function markSsoDone(tx: Queryable, stateHash: Uint8Array, expiresAt: number): Promise<boolean> {
  const marked = await tx.query(
    'insert into sso_done (state_hash, expires_at) values ($1, $2) on conflict (state_hash) do nothing returning 1 as marked',
    [stateHash, expiresAt],
  )
  return marked.length > 0
}

export async function dropSsoDoneBefore(database: Queryable, at: number): Promise<void> {
  await database.query('delete from sso_done where expires_at < $1', [at])
}

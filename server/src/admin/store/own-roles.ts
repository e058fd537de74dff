// Which roles has a tenant made, and who has a role?

import type { Queryable } from '../../core/storage/database.ts'

export interface OwnRoleRow {
  readonly tenantId: string
  readonly name: string
  /** Separated by spaces. */
  readonly permissions: string
  readonly version: number
  readonly createdAt: number
  readonly sealed: Uint8Array
}

const columns = 'tenant_id as "tenantId", name, permissions, version, created_at as "createdAt", sealed'

export async function findOwnRole(
  database: Queryable,
  tenantId: string,
  name: string,
): Promise<OwnRoleRow | undefined> {
  const [row] = await database.query<OwnRoleRow>(`select ${columns} from own_role where tenant_id = $1 and name = $2`, [
    tenantId,
    name,
  ])
  return row
}

/** By name. */
export async function listOwnRoles(database: Queryable, tenantId: string): Promise<OwnRoleRow[]> {
  return database.query<OwnRoleRow>(`select ${columns} from own_role where tenant_id = $1 order by name`, [tenantId])
}

export async function insertOwnRole(tx: Queryable, row: OwnRoleRow): Promise<void> {
  await tx.query(
    'insert into own_role (tenant_id, name, permissions, version, created_at, sealed) values ($1, $2, $3, $4, $5, $6)',
    [row.tenantId, row.name, row.permissions, row.version, row.createdAt, row.sealed],
  )
}

export async function replaceOwnRole(tx: Queryable, row: OwnRoleRow): Promise<void> {
  await tx.query('update own_role set permissions = $3, version = $4, sealed = $5 where tenant_id = $1 and name = $2', [
    row.tenantId,
    row.name,
    row.permissions,
    row.version,
    row.sealed,
  ])
}

export async function deleteOwnRole(tx: Queryable, tenantId: string, name: string): Promise<void> {
  await tx.query('delete from own_role where tenant_id = $1 and name = $2', [tenantId, name])
}

/** How many people, live client keys and open invitations have a role. */
export interface Holders {
  readonly role: string
  readonly people: number
  readonly keys: number
  readonly invitations: number
}

/** Of each role that anybody has. */
export async function countHolders(database: Queryable, tenantId: string, now: number): Promise<Holders[]> {
  return database.query<Holders>(
    `select role, cast(sum(person) as bigint) as people, cast(sum(client_key) as bigint) as keys,
            cast(sum(link) as bigint) as invitations
       from (select role, 1 as person, 0 as client_key, 0 as link from person_role where tenant_id = $1
             union all
             select role, 0 as person, 1 as client_key, 0 as link from client
              where tenant_id = $1 and role is not null and revoked_at is null
             union all
             select role, 0 as person, 0 as client_key, 1 as link from invitation
              where tenant_id = $1 and expires_at > $2) holders
      group by role`,
    [tenantId, now],
  )
}

/** Deletes the open links that people or client keys with this role have made. */
export async function deleteInvitationsByRole(tx: Queryable, tenantId: string, role: string): Promise<void> {
  await tx.query(
    `delete from invitation
      where tenant_id = $1
        and (invited_by in (select 'person:' || person_id from person_role where tenant_id = $1 and role = $2)
          or invited_by in (select 'client:' || id from client where tenant_id = $1 and role = $2))`,
    [tenantId, role],
  )
}

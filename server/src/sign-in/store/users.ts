// Who has signed in, and with which identities? An identity is found by its keyed hash; its value is sealed.

import type { Queryable } from '../../core/storage/database.ts'
import { countRows } from '../../core/storage/statement.ts'

export interface IdentityRecord {
  tenantId: string
  identityHash: Uint8Array
  userId: string
  sealed: Uint8Array
  /** Hash of the account at an identity provider that vouched for it; null: the person proved it with a code or a link. */
  vouchedBy: Uint8Array | null
  /** When the person added it to an earlier sign-in (`linkTo`); null: it came with a sign-in. */
  addedAt: number | null
}

/** The user of each identity, in the given order; null for an identity without a user. */
export async function usersOfIdentities(
  database: Queryable,
  tenantId: string,
  identityHashes: readonly Uint8Array[],
): Promise<(string | null)[]> {
  const users: (string | null)[] = []
  for (const hash of identityHashes) {
    const [found] = await database.query<{ userId: string }>(
      'select user_id as "userId" from identity where tenant_id = $1 and identity_hash = $2',
      [tenantId, hash],
    )
    users.push(found?.userId ?? null)
  }
  return users
}

/** The identities of a user; the last verified one first. */
export async function identitiesOfUser(
  database: Queryable,
  tenantId: string,
  userId: string,
): Promise<(Pick<IdentityRecord, 'identityHash' | 'sealed' | 'vouchedBy' | 'addedAt'> & { verifiedAt: number })[]> {
  return database.query(
    `select identity_hash as "identityHash", sealed, vouched_by as "vouchedBy", verified_at as "verifiedAt", added_at as "addedAt"
       from identity where tenant_id = $1 and user_id = $2 order by verified_at desc, identity_hash`,
    [tenantId, userId],
  )
}

export async function insertUser(database: Queryable, tenantId: string, id: string, at: number): Promise<void> {
  await database.query('insert into app_user (tenant_id, id, created_at, last_sign_in_at) values ($1, $2, $3, $3)', [
    tenantId,
    id,
    at,
  ])
}

/** Records a sign-in. A new profile replaces the stored one; null keeps it. @returns the id of the integrator that the user is linked to, sealed */
export async function recordSignIn(
  database: Queryable,
  tenantId: string,
  id: string,
  at: number,
  sealedProfile: Uint8Array | null,
): Promise<Uint8Array | null> {
  const [user] = await database.query<{ sealedCustomer: Uint8Array | null }>(
    `update app_user set last_sign_in_at = $3, sealed_profile = coalesce($4, sealed_profile)
      where tenant_id = $1 and id = $2 returning sealed_customer as "sealedCustomer"`,
    [tenantId, id, at, sealedProfile],
  )
  return user?.sealedCustomer ?? null
}

export async function sealedProfileOf(database: Queryable, tenantId: string, id: string): Promise<Uint8Array | null> {
  const [user] = await database.query<{ sealed: Uint8Array | null }>(
    'select sealed_profile as sealed from app_user where tenant_id = $1 and id = $2',
    [tenantId, id],
  )
  return user?.sealed ?? null
}

/**
 * Adds an identity to a user, or records that it was verified again. An identity of another user stays with that user. Once the person has
 * proved it, it depends on no provider.
 */
export async function putIdentity(database: Queryable, identity: IdentityRecord, at: number): Promise<void> {
  await database.query(
    `insert into identity (tenant_id, identity_hash, user_id, sealed, created_at, verified_at, vouched_by, added_at)
     values ($1, $2, $3, $4, $5, $5, $6, $7)
     on conflict (tenant_id, identity_hash) do update set verified_at = excluded.verified_at,
       vouched_by = case when excluded.vouched_by is null then null else identity.vouched_by end`,
    [
      ...[identity.tenantId, identity.identityHash, identity.userId, identity.sealed, at],
      ...[identity.vouchedBy, identity.addedAt],
    ],
  )
}

/** The identity is nobody's any more. @returns how many rows */
export async function deleteIdentity(tx: Queryable, tenantId: string, identityHash: Uint8Array): Promise<number> {
  const deleted = await tx.query('delete from identity where tenant_id = $1 and identity_hash = $2 returning user_id', [
    tenantId,
    identityHash,
  ])
  return deleted.length
}

/** Deletes a user with all identities. @returns how many rows */
export async function deleteUser(
  tx: Queryable,
  tenantId: string,
  userId: string,
): Promise<{ users: number; identities: number }> {
  return {
    identities: await countRows(tx, 'delete from identity where tenant_id = $1 and user_id = $2 returning created_at', [
      tenantId,
      userId,
    ]),
    users: await countRows(tx, 'delete from app_user where tenant_id = $1 and id = $2 returning created_at', [
      tenantId,
      userId,
    ]),
  }
}

export async function findUser(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<{ createdAt: number; lastSignInAt: number } | undefined> {
  const [user] = await database.query<{ createdAt: number; lastSignInAt: number }>(
    'select created_at as "createdAt", last_sign_in_at as "lastSignInAt" from app_user where tenant_id = $1 and id = $2',
    [tenantId, id],
  )
  return user
}

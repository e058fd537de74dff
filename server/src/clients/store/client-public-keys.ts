// Which public keys do clients have, and which assertions did they use?

import type { Queryable } from '../../core/storage/database.ts'

export interface ClientPublicKey {
  readonly clientId: string
  /** Thumbprint of the key (RFC 7638). */
  readonly keyId: string
  /** A JSON Web Key as text. */
  readonly jwk: string
  readonly createdAt: number
}

export async function insertPublicKey(
  database: Queryable,
  { clientId, keyId, jwk, createdAt }: ClientPublicKey,
): Promise<void> {
  await database.query(
    `insert into client_public_key (client_id, key_id, jwk, created_at) values ($1, $2, $3, $4)
     on conflict (client_id, key_id) do nothing`,
    [clientId, keyId, jwk, createdAt],
  )
}

/** In the order of creation. */
export async function listPublicKeys(database: Queryable, clientId: string): Promise<ClientPublicKey[]> {
  return database.query<ClientPublicKey>(
    `select client_id as "clientId", key_id as "keyId", jwk, created_at as "createdAt"
       from client_public_key where client_id = $1 order by created_at, key_id`,
    [clientId],
  )
}

/** In the order of creation. */
export async function listPublicKeysOf(database: Queryable, tenantId: string): Promise<Omit<ClientPublicKey, 'jwk'>[]> {
  return database.query<Omit<ClientPublicKey, 'jwk'>>(
    `select k.client_id as "clientId", k.key_id as "keyId", k.created_at as "createdAt"
       from client c join client_public_key k on k.client_id = c.id where c.tenant_id = $1 order by k.created_at, k.key_id`,
    [tenantId],
  )
}

/** Those of a client that is not revoked. */
export async function listLivePublicKeys(database: Queryable, clientId: string): Promise<{ jwk: string }[]> {
  return database.query<{ jwk: string }>(
    `select k.jwk from client_public_key k join client c on c.id = k.client_id
      where k.client_id = $1 and c.revoked_at is null order by k.created_at desc, k.key_id`,
    [clientId],
  )
}

/** @returns whether the client had it */
export async function deletePublicKey(database: Queryable, clientId: string, keyId: string): Promise<boolean> {
  const deleted = await database.query(
    'delete from client_public_key where client_id = $1 and key_id = $2 returning key_id',
    [clientId, keyId],
  )
  return deleted.length === 1
}

/** @returns whether nobody used the assertion before */
export async function claimAssertion(
  database: Queryable,
  { assertionHash, expiresAt }: { assertionHash: Uint8Array; expiresAt: number },
): Promise<boolean> {
  const claimed = await database.query(
    `insert into client_assertion (assertion_hash, expires_at) values ($1, $2)
     on conflict (assertion_hash) do nothing returning assertion_hash`,
    [assertionHash, expiresAt],
  )
  return claimed.length === 1
}

/** @returns the number of deleted rows, at most `limit` */
export async function dropAssertionsBefore(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from client_assertion where assertion_hash in
       (select assertion_hash from client_assertion where expires_at <= $1 order by expires_at limit ${limit})
     returning assertion_hash`,
    [now],
  )
  return dropped.length
}

// Which keys sign ID tokens? They are numbered, and their private parts are sealed.

import type { Queryable } from '../../core/storage/database.ts'

export interface SigningKeyRecord {
  /** 1, 2, 3 …, in the order of creation. */
  generation: number
  /** `kid` (RFC 7517, 4.5). */
  keyId: string
  /** `alg` (RFC 7518, 3.1). */
  algorithm: string
  /** JSON. */
  publicJwk: string
  sealedPrivateJwk: Uint8Array
  startsAt: number
}

/** In the order of generation. */
export async function listSigningKeys(database: Queryable): Promise<SigningKeyRecord[]> {
  return database.query<SigningKeyRecord>(
    `select generation, key_id as "keyId", algorithm, public_jwk as "publicJwk",
            sealed_private_jwk as "sealedPrivateJwk", starts_at as "startsAt"
       from signing_key order by generation`,
  )
}

/** Does nothing when a key of this generation exists: of several servers that make one at the same time, one succeeds. */
export async function offerSigningKey(database: Queryable, key: SigningKeyRecord): Promise<void> {
  const { generation, keyId, algorithm, publicJwk, sealedPrivateJwk, startsAt } = key
  await database.query(
    `insert into signing_key (generation, key_id, algorithm, public_jwk, sealed_private_jwk, starts_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (generation) do nothing`,
    [generation, keyId, algorithm, publicJwk, sealedPrivateJwk, startsAt],
  )
}

export async function dropSigningKeysBefore(database: Queryable, generation: number): Promise<void> {
  await database.query('delete from signing_key where generation < $1', [generation])
}

/** Does nothing when the key has changed since it was read. */
export async function replaceSealedSigningKey(
  database: Queryable,
  { generation, sealedPrivateJwk: before }: SigningKeyRecord,
  sealedPrivateJwk: Uint8Array,
): Promise<void> {
  await database.query(
    'update signing_key set sealed_private_jwk = $1 where generation = $2 and sealed_private_jwk = $3',
    [sealedPrivateJwk, generation, before],
  )
}

// Which App Attest keys does an app have, and how far has the counter of each risen?

import type { Queryable } from './database.ts'

export interface AttestedKeyRow {
  appId: string
  keyId: string
  publicKey: Uint8Array
  counter: number
}

export async function findAttestedKey(
  database: Queryable,
  appId: string,
  keyId: string,
): Promise<AttestedKeyRow | undefined> {
  const [key] = await database.query<AttestedKeyRow>(
    `select app_id as "appId", key_id as "keyId", public_key as "publicKey", counter
       from attested_key where app_id = $1 and key_id = $2`,
    [appId, keyId],
  )
  return key
}

/** Stores a key. An existing key stays unchanged, with its counter. */
export async function insertAttestedKey(
  database: Queryable,
  { appId, keyId, publicKey, counter }: AttestedKeyRow,
  attestedAt: number,
): Promise<void> {
  await database.query(
    `insert into attested_key (app_id, key_id, public_key, counter, attested_at) values ($1, $2, $3, $4, $5)
     on conflict (app_id, key_id) do nothing`,
    [appId, keyId, publicKey, counter, attestedAt],
  )
}

/** Raises the counter. Of several calls with one counter, on any server, one returns true. */
export async function raiseCounter(
  database: Queryable,
  { appId, keyId, counter }: Pick<AttestedKeyRow, 'appId' | 'keyId' | 'counter'>,
): Promise<boolean> {
  const raised = await database.query(
    'update attested_key set counter = $3 where app_id = $1 and key_id = $2 and counter < $3 returning key_id',
    [appId, keyId, counter],
  )
  return raised.length === 1
}

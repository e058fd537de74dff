// Which App Attest keys does an app have, and how far has the counter of each risen?

import type { BatchStatement, Queryable } from './database.ts'

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
export const attestedKeyInsert = (
  { appId, keyId, publicKey, counter }: AttestedKeyRow,
  attestedAt: number,
): BatchStatement => ({
  sql: `insert into attested_key (app_id, key_id, public_key, counter, attested_at) values ($1, $2, $3, $4, $5)
        on conflict (app_id, key_id) do nothing`,
  params: [appId, keyId, publicKey, counter, attestedAt],
})

/** Raises the counter. Of several batches with one counter, on any server, one is written. */
export const counterRaise = ({
  appId,
  keyId,
  counter,
}: Pick<AttestedKeyRow, 'appId' | 'keyId' | 'counter'>): BatchStatement => ({
  sql: 'update attested_key set counter = $3 where app_id = $1 and key_id = $2 and counter < $3 returning key_id',
  params: [appId, keyId, counter],
  required: true,
})

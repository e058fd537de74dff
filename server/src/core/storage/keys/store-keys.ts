// What is stored of the store's own keys? One row: the keys, sealed under a key that the master key wraps.

import type { Queryable } from '../database.ts'

export interface StoreKeysRecord {
  /** Which master key wrapped the key: its id. */
  readonly wrappedBy: string
  readonly wrappedKey: Uint8Array
  readonly sealedKeys: Uint8Array
}

export async function findStoreKeys(database: Queryable): Promise<StoreKeysRecord | undefined> {
  const [row] = await database.query<StoreKeysRecord>(
    'select wrapped_by as "wrappedBy", wrapped_key as "wrappedKey", sealed_keys as "sealedKeys" from store_key where id = 1',
  )
  return row
}

/** Does nothing when there is a row: of several servers that start at the same time, one succeeds. */
export async function offerStoreKeys(database: Queryable, record: StoreKeysRecord): Promise<void> {
  await database.query(
    `insert into store_key (id, wrapped_by, wrapped_key, sealed_keys) values (1, $1, $2, $3) on conflict (id) do nothing`,
    [record.wrappedBy, record.wrappedKey, record.sealedKeys],
  )
}

/** False when another process has changed the row since it was read. */
export async function replaceStoreKeys(
  database: Queryable,
  before: StoreKeysRecord,
  record: StoreKeysRecord,
): Promise<boolean> {
  const changed = await database.query(
    `update store_key set wrapped_by = $1, wrapped_key = $2, sealed_keys = $3 where id = 1 and sealed_keys = $4
     returning 1 as changed`,
    [record.wrappedBy, record.wrappedKey, record.sealedKeys, before.sealedKeys],
  )
  return changed.length > 0
}

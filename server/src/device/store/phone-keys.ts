// Which keys of phones does an app know, and of which device is each? App Attest keys have a counter too.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import type { AttestedKey } from '../attestation/android/attested-key.ts'

export interface AttestedKeyRow {
  appId: string
  keyId: string
  publicKey: Uint8Array
  counter: number
  /** `<kind> <device id>`; null until a proof comes with an id of the device. */
  device: string | null
  /** The start of a day, epoch milliseconds. */
  lastUsedAt: number
}

export async function findAttestedKey(
  database: Queryable,
  appId: string,
  keyId: string,
): Promise<AttestedKeyRow | undefined> {
  const [key] = await database.query<AttestedKeyRow>(
    `select app_id as "appId", key_id as "keyId", public_key as "publicKey", counter, device,
              last_used_at as "lastUsedAt"
       from attested_key where app_id = $1 and key_id = $2`,
    [appId, keyId],
  )
  return key
}

/** Stores a new key. The batch is undone when the key exists already. */
export const insertAttestedKey = ({
  appId,
  keyId,
  publicKey,
  counter,
  device,
  lastUsedAt,
}: AttestedKeyRow): BatchStatement => ({
  sql: `insert into attested_key (app_id, key_id, public_key, counter, device, last_used_at) values ($1, $2, $3, $4, $5, $6)
        on conflict (app_id, key_id) do nothing returning key_id`,
  params: [appId, keyId, publicKey, counter, device, lastUsedAt],
  required: true,
})

export interface AttestedKeyUse extends Pick<AttestedKeyRow, 'appId' | 'keyId'> {
  /** The stored values that the proof was checked against. */
  readonly from: Pick<AttestedKeyRow, 'counter' | 'device' | 'lastUsedAt'>
  readonly to: Pick<AttestedKeyRow, 'counter' | 'device' | 'lastUsedAt'>
}

/**
 * Stores counter, device and day of a use. Of several batches with one counter, on any server, one is written; none when the device
 * changed since the check. SQLite writes the index of each column that is set, changed or not, so device and day are set when they change.
 */
export function updateAttestedKey({ appId, keyId, from, to }: AttestedKeyUse): BatchStatement {
  const isMoved = from.device !== to.device || from.lastUsedAt !== to.lastUsedAt
  return {
    sql: `update attested_key set counter = $3${isMoved ? ', device = $6, last_used_at = $7' : ''}
           where app_id = $1 and key_id = $2 and (counter < $3 or counter = $4) and coalesce(device, '') = coalesce($5, '') returning key_id`,
    params: [appId, keyId, to.counter, from.counter, from.device, ...(isMoved ? [to.device, to.lastUsedAt] : [])],
    required: true,
  }
}

export interface KeystoreKeyRow {
  appId: string
  /** 16 bytes. */
  keyHash: Uint8Array
  /** `<kind> <device id>`; null until a proof comes with an id of the device. */
  device: string | null
  /** The start of a day, epoch milliseconds. */
  lastUsedAt: number
  /** What its certificates say; null without a verified chain. */
  attested: AttestedKey | null
}

export async function findKeystoreKey(
  database: Queryable,
  appId: string,
  keyHash: Uint8Array,
): Promise<KeystoreKeyRow | undefined> {
  const [key] = await database.query<Omit<KeystoreKeyRow, 'attested'> & { attested: string | null }>(
    `select app_id as "appId", key_hash as "keyHash", device, last_used_at as "lastUsedAt", attested
       from keystore_key where app_id = $1 and key_hash = $2`,
    [appId, keyHash],
  )
  return key && { ...key, attested: key.attested === null ? null : JSON.parse(key.attested) }
}

/** Stores a new key, or last use, device and attestation of a known one, which stays without a newer. The batch is undone when the stored device is not `from`. */
export const putKeystoreKey = (
  { appId, keyHash, device, lastUsedAt, attested }: KeystoreKeyRow,
  from: string | null,
): BatchStatement => ({
  sql: `insert into keystore_key as known (app_id, key_hash, device, last_used_at, attested) values ($1, $2, $3, $4, $5)
        on conflict (app_id, key_hash) do update set device = excluded.device, last_used_at = excluded.last_used_at,
           attested = coalesce(excluded.attested, known.attested)
         where coalesce(known.device, '') = coalesce($6, '') returning key_hash`,
  params: [appId, keyHash, device, lastUsedAt, attested && JSON.stringify(attested), from],
  required: true,
})

const idColumns = { attested_key: 'key_id', keystore_key: 'key_hash' } as const
type KeyTable = keyof typeof idColumns
export const keyTables = Object.keys(idColumns) as KeyTable[]

/** Deletes at most `limit` keys that were last used before this time. Returns how many. */
export async function dropPhoneKeysBefore(
  database: Queryable,
  table: KeyTable,
  before: number,
  limit: number,
): Promise<number> {
  const id = idColumns[table]
  const dropped = await database.query(
    `delete from ${table} where (app_id, ${id}) in
       (select app_id, ${id} from ${table} where last_used_at < $1 order by last_used_at limit $2)
     returning ${id}`,
    [before, limit],
  )
  return dropped.length
}

/** `devices`: the stored forms of one. Ids of devices are of one tenant. Each day that has keys is looked into, by one read of the index. */
export async function deleteKeysOfDevice(tx: Queryable, devices: readonly string[]): Promise<void> {
  const forms = devices.map((_, index) => `$${index + 1}`).join(', ')
  for (const table of keyTables) {
    await tx.query(
      `delete from ${table} where device in (${forms}) and last_used_at in
         (with recursive day (its) as
            (select min(last_used_at) from ${table}
             union all
             select (select min(last_used_at) from ${table} where last_used_at > its) from day where its is not null)
          select its from day)`,
      devices,
    )
  }
}

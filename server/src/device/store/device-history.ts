// What is the history of a device and of its installations? One row for each, so that a visit reads two rows.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { dropUnseen } from '../../core/storage/unseen.ts'

export interface HistoryRow {
  /** Keyed hashes of 8 bytes. An empty `installationHash` is the row of the whole device. */
  readonly deviceHash: Uint8Array
  readonly installationHash: Uint8Array
  /** Of the row of a device: its only installation, which has no separate row; null when there are several. */
  readonly soleInstallationHash: Uint8Array | null
  /** Epoch milliseconds. */
  readonly firstAt: number
  readonly lastAt: number
  /** With what was appended. */
  readonly seen: Uint8Array
  /** 1 for a new row; each write raises it by 1. */
  readonly version: number
}

export const wholeDevice: Uint8Array = new Uint8Array(0)

/** Entries of 15 bytes, which are 20 characters each: so their texts can be joined. */
const appendedEncoding = 'base64'
interface Appended {
  readonly appended: string
}

function withAppended<Row extends { readonly seen: Uint8Array }>({ appended, ...row }: Row & Appended) {
  return appended === '' ? row : { ...row, seen: Buffer.concat([row.seen, Buffer.from(appended, appendedEncoding)]) }
}

export type StoredHistory = HistoryRow & Appended
export const historyColumns = `device_hash as "deviceHash", installation_hash as "installationHash",
            sole_installation_hash as "soleInstallationHash", first_at as "firstAt", last_at as "lastAt", seen, appended, version`

export const historyRows = (rows: readonly StoredHistory[]): HistoryRow[] =>
  rows.map((row) => withAppended<HistoryRow>(row))

/** The row of a device, and that of one of its installations. */
export async function findHistory(
  database: Queryable,
  deviceHash: Uint8Array,
  installationHash: Uint8Array,
): Promise<HistoryRow[]> {
  const rows = await database.query<StoredHistory>(
    `select ${historyColumns}
       from device_history where device_hash = $1 and installation_hash in ($2, $3)`,
    [deviceHash, wholeDevice, installationHash],
  )
  return historyRows(rows)
}

/**
 * Appends entries to the rows of a device and of one of its installations, where they exist. It reads nothing, so that concurrent calls do
 * not conflict; whoever writes a whole row has to read it again. Touches no row when the device has got its second installation since
 * (`sole`: as read): the row that this one then has may be too new to be seen by a statement that waited.
 */
export const historyAppended = (
  {
    deviceHash,
    installationHash,
    sole,
  }: Pick<HistoryRow, 'deviceHash' | 'installationHash'> & { readonly sole: HistoryRow['soleInstallationHash'] },
  entries: Uint8Array,
): BatchStatement => ({
  sql: `update device_history set appended = appended || $4, version = version + 1
         where device_hash = $1 and installation_hash in ($2, $3) and sole_installation_hash is not distinct from $5
        returning version`,
  params: [deviceHash, wholeDevice, installationHash, Buffer.from(entries).toString(appendedEncoding), sole],
  required: true,
})

/** Writes a row. Returns no row when the stored one has another version than the one before this; then it is unchanged. */
export const historyStatement = (row: HistoryRow): BatchStatement & { required: true } => ({
  sql: `insert into device_history (device_hash, installation_hash, sole_installation_hash, first_at, last_at,
                                 retention_at, seen, version)
     values ($1, $2, $3, $4, $5, $5, $6, $7)
     on conflict (device_hash, installation_hash) do update
        set sole_installation_hash = excluded.sole_installation_hash, last_at = excluded.last_at, seen = excluded.seen,
            appended = '', version = excluded.version
      where device_history.version = excluded.version - 1
     returning version`,
  params: [
    row.deviceHash,
    row.installationHash,
    row.soleInstallationHash,
    row.firstAt,
    row.lastAt,
    row.seen,
    row.version,
  ],
  required: true,
})

const lastSeen = { table: 'device_history', key: 'device_hash, installation_hash', seenAt: 'last_at' }

/** Deletes rows without a visit since this time. @returns as `dropUnseen` */
export const dropHistoryBefore = (database: Queryable, before: number, limit: number): Promise<number> =>
  dropUnseen(database, lastSeen, before, limit)

/** Deletes the history of a device and of all its installations. */
export async function deleteHistory(database: Queryable, deviceHash: Uint8Array): Promise<void> {
  await database.query('delete from device_history where device_hash = $1', [deviceHash])
}

export interface HistoryOfDevice {
  readonly installationHash: Uint8Array
  readonly seen: Uint8Array
}

export async function historiesOf(database: Queryable, deviceHash: Uint8Array): Promise<HistoryOfDevice[]> {
  const rows = await database.query<HistoryOfDevice & Appended>(
    'select installation_hash as "installationHash", seen, appended from device_history where device_hash = $1',
    [deviceHash],
  )
  return rows.map((row) => withAppended<HistoryOfDevice>(row))
}

export async function replaceSeen(
  tx: Queryable,
  { deviceHash, installationHash, seen }: HistoryOfDevice & { deviceHash: Uint8Array },
): Promise<void> {
  await tx.query(
    `update device_history set seen = $3, appended = '', version = version + 1
      where device_hash = $1 and installation_hash = $2`,
    [deviceHash, installationHash, seen],
  )
}

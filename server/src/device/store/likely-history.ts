// What is known of the device that a visit resembles? One row, whatever there is of it.

import type { Queryable } from '../../core/storage/database.ts'
import { historyRows, type StoredHistory, wholeDevice } from './device-history.ts'
import { mostBadLabels } from './labels/device-labels.ts'

export interface LikelyHistory {
  /** As in device_history; undefined without a history. */
  readonly seen: Uint8Array | undefined
  /** Of it, and of phones that resembled it, as one phone may make up an id for each visit. At most 20. */
  readonly badReports: number
  /** New devices that resembled it since the given time, at most 20. */
  readonly newDevices: number
}

const mostNewDevices = 20

/** Browsers by similarity, phones by an id that they share. */
const newLike = (table: string) =>
  `(select cast(count(*) as integer)
      from (select 1 from ${table}
             where likely_device_id = $2 and tenant_id = $3 and first_seen_at > $4 limit ${mostNewDevices}) made)`

/** More would take a month without `newDevices` being large. */
const mostPhones = 100

/** Phones that shared an id with this one, or the certificate of its keys, when they were new; the newest first. */
export async function phonesLike(database: Queryable, tenantId: string, deviceId: Uint8Array): Promise<Uint8Array[]> {
  const rows = await database.query<{ deviceId: Uint8Array }>(
    `select device_id as "deviceId" from phone_id
      where likely_device_id = $1 and tenant_id = $2 order by first_seen_at desc limit ${mostPhones}`,
    [deviceId, tenantId],
  )
  return rows.map((row) => row.deviceId)
}

/**
 * @param deviceHash of the device
 * @param others hashes of phones that resembled it, at most as many as `phonesLike` returns
 * @param since epoch milliseconds, for the new devices
 */
export async function likelyHistoryOf(
  database: Queryable,
  { tenantId, deviceId, deviceHash, others }: LikelyPlace,
  since: number,
): Promise<LikelyHistory> {
  type Found = Pick<LikelyHistory, 'badReports' | 'newDevices'> & { seen: Uint8Array | null; appended: string | null }
  // PostgreSQL keeps each text for each connection, so there are two of them, and not one for each number of phones.
  const all = others.length === 0 ? [] : Array.from({ length: mostPhones }, (_, index) => others[index] ?? deviceHash)
  const hashes = ['$1', ...all.map((_, index) => `$${index + 6}`)].join(', ')
  const [found] = await database.query<Found>(
    `select history.seen, history.appended,
            (select cast(count(*) as integer) from
              (select 1 from device_label
                where device_hash in (${hashes}) and label <> 'legitimate' limit ${mostBadLabels}) bad
            ) as "badReports",
            ${newLike('installation')} + ${newLike('phone_id')} as "newDevices"
       from (select 1 as one) it
       left join device_history history on history.device_hash = $1 and history.installation_hash = $5`,
    [deviceHash, deviceId, tenantId, since, wholeDevice, ...all],
  )
  const { seen, appended, badReports, newDevices } = found!
  const [row] = seen === null ? [] : historyRows([{ seen, appended } as StoredHistory])
  return { badReports, newDevices: Math.min(mostNewDevices, newDevices), seen: row?.seen }
}

interface LikelyPlace {
  readonly tenantId: string
  readonly deviceId: Uint8Array
  readonly deviceHash: Uint8Array
  readonly others: readonly Uint8Array[]
}

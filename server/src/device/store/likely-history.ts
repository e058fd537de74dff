// What is known of the device that a visit resembles? One row, whatever there is of it.

import type { Queryable } from '../../core/storage/database.ts'
import { historyRows, type StoredHistory, wholeDevice } from './device-history.ts'
import { mostBadLabels } from './labels/device-labels.ts'

export interface LikelyHistory {
  /** As in device_history; undefined without a history. */
  readonly seen: Uint8Array | undefined
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

/** `since`: epoch milliseconds, for the new devices. */
export async function likelyHistoryOf(
  database: Queryable,
  { tenantId, deviceId, deviceHash }: { tenantId: string; deviceId: Uint8Array; deviceHash: Uint8Array },
  since: number,
): Promise<LikelyHistory> {
  type Found = Pick<LikelyHistory, 'badReports' | 'newDevices'> & { seen: Uint8Array | null; appended: string | null }
  const [found] = await database.query<Found>(
    `select history.seen, history.appended,
            (select cast(count(*) as integer) from
              (select 1 from device_label where device_hash = $1 and label <> 'legitimate' limit ${mostBadLabels}) bad
            ) as "badReports",
            ${newLike('installation')} + ${newLike('phone_id')} as "newDevices"
       from (select 1 as one) it
       left join device_history history on history.device_hash = $1 and history.installation_hash = $5`,
    [deviceHash, deviceId, tenantId, since, wholeDevice],
  )
  const { seen, appended, badReports, newDevices } = found!
  const [row] = seen === null ? [] : historyRows([{ seen, appended } as StoredHistory])
  return { badReports, newDevices: Math.min(mostNewDevices, newDevices), seen: row?.seen }
}

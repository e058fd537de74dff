// Which visits of a device are stored? With their content, for people who look at one device.

import type { Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import type { StoredAnalysis } from './device-analyses.ts'
import { isOfDevice, newestAt } from './rows-of-device.ts'

/** The time that is looked through first; each next one is eight times longer. A busy device has a page within it. */
const firstWindowMs = 900_000

export type VisitRow = Pick<StoredAnalysis, 'analysedAt' | 'installationHash' | 'country' | 'signals'> & {
  /** 16 bytes. */
  readonly dfrId: Uint8Array
  /** Null when the content has expired. */
  readonly sealed: Uint8Array | null
}

/** Where a page begins: below this visit. */
export interface VisitPlace {
  /** Epoch milliseconds. */
  readonly analysedAt: number
  /** 16 bytes. */
  readonly dfrId: Uint8Array
}

const places = { tenant: '$2', since: 'cast($4 as bigint)', until: 'cast($5 as bigint)' }

/** Above every visit. */
const newest: VisitPlace = { analysedAt: Number.MAX_SAFE_INTEGER, dfrId: new Uint8Array(16) }

/** Newest first, those after `since` and below `before`. The newest times first, so that a page of a busy device reads few rows. */
export async function visitsOfDevice(
  database: Queryable,
  { tenantId, deviceHash }: { tenantId: string; deviceHash: Uint8Array },
  limit: number,
  { since = -1, before = newest }: { readonly since?: number; readonly before?: VisitPlace } = {},
): Promise<VisitRow[]> {
  const rows: VisitRow[] = []
  let until = Math.min(before.analysedAt, await newestAt(database))
  for (let windowMs = firstWindowMs; rows.length < limit && until > since; windowMs *= 8) {
    const after = Math.max(since, until - windowMs)
    const found = await database.query<VisitRow & Record<string, never>>(
      `select dfr_id as "dfrId", analysed_at as "analysedAt", installation_hash as "installationHash", country, signals, sealed
         from device_analysis where ${isOfDevice('$1', places)}
          and push_hash is not null and analysed_at > $4 and analysed_at <= $5 and (analysed_at < $6 or dfr_id < $7)
        order by analysed_at desc, dfr_id desc limit cast($3 as integer)`,
      [deviceHash, tenantHash(tenantId), limit - rows.length, after, until, before.analysedAt, before.dfrId],
    )
    rows.push(...found)
    until = after
  }
  return rows
}

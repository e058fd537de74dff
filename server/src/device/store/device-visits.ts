// Which visits does a device have? An analysis with a report is a visit.

import type { Queryable } from '../../core/storage/database.ts'
import { dfrIdBytes, tenantHash } from '../../core/storage/short-keys.ts'
import type { AnalysisKey, StoredAnalysis } from './device-analyses.ts'

/** A previous visit of a device. */
export interface PastVisit {
  /** Epoch milliseconds. */
  visitedAt: number
  accountHash: Uint8Array | null
  numberHash: Uint8Array | null
  country: string | null
  /** Names of the signals that fired, separated by spaces. */
  signals: string
}

/** For devices from before there was a history. */
const mostVisits = 500

/** The visits of a device since a time, newest first. The hash is keyed, so other tenants have none. */
export async function visitsSince(database: Queryable, deviceHash: Uint8Array, since: number): Promise<PastVisit[]> {
  return database.query<PastVisit>(
    `select analysed_at as "visitedAt", account_hash as "accountHash", number_hash as "numberHash", country, signals
       from device_analysis
      where device_hash = $1 and analysed_at > $2 and push_hash is not null
      order by analysed_at desc limit ${mostVisits}`,
    [deviceHash, since],
  )
}

/** The first stored visit of a device since a time. */
export async function firstVisitOf(
  database: Queryable,
  deviceHash: Uint8Array,
  since: number,
): Promise<number | undefined> {
  const [first] = await database.query<{ visitedAt: number }>(
    `select analysed_at as "visitedAt" from device_analysis
      where device_hash = $1 and analysed_at > $2 and push_hash is not null order by analysed_at limit 1`,
    [deviceHash, since],
  )
  return first?.visitedAt
}

/** Device, IP address and time of the visit of a report; undefined when there is no such report. */
export async function visitOfReport(
  database: Queryable,
  { tenantId, dfrId }: AnalysisKey,
  since: number,
): Promise<VisitOfReport | undefined> {
  const [visit] = await database.query<VisitOfReport>(
    `select device_hash as "deviceHash", installation_hash as "installationHash", ip_prefix_hash as "ipPrefixHash",
            ip_hash as "ipHash", analysed_at as "analysedAt"
       from device_analysis
      where tenant_hash = $1 and dfr_id = $2 and analysed_at > $3 and push_hash is not null`,
    [tenantHash(tenantId), dfrIdBytes(dfrId), since],
  )
  return visit
}

type VisitOfReport = Pick<StoredAnalysis, 'deviceHash' | 'installationHash' | 'ipPrefixHash' | 'ipHash' | 'analysedAt'>

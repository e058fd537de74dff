// Whose visit is a report?

import type { Queryable } from '../../core/storage/database.ts'
import { dfrIdBytes, tenantHash } from '../../core/storage/short-keys.ts'
import type { AnalysisKey, StoredAnalysis } from './device-analyses.ts'

/** Device, IP address and time of the visit of a report; undefined when there is no such report. */
export async function visitOfReport(
  database: Queryable,
  { tenantId, dfrId }: AnalysisKey,
  since: number,
): Promise<VisitOfReport | undefined> {
  const [visit] = await database.query<VisitOfReport>(
    `select device_hash as "deviceHash", installation_hash as "installationHash", attested,
            ip_prefix_hash as "ipPrefixHash", ip_hash as "ipHash", analysed_at as "analysedAt"
       from device_analysis
      where tenant_hash = $1 and dfr_id = $2 and analysed_at > $3 and push_hash is not null`,
    [tenantHash(tenantId), dfrIdBytes(dfrId), since],
  )
  return visit
}

type VisitOfReport = Pick<
  StoredAnalysis,
  'deviceHash' | 'installationHash' | 'attested' | 'ipPrefixHash' | 'ipHash' | 'analysedAt'
>

// Whose decisions named a report?

import type { BatchStatement } from '../../core/storage/database.ts'
import { dfrIdBytes, tenantHash } from '../../core/storage/short-keys.ts'
import type { AnalysisKey } from './device-analyses.ts'

/** A condition, which fails when the report has other subjects than `before`, or no content any more. */
export const reportSubjectsUpdate = (
  { tenantId, dfrId }: AnalysisKey,
  before: Uint8Array | null,
  after: Uint8Array,
): BatchStatement => ({
  sql: `update device_analysis set subjects = $3
         where tenant_hash = $1 and dfr_id = $2 and sealed is not null and
               ${before ? 'subjects = $4' : 'subjects is null'} returning 1 as stored`,
  params: [tenantHash(tenantId), dfrIdBytes(dfrId), after, ...(before ? [before] : [])],
  required: true,
})

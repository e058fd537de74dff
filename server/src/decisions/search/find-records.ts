// POST /admin/v1/records/find: the decision or device report of an id that the integrator has. Each look-up is by a key or a hash.

import type { FindRecordsRequest, FoundRecords } from '@ringfence/contract'
import { hashOfIdempotencyKey } from '../../clients/idempotency-key.ts'
import { Refusal } from '../../core/errors.ts'
import { findAnalysis } from '../../device/store/device-analyses.ts'
import { underCurrentId } from '../../device/store/find-analysis.ts'
import { openRecord } from '../../device/store/record.ts'
import { decidedSince } from '../record/retention.ts'
import { findDecisionByIdempotency } from '../store/decisions.ts'
import { decisionsOfReport } from '../store/of-subject.ts'
import type { SearchNeeds } from './room.ts'

/** Refuses with `fieldInvalid` unless there is one of the two ids. Nothing found is an empty answer. */
export async function findRecords(
  { dfrId, transaction }: FindRecordsRequest,
  tenantId: string,
  needs: SearchNeeds,
): Promise<FoundRecords> {
  const { database, tenantKeyring, clock, settings } = needs
  if ((dfrId === undefined) === (transaction === undefined))
    throw new Refusal('fieldInvalid', { mistake: 'send dfrId or transaction, and not both' })
  const since = decidedSince(clock.now(), settings)
  const keys = await tenantKeyring.keysOf(tenantId)
  if (transaction !== undefined) {
    const found = await findDecisionByIdempotency(database, tenantId, hashOfIdempotencyKey(transaction, keys))
    return { decisions: found && found.decidedAt > since ? [shown(found)] : [] }
  }
  const row = await findAnalysis(database, { tenantId, dfrId: dfrId! }, 0)
  if (!row) return { decisions: [] }
  const { analysis } = openRecord(row, keys, needs.compression)
  const { requestId, deviceId } = await underCurrentId(analysis, row, { database, keys })
  const { deviceHash } = row
  const decisions = deviceHash
    ? await decisionsOfReport(database, { tenantId, deviceHash, dfrId: dfrId!, since }, 20)
    : []
  return {
    report: { dfrId: dfrId!, requestId, at: isoOf(row.analysedAt), ...(deviceId && { deviceId }) },
    decisions: decisions.map(shown),
  }
}

const isoOf = (epochMs: number) => new Date(epochMs).toISOString()
const shown = ({ decisionId, decidedAt }: { decisionId: string; decidedAt: number }) => ({
  decisionId,
  createdAt: isoOf(decidedAt),
})

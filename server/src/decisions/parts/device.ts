// Which device report does the dfrId of a decision name, and does it belong to this user and number?

import { isSameUser } from '../../accounts/person.ts'
import { isUuid } from '../../core/storage/uuid.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { digitsOf } from '../../device/analysis/update-info.ts'
import { sameVisitMs, storedSince } from '../../device/history/retention.ts'
import { findAnalysis, type StoredAnalysis } from '../../device/store/device-analyses.ts'
import { isDfrId, underCurrentId } from '../../device/store/find-analysis.ts'
import { openRecord, type RecordedReport } from '../../device/store/record.ts'
import { basisOf } from '../../device-report/basis.ts'
import { ruleInputOf } from '../../device-report/rule-input.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import type { DecisionsNeeds } from '../room.ts'
import { PartMissing } from './parts.ts'

export interface FoundDevice {
  readonly dfrId: string
  readonly row: Pick<StoredAnalysis, 'tenantId' | 'dfrId' | 'deviceHash' | 'installationHash' | 'subjects'>
  readonly analysis: Analysis
  readonly report: RecordedReport
}

/** Throws PartMissing when the report is unknown, or older than an hour: a page could send that of a clean visit. */
export async function deviceOf(
  dfrId: string,
  tenantId: string,
  { compression, database, tenantKeyring, clock, settings }: DecisionsNeeds,
): Promise<FoundDevice> {
  const now = clock.now()
  const found = isDfrId(dfrId) && (await findAnalysis(database, { tenantId, dfrId }, storedSince(now, settings)))
  if (!found || found.pushHash === null) throw new PartMissing<'device'>('unknown')
  const keys = await tenantKeyring.keysOf(tenantId)
  const { analysis: asAnalysed, report } = openRecord(found, keys, compression)
  if (!report) throw new PartMissing<'device'>('unknown')
  const analysis = await underCurrentId(asAnalysed, found, { database, keys })
  if (now - analysis.evidence.now > sameVisitMs) throw new PartMissing<'device'>('expired')
  return { dfrId, row: found, analysis, report }
}

/** Who a decision is about. */
export interface Owner {
  readonly userId: string | undefined
  readonly digits: string | undefined
  /** The user has no id but ours. */
  readonly isMinted: boolean
}

/** Whether the page named another user or number. A session that names nobody can be anybody's. */
export async function otherOwner(
  { analysis: { updateInfo }, row: { tenantId } }: Pick<FoundDevice, 'analysis' | 'row'>,
  { userId, digits, isMinted }: Owner,
  needs: DecisionsNeeds,
): Promise<'other-user' | 'other-number' | undefined> {
  const { userId: ofPage } = updateInfo
  const isComparable = userId !== undefined && ofPage !== undefined && (!isMinted || isUuid(ofPage))
  if (isComparable && !(await isSameUser(tenantId, ofPage, userId, needs))) return 'other-user'
  const named = digitsOf(updateInfo)
  return digits !== undefined && named !== undefined && named !== digits ? 'other-number' : undefined
}

/** What rules read about it; without the params of the page, which could pass for those of the backend. */
export function deviceInput({ analysis, report }: FoundDevice, now: number): RuleInput {
  const { params: _, ...input } = ruleInputOf(analysis, basisOf(report))
  return { ...input, reportAgeSeconds: Math.max(0, now - analysis.evidence.now) / 1000 }
}

// /admin/v1/privacy: how long data is stored; export and erase a person or device.

import {
  type EraseSubjectRequest,
  type ErasureReceipt,
  type Erasures,
  type ExportSubjectRequest,
  type ListErasuresRequest,
  mostExportedRecords,
  type Retention,
  type SubjectExport,
} from '@ringfence/contract'
import type { Pause } from '../../core/heavy-work/slices.ts'
import type { ActorCall } from '../call.ts'
import { eraseSubject } from '../privacy/erase.ts'
import { exportSubject } from '../privacy/export.ts'
import { receiptsOf } from '../privacy/receipts.ts'
import { retentionPeriods } from '../privacy/retention.ts'
import type { AdminNeeds } from '../room.ts'

export const adminReadRetention = async (
  _body: object,
  _call: ActorCall,
  { settings, telecom }: AdminNeeds,
): Promise<Retention> => ({ kinds: retentionPeriods(settings, telecom.reuse.longestSeconds) })

export const adminListErasures = async (
  page: ListErasuresRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<Erasures> => ({ receipts: await receiptsOf(actor.tenantId, page, needs) })

/** Refuses with `fieldInvalid`. */
export async function adminExportSubject(
  { subject }: ExportSubjectRequest,
  { actor, response }: ActorCall,
  needs: AdminNeeds,
): Promise<SubjectExport> {
  response.hasSecret = true
  const records: SubjectExport['records'] = []
  let complete = true
  await patiently(needs, actor.tenantId, async (pause) => {
    for await (const record of exportSubject(actor.tenantId, subject, needs, pause)) {
      if (records.length < mostExportedRecords) records.push(record)
      else {
        complete = false
        break
      }
    }
  })
  // An export changes nothing else: this is the commit of its audit line.
  await needs.database.transaction(async () => {})
  return { exportedAt: new Date(needs.clock.now()).toISOString(), complete, records }
}

/** Refuses with `fieldInvalid`. */
export const adminEraseSubject = (
  { subject, reason, keepListEntries = true }: EraseSubjectRequest,
  { actor }: ActorCall,
  needs: AdminNeeds,
): Promise<ErasureReceipt> =>
  patiently(needs, actor.tenantId, (pause) =>
    eraseSubject({ tenantId: actor.tenantId, subject, by: actor.name, reason, keepListEntries }, needs, pause),
  )

/** A person with ten thousand decisions takes longer than a backend waits for an answer. */
const patienceMs = 10 * 60_000
const patiently = <T>(
  { database, heavyWork: { slices } }: AdminNeeds,
  tenantId: string,
  work: (pause: Pause) => Promise<T>,
): Promise<T> => slices.during(tenantId, (pause) => database.within(performance.now() + patienceMs, () => work(pause)))

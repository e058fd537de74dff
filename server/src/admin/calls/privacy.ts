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
import type { ActorCall } from '../../call.ts'
import type { Pause } from '../../heavy-work/slices.ts'
import type { Platform } from '../../platform.ts'
import { eraseSubject } from '../../privacy/erase.ts'
import { exportSubject } from '../../privacy/export.ts'
import { receiptsOf } from '../../privacy/receipts.ts'
import { retentionPeriods } from '../../privacy/retention.ts'

export const adminReadRetention = async (
  _body: object,
  _call: ActorCall,
  { settings, telecom }: Platform,
): Promise<Retention> => ({ kinds: retentionPeriods(settings, telecom.reuse.longestSeconds) })

export const adminListErasures = async (
  page: ListErasuresRequest,
  { actor }: ActorCall,
  platform: Platform,
): Promise<Erasures> => ({ receipts: await receiptsOf(actor.tenantId, page, platform) })

/** Refuses with `fieldInvalid`. */
export async function adminExportSubject(
  { subject }: ExportSubjectRequest,
  { actor, response }: ActorCall,
  platform: Platform,
): Promise<SubjectExport> {
  response.hasSecret = true
  const records: SubjectExport['records'] = []
  let complete = true
  await patiently(platform, actor.tenantId, async (pause) => {
    for await (const record of exportSubject(actor.tenantId, subject, platform, pause)) {
      if (records.length < mostExportedRecords) records.push(record)
      else {
        complete = false
        break
      }
    }
  })
  // An export changes nothing else: this is the commit of its audit line.
  await platform.database.transaction(async () => {})
  return { exportedAt: new Date(platform.clock.now()).toISOString(), complete, records }
}

/** Refuses with `fieldInvalid`. */
export const adminEraseSubject = (
  { subject, reason, keepListEntries = true }: EraseSubjectRequest,
  { actor }: ActorCall,
  platform: Platform,
): Promise<ErasureReceipt> =>
  patiently(platform, actor.tenantId, (pause) =>
    eraseSubject({ tenantId: actor.tenantId, subject, by: actor.name, reason, keepListEntries }, platform, pause),
  )

/** A person with ten thousand decisions takes longer than a backend waits for an answer. */
const patienceMs = 10 * 60_000
const patiently = <T>(
  { database, slices }: Platform,
  tenantId: string,
  work: (pause: Pause) => Promise<T>,
): Promise<T> => slices.during(tenantId, (pause) => database.within(performance.now() + patienceMs, () => work(pause)))

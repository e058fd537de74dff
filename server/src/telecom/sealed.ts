// Which columns of this room are sealed with a tenant's data key, and in which context?

import { bytes, noBytes, ofTenant, type SealedColumn } from '../core/storage/keys/sealed-column.ts'
import { headContext, linesContext, resultsContext } from './batches/batch-record.ts'
import { contextOf as ofAnswer } from './freshness/line-store.ts'
import { contextOfVerification } from './number-verification/number-verifications.ts'
import { watchContext } from './watching/watch-record.ts'

export const telecomSealed: readonly SealedColumn[] = [
  ofTenant('telecom_answer', 'sealed', { number_hash: noBytes, question: '' }, (_, [number, question]) =>
    ofAnswer(String(question), bytes(number)),
  ),
  ofTenant('number_verification', 'sealed', { id_hash: noBytes }, (_, [id]) => contextOfVerification(bytes(id))),
  ofTenant('number_watch', 'sealed', { id: noBytes }, (tenantId, [id]) => watchContext(tenantId, bytes(id))),
  ofTenant('telecom_batch', 'sealed', { id: noBytes }, (tenantId, [id]) => headContext(tenantId, bytes(id))),
  ofTenant('telecom_batch_part', 'sealed', { batch_id: noBytes, part: -1 }, (tenantId, [id, part]) =>
    linesContext(tenantId, bytes(id), Number(part)),
  ),
  ofTenant('telecom_batch_part', 'sealed_result', { batch_id: noBytes, part: -1 }, (tenantId, [id, part]) =>
    resultsContext(tenantId, bytes(id), Number(part)),
  ),
]

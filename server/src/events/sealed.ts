// Which columns of this room are sealed with a tenant's data key, and in which context?

import { bytes, noBytes, ofTenant, type SealedColumn } from '../core/storage/keys/sealed-column.ts'
import { answerContext, contextOf as ofEvent, receiverContext } from './sealed-event.ts'

export const eventsSealed: readonly SealedColumn[] = [
  {
    table: 'event',
    column: 'sealed',
    tenant: 'tenant_hash',
    key: { id: noBytes },
    context: (_, [id]) => ofEvent(bytes(id)),
  },
  ofTenant('event_receiver', 'sealed', { id: '' }, (tenantId, [id]) => receiverContext(tenantId, String(id))),
  ofTenant(
    'event_attempt',
    'sealed_answer',
    { receiver_id: '', attempted_at: -1, event_id: noBytes },
    (_, [receiverId, , eventId]) => answerContext(String(receiverId), bytes(eventId)),
  ),
]

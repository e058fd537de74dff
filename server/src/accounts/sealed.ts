// Which columns of this room are sealed with a tenant's data key, and in which context?

import { bytes, noBytes, ofTenant, type SealedColumn } from '../core/storage/keys/sealed-column.ts'
import { uuidText } from '../core/storage/uuid.ts'
import { contextOf as ofAccountDevice } from './devices/confirmed-device.ts'
import { contextOfCustomer } from './person.ts'
import { contextOf as ofKnowledge } from './stored-knowledge.ts'

export const accountsSealed: readonly SealedColumn[] = [
  {
    table: 'account_device',
    column: 'sealed',
    key: { account_hash: noBytes, device_id: noBytes },
    context: (tenantId, [account, device]) => ofAccountDevice(tenantId, bytes(account), uuidText(bytes(device))),
  },
  {
    table: 'account_knowledge',
    column: 'sealed',
    key: { account_hash: noBytes },
    context: (tenantId, [account]) => ofKnowledge(tenantId, bytes(account)),
  },
  ofTenant('app_user', 'sealed_customer', { id: '' }, (_, [id]) => contextOfCustomer(String(id))),
]

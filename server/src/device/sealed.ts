// Which columns of this room are sealed with a tenant's data key, and in which context?

import { bytes, noBytes, type SealedColumn } from '../core/storage/keys/sealed-column.ts'
import { contextOf as ofAnalysis } from './store/record.ts'

export const deviceSealed: readonly SealedColumn[] = [
  {
    table: 'device_analysis',
    column: 'sealed',
    tenant: 'tenant_hash',
    key: { dfr_id: noBytes },
    context: (tenantId, [dfrId]) => ofAnalysis({ tenantId, dfrId: Buffer.from(bytes(dfrId)).toString('hex') }),
  },
]

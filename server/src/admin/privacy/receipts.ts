// Which receipts of erasures does a tenant have?

import type { ErasureReceipt, ListErasuresRequest } from '@ringfence/contract'
import type { Core } from '../../core/core.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { listErasures } from './store/erasures.ts'

/** The place of a row, so that a moved row cannot be opened. */
export const erasureContext = (tenantId: string, id: Uint8Array): string =>
  `erasure ${tenantId} ${Buffer.from(id).toString('hex')}`

const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Newest first. */
export async function receiptsOf(
  tenantId: string,
  { before = highest, limit = 50 }: ListErasuresRequest,
  { database, tenantKeyring }: Pick<Core, 'database' | 'tenantKeyring'>,
): Promise<ErasureReceipt[]> {
  const rows = await listErasures(database, tenantId, { before: uuidBytes(before), limit })
  const keys = await tenantKeyring.keysOf(tenantId)
  return rows.map(({ id, sealed }) => JSON.parse(keys.open(sealed, erasureContext(tenantId, id))))
}

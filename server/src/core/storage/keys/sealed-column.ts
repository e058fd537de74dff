// Which column is sealed with a tenant's data key, and in which context? Each room says it of its tables, in `sealed.ts`.

import type { SqlValue } from '../database.ts'
import type { SealedTable } from './sealed-rows.ts'

export interface SealedColumn extends SealedTable {
  /** The context of a row with this key. */
  context(tenantId: string, key: readonly SqlValue[]): string
}

/** Below every other value of a key. */
export const noBytes = new Uint8Array(0)
export const bytes = (value: SqlValue | undefined) => value as Uint8Array

/** Of a table that names the tenant by its id. */
export const ofTenant = (
  table: string,
  column: string,
  key: SealedTable['key'],
  context: SealedColumn['context'],
): SealedColumn => ({ table, column, tenant: 'tenant_id', key, context })

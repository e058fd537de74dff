// What does each step of an import of customers get?

import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Database, Queryable } from '../../core/storage/database.ts'
import type { Buckets } from './buckets.ts'
import type { ImportReport } from './import-report.ts'
import type { Trims } from './trims.ts'

export interface ImportProgress {
  readonly phase: 'reading' | 'customers' | 'contacts'
  /** reading: bytes of the file; else parts of the data. */
  readonly done: number
  readonly total: number
}

/** What each step of an import is given. */
export interface ImportTask {
  readonly tenantId: string
  readonly database: Database
  readonly tenantKeyring: TenantKeyring
  readonly report: ImportReport
  /** The tenant has no customers yet, so none are looked for. */
  readonly isFirst: boolean
  readonly sliceRows: number
  readonly customers: Buckets
  readonly pairs: Buckets
  readonly trims: Trims
  /** A transaction of an import that may go on. Others come between two of them. */
  write<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  /** Says how far it is, lets others run, and throws when the import was stopped. */
  progress(progress: ImportProgress): Promise<void>
}

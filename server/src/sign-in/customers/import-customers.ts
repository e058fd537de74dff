// How are a tenant's customers imported, by the million? The file is read and hashed, then customers and then contacts are stored in the order
// of their hashes. Each step leaves a store that links nobody wrongly, and a second run completes what was stopped.

import { setTimeout as pause } from 'node:timers/promises'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Database, Queryable } from '../../core/storage/database.ts'
import { hasCustomers } from '../store/customer-rows.ts'
import { Buckets } from './buckets.ts'
import { claimImport, type ImportClaim } from './import-claim.ts'
import { ImportReport, type ImportSummary } from './import-report.ts'
import type { ImportProgress, ImportTask } from './import-task.ts'
import { readCustomers } from './read-customers.ts'
import { withScratchFolder } from './scratch-folder.ts'
import { storeContacts } from './store-contacts.ts'
import { removeOthers, storeCustomers, trimCustomers } from './store-customers.ts'
import { Trims } from './trims.ts'

export interface ImportOptions {
  readonly tenantId: string
  readonly source: AsyncIterable<Uint8Array>
  /** Of the source, for the progress; 0: not known. */
  readonly bytes?: number
  /** Removes who is not in the file, if the file has no mistake. */
  readonly replace?: boolean
  /** Where files of the import may be, about as large as the source twice. */
  readonly dataFolder: string
  /** Rows of a transaction. */
  readonly sliceRows?: number
  /** How long an import that was killed keeps the tenant. */
  readonly waitMs?: number
  readonly onProgress?: (progress: ImportProgress) => void
  readonly signal?: AbortSignal
}

/** @throws ImportRefused, NoHead; Error of the file system, of the store, or the reason of the signal */
export async function importCustomers(
  options: ImportOptions,
  resources: { readonly database: Database; readonly tenantKeyring: TenantKeyring },
): Promise<ImportSummary> {
  const { tenantId, dataFolder, replace = false, sliceRows = 4_096, waitMs, signal } = options
  const { database } = resources
  const began = performance.now()
  const claim = await claimImport(database, tenantId, { waitMs, signal })
  try {
    return await withScratchFolder(dataFolder, async (folder) => {
      const report = new ImportReport()
      const task: ImportTask = {
        ...{ tenantId, ...resources, report, sliceRows },
        isFirst: !(await hasCustomers(database, tenantId)),
        customers: new Buckets(folder, 'customers'),
        pairs: new Buckets(folder, 'contacts'),
        trims: new Trims(folder),
        write: (work) => written(claim, database, work),
        progress: progressOf(options, claim, database),
      }
      await readCustomers(task, options.source, options.bytes ?? 0)
      await storeCustomers(task)
      if (replace && !task.isFirst) await removeOthers(task)
      await storeContacts(task)
      await trimCustomers(task)
      return report.summary(performance.now() - began)
    })
  } finally {
    // One that cannot say that it has ended no longer counts after some seconds.
    await claim.end().catch(() => undefined)
  }
}

const leastPauseMs = 2

async function written<T>(claim: ImportClaim, database: Database, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const began = performance.now()
  const result = await database.transaction(async (tx) => {
    await claim.beat(tx)
    return work(tx)
  })
  await pause(Math.max(leastPauseMs, (performance.now() - began) / 8))
  return result
}

/** Reading writes nothing, so it says from time to time that the import still runs. */
const beatMs = 1_000

function progressOf({ onProgress, signal }: ImportOptions, claim: ImportClaim, database: Database) {
  let beatAt = performance.now()
  return async (progress: ImportProgress) => {
    onProgress?.(progress)
    await new Promise((resume) => setImmediate(resume))
    signal?.throwIfAborted()
    if (performance.now() - beatAt < beatMs) return
    beatAt = performance.now()
    await database.transaction((tx) => claim.beat(tx))
  }
}

// May this import write now? A tenant has one import at a time; one that was killed no longer counts.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Queryable } from '../../core/storage/database.ts'
import { beginImport, endImport, importBeats, runningImport, takeImportOver } from '../store/customer-imports.ts'

/** One that runs writes far more often. No clocks are compared: two servers may import. */
const deadAfterMs = 10_000
const lookAgainMs = 100

/** Why an import cannot begin, or go on. What it stored is right, and a second run completes it. */
export class ImportRefused extends Error {
  override name = 'ImportRefused'
}

export interface ImportClaim {
  /** In each transaction that writes. @throws ImportRefused when the import was stopped */
  beat(tx: Queryable): Promise<void>
  end(): Promise<void>
}

/** @throws ImportRefused while another one runs */
export async function claimImport(
  database: Database,
  tenantId: string,
  { waitMs = deadAfterMs, signal }: { waitMs?: number | undefined; signal?: AbortSignal | undefined },
): Promise<ImportClaim> {
  const importId = randomUUID()
  let since = performance.now()
  let seen = await runningImport(database, tenantId)
  for (;;) {
    signal?.throwIfAborted()
    if (!seen && (await beginImport(database, tenantId, importId))) break
    const isDead = seen && performance.now() - since >= waitMs
    if (seen && isDead && (await takeImportOver(database, tenantId, { dead: seen, importId }))) break
    if (seen) await pause(lookAgainMs)
    const now = await runningImport(database, tenantId)
    if (seen && now && (now.importId !== seen.importId || now.beats !== seen.beats))
      throw new ImportRefused('another import of customers is running for this tenant: wait until it has ended')
    if (!seen) since = performance.now()
    seen = now
  }
  return {
    async beat(tx) {
      if (await importBeats(tx, tenantId, importId)) return
      throw new ImportRefused(
        'the import was stopped, because a customer was erased, or another import began: import a file without erased customers',
      )
    },
    end: () => endImport(database, tenantId, importId),
  }
}

// Which erasures does a restored backup not know? A file beside the store that no backup contains, with a line for each erasure.

import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErasureReceipt } from '@ringfence/contract'

/** It does not name who was erased: `mark` is a hash under a key of the tenant, and the receipt has a slow, salted one. */
export interface LedgerEntry {
  readonly tenantId: string
  /** base64url. */
  readonly mark: string
  readonly keepListEntries: boolean
  /** Keyed hashes of the number or email address: what was imported of customers has no more than these. base64url. */
  readonly contacts?: readonly string[]
  readonly receipt: ErasureReceipt
}

export const ledgerFileName = 'erasures.ndjson'

/** In the data folder, which a restore fills without it. */
export const ledgerOf = ({ dataFolder }: { readonly dataFolder: string }): string => join(dataFolder, ledgerFileName)

/** Appends a line, which is on the disk when this returns. @returns false when it cannot be written */
export async function noteErasure(file: string, entry: LedgerEntry): Promise<boolean> {
  try {
    const opened = await open(file, 'a', 0o600)
    try {
      // A line that a crash cut off must not spoil this one.
      await opened.write(`\n${JSON.stringify(entry)}\n`)
      await opened.sync()
    } finally {
      await opened.close()
    }
    return true
  } catch {
    return false
  }
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[]
  /** Lines that are cut off or no entries. */
  readonly damaged: number
}

/** Empty when there is no file. @throws when it cannot be read */
export async function readLedger(file: string): Promise<Ledger> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const entries: LedgerEntry[] = []
  let damaged = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const entry = entryIn(line)
    if (entry) entries.push(entry)
    else damaged++
  }
  return { entries, damaged }
}

function entryIn(line: string): LedgerEntry | undefined {
  try {
    const entry = JSON.parse(line) as Partial<LedgerEntry>
    const { tenantId, mark, receipt } = entry
    const isEntry = typeof tenantId === 'string' && typeof mark === 'string' && typeof receipt?.id === 'string'
    return isEntry ? (entry as LedgerEntry) : undefined
  } catch {
    return undefined
  }
}

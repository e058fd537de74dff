// How does a part survive a kill? Before an operator is called about a number, that is written; results follow with the next write.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { type BatchStatement, ConditionFailed, type Database } from '../../core/storage/database.ts'
import { doneStatement, type PartRow, progressStatement, readParts } from '../store/batch-parts.ts'
import {
  openLines,
  openResults,
  type StoredLine,
  type StoredResult,
  type StoredResults,
  sealResults,
} from './batch-record.ts'

import { erasedLine } from './progress.ts'

/** Another server has the batch now, or it was deleted. */
export class ClaimLost extends Error {
  override name = 'ClaimLost'
}

export interface Journal {
  readonly lines: readonly StoredLine[]
  /** Of each line; null: not known yet. */
  readonly results: readonly (StoredResult | null)[]
  /** A server that stopped may have called an operator about this line. */
  wasAsked(place: number): boolean
  /** Returns when it is written that an operator may be called about this line. @throws ClaimLost */
  noteAsking(place: number): Promise<void>
  note(place: number, result: StoredResult): void
  /** Writes all results, together with the progress of the batch. @throws ClaimLost */
  finish(progress: () => BatchStatement): Promise<void>
  /** Writes what is known until now. */
  flush(): Promise<void>
}

export interface JournalResources {
  readonly database: Database
  readonly keys: TenantKeys
  /** Fails when another server has the batch. */
  renewal(): BatchStatement
  stillOurs(): Promise<boolean>
}

export function journal(row: PartRow, { database, keys, renewal, stillOurs }: JournalResources): Journal {
  let version = row.version
  let lines = openLines(row, keys)
  const results: StoredResults = openResults(row, keys)
  while (results.length < lines.length) results.push(null)
  const before = Buffer.from(row.asked ?? [])
  const asked = Buffer.alloc(Math.ceil(lines.length / 8))
  before.copy(asked)
  const isIn = (bits: Buffer, place: number) => ((bits[place >> 3] ?? 0) & (1 << (place & 7))) !== 0
  let next: Promise<void> | undefined
  let writing: Promise<void> = Promise.resolve()

  for (const place of lines.keys()) eraseAt(place)

  function eraseAt(place: number): void {
    if (lines[place]!.erased) results[place] = erasedLine
  }

  /** Writes statements of this part, again when a number in it was erased meanwhile. */
  async function write(ofPart: () => BatchStatement, ofBatch: () => BatchStatement): Promise<void> {
    for (;;) {
      try {
        await database.batch([ofBatch(), ofPart()])
        return
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error
        if (!(await stillOurs())) throw new ClaimLost()
        const { tenantId, batchId, part } = row
        const [now] = await readParts(database, { tenantId, batchId, from: part, limit: 1 })
        if (now?.part !== part) throw new ClaimLost()
        if (now.version === version) throw error
        version = now.version
        lines = openLines(now, keys)
        for (const place of lines.keys()) eraseAt(place)
      }
    }
  }

  /** One write at a time; all that is noted meanwhile goes into the next one. */
  function writeSoon(): Promise<void> {
    next ??= writing
      .catch(() => undefined)
      .then(() => {
        next = undefined
        const known = () => ({ asked: Buffer.from(asked), sealedResult: sealed() })
        writing = write(() => progressStatement({ ...row, version }, known()), renewal)
        return writing
      })
    return next
  }

  const sealed = () => (results.every((result) => result === null) ? null : sealResults(results, row, keys))

  return {
    get lines() {
      return lines
    },
    results,
    wasAsked: (place) => isIn(before, place),
    noteAsking(place) {
      asked[place >> 3] = asked[place >> 3]! | (1 << (place & 7))
      return writeSoon()
    },
    note(place, result) {
      results[place] = result
      eraseAt(place)
    },
    async finish(progress) {
      await (next ?? writing)
      await write(() => doneStatement({ ...row, version }, sealResults(results, row, keys)), progress)
    },
    flush: () => writeSoon(),
  }
}

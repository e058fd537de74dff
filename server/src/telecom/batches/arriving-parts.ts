// Where are the lines of a batch stored while its body arrives? In parts, some of them in one commit.

import { batchLimits } from '@ringfence/contract'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { Refusal } from '../../core/errors.ts'
import type { BatchStatement, Database } from '../../core/storage/database.ts'
import { type PartKey, partInsert } from '../store/batch-parts.ts'
import { numberIn, partLines, type StoredLine, sealLines } from './batch-record.ts'
import type { ReadLine } from './read-line.ts'

/** Parts in one commit. */
const partsAtOnce = 10

export class ArrivingParts {
  total = 0
  parts = 0
  readonly #batch: Pick<PartKey, 'tenantId' | 'batchId'>
  readonly #keys: TenantKeys
  readonly #database: Database
  /** Of each number, where it was first: part, place, line. */
  readonly #first = new Map<string, readonly [number, number, number]>()
  #lines: StoredLine[] = []
  #statements: BatchStatement[] = []

  constructor(batch: Pick<PartKey, 'tenantId' | 'batchId'>, keys: TenantKeys, database: Database) {
    this.#batch = batch
    this.#keys = keys
    this.#database = database
  }

  /** Adds a line, or what is wrong with it. Refuses with `batchInvalid`. */
  add(line: number, read: ReadLine | string): void {
    if (++this.total > batchLimits.lines) {
      throw new Refusal('batchInvalid', {
        mistake: `it has more than ${batchLimits.lines} lines; send several batches`,
      })
    }
    this.#lines.push(this.#storedLine(line, read))
    if (this.#lines.length === partLines) this.#closePart()
  }

  /** Writes the parts that are full, once there are enough of them for a commit. */
  async writeFull(): Promise<void> {
    if (this.#statements.length >= partsAtOnce) await this.#write()
  }

  async writeRest(): Promise<void> {
    this.#closePart()
    if (this.#statements.length > 0) await this.#write()
  }

  async #write(): Promise<void> {
    await this.#database.batch(this.#statements)
    this.#statements = []
  }

  #closePart(): void {
    if (this.#lines.length === 0) return
    const part = { ...this.#batch, part: this.parts++ }
    const sealed = sealLines(this.#lines, part, this.#keys)
    this.#statements.push(partInsert(part, { firstLine: this.#lines[0]!.l, sealed }))
    this.#lines = []
  }

  #storedLine(l: number, read: ReadLine | string): StoredLine {
    if (typeof read === 'string') return { l, m: read }
    const digits = numberIn(read.phoneNumber)
    const d = this.#first.get(digits)
    if (!d) this.#first.set(digits, [this.parts, this.#lines.length, l])
    return {
      ...{ l, n: read.phoneNumber },
      ...(read.values.length > 0 && { v: read.values }),
      ...(d && { d }),
    }
  }
}

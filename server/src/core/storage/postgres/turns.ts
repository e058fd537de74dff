// Whose turn is it? Batches that count the same are written one after the other: in this process they wait here, on others for a lock.

import { createHash } from 'node:crypto'
import type { BatchStatement } from '../database.ts'
import { within } from '../transaction.ts'

/** The locks of what a batch counts, in one order for all. */
export const turnsOf = (statements: readonly BatchStatement[]): bigint[] => {
  const names = new Set(statements.flatMap(({ counts }) => counts ?? []))
  return [...names].map((name) => createHash('sha256').update(name).digest().readBigInt64BE()).sort(inOrder)
}
const inOrder = (one: bigint, other: bigint) => (one < other ? -1 : 1)

/** Whoever waits holds no connection, so a flood of batches that count the same leaves those to other writes. */
export class Turns {
  /** For each lock, the end of the last batch. */
  readonly #ends = new Map<bigint, Promise<unknown>>()

  /** @throws StorageUnavailable at `until`, while it waits */
  async take<T>(turns: readonly bigint[], until: number, work: () => Promise<T>): Promise<T> {
    const ahead = turns.flatMap((turn) => this.#ends.get(turn) ?? [])
    const before = Promise.all(ahead)
    const late = 'PostgreSQL: batches that count the same took too long'
    const result = ahead.length === 0 ? work() : within(until - performance.now(), before, late).then(work)
    // Without their values: each would hold those of all that were before it, as long as others wait.
    const end = Promise.allSettled([before, result]).then(() => undefined)
    for (const turn of turns) this.#ends.set(turn, end)
    try {
      return await result
    } finally {
      for (const turn of turns) if (this.#ends.get(turn) === end) this.#ends.delete(turn)
    }
  }
}

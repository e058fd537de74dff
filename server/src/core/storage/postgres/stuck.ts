// Which kinds of write hang? One of each tries, so that the others leave their connections to writes that work.

import { StorageUnavailable } from '../database.ts'

/** A write that took less was only slow for a caller in a hurry. */
const hangsAfterMs = 1_000

export class Stuck {
  /** Whether the one that tries is running, by the name of the statement. */
  readonly #kinds = new Map<string, boolean>()

  /** @throws StorageUnavailable while one of this kind tries */
  refuseIfStuck(kind: string): void {
    if (this.#kinds.get(kind)) {
      throw new StorageUnavailable('PostgreSQL: writes of this kind hang (a lock?), and one of them is trying', {
        reason: 'time',
      })
    }
  }

  /** Runs a write of this kind and remembers whether it hung. */
  async watch<T>(kind: string, write: () => Promise<T>): Promise<T> {
    const tries = this.#kinds.has(kind)
    if (tries) {
      this.refuseIfStuck(kind)
      this.#kinds.set(kind, true)
    }
    const startedAt = performance.now()
    try {
      const result = await write()
      this.#kinds.delete(kind)
      return result
    } catch (error) {
      const hung = performance.now() - startedAt > hangsAfterMs
      if (tries || hung) this.#kinds.set(kind, false)
      if (!isLate(error)) this.#kinds.delete(kind)
      throw error
    }
  }
}

const isLate = (error: unknown) => error instanceof StorageUnavailable && error.reason === 'time'

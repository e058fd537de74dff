// When is it stored that events have arrived? Several in one commit, however many receivers they went to.

import { type Database, StorageUnavailable } from '../../core/storage/database.ts'
import { paddedAtOnce } from '../../core/storage/in-sizes.ts'
import { type AttemptRow, attemptsInsert } from '../store/attempts.ts'
import { type DeliveryKey, deliveriesDelete } from '../store/deliveries.ts'

/** An answer waits no longer for others. */
const longestMs = 5

/** The delivery ends, and its last attempt is stored. */
export interface Confirmation {
  readonly delivery: DeliveryKey
  readonly attempt: AttemptRow
}

interface Waiting extends Confirmation {
  resolve(): void
  reject(error: unknown): void
}

export class Confirmations {
  readonly #database: Pick<Database, 'batch'>
  #waiting: Waiting[] = []
  #attempts = 0
  #timer: NodeJS.Timeout | undefined

  constructor(database: Pick<Database, 'batch'>) {
    this.#database = database
  }

  /** Runs an attempt, whose confirmation others wait for. */
  async during<T>(attempt: () => Promise<T>): Promise<T> {
    this.#attempts++
    try {
      return await attempt()
    } finally {
      this.#attempts--
      // After the caller had its turn to confirm.
      if (this.#attempts === 0) setImmediate(() => this.#attempts === 0 && this.#commitAll())
    }
  }

  /** Resolves when it is durable. Until then the event may be sent again, so no other one of its key may follow. */
  confirm(confirmation: Confirmation): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...confirmation, resolve, reject })
      if (this.#waiting.length >= paddedAtOnce) this.#commitAll()
      else this.#timer ??= setTimeout(() => this.#commitAll(), longestMs)
    })
  }

  #commitAll(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const group = this.#waiting
    this.#waiting = []
    if (group.length > 0) void this.#commit(group)
  }

  async #commit(group: readonly Waiting[]): Promise<void> {
    try {
      const deliveries = group.map(({ delivery }) => delivery)
      await this.#database.batch([deliveriesDelete(deliveries), attemptsInsert(group.map(({ attempt }) => attempt))])
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (group.length === 1 || error instanceof StorageUnavailable) for (const { reject } of group) reject(error)
      // One that cannot be written must not hold up those of other receivers.
      else for (const one of group) await this.#commit([one])
    }
  }
}

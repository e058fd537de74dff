// Which write goes next on SQLite, and with which others does it share a commit?

import { AsyncLocalStorage } from 'node:async_hooks'
import { type Row, type SqlValue, StorageUnavailable } from '../database.ts'
import type { BegunTransaction } from '../transaction.ts'
import { errorOf } from './errors.ts'
import { sent, type Write, type WriterRequest } from './messages.ts'
import { WriterThread } from './writer-thread.ts'

/** More statements in one commit hardly raise the rate, but everyone in the group waits for the last. */
const largestGroup = 1_000
/** Half a second's worth. What comes on top is refused at once instead of being answered too late. */
const longestLine = 20_000

interface WaitingWrite extends Write {
  resolve(rows: Row[]): void
  reject(error: Error): void
}

/** Holds the writer alone until the promise settles. It does not reject. */
type WaitingTransaction = () => Promise<void>

export class SqliteWrites {
  readonly #thread: WriterThread
  #line: (WaitingWrite | WaitingTransaction)[] = []
  #serving: Promise<void> | undefined

  constructor(file: string) {
    this.#thread = new WriterThread(file)
  }

  /** Opens the file now, so that a folder that cannot be used is known before anything is asked of it. */
  async open(): Promise<void> {
    await this.#step({ do: 'open' })
  }

  /** Joins the group that is committed next: the writes of this turn of the event loop, or all that come during a commit. */
  write(sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#enter({ sql, params: params.map(sent), resolve, reject })
    })
  }

  /** Runs `body` when the writer is free; nothing else is written until it has ended. */
  transaction<T>(body: (begun: BegunTransaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Bound, since the line is served in the context of whoever came first, not of this caller.
      this.#enter(AsyncLocalStorage.bind(() => this.#begin().then(body).then(resolve, reject)))
    })
  }

  /** Finishes what is in line, then ends the thread. */
  async close(): Promise<void> {
    await this.#serving
    await this.#thread.close()
  }

  #enter(waiting: WaitingWrite | WaitingTransaction): void {
    if (this.#line.length >= longestLine) throw new StorageUnavailable(`${longestLine} writes are waiting already`)
    this.#line.push(waiting)
    this.#serving ??= this.#serve()
  }

  async #serve(): Promise<void> {
    await new Promise(setImmediate) // the end of this turn of the event loop
    while (this.#line.length > 0) {
      const end = this.#line.findIndex((waiting, index) => typeof waiting === 'function' || index === largestGroup)
      if (end === 0) await (this.#line.shift() as WaitingTransaction)()
      else await this.#commit(this.#line.splice(0, end === -1 ? this.#line.length : end) as WaitingWrite[])
    }
    this.#serving = undefined
  }

  async #commit(group: WaitingWrite[]): Promise<void> {
    try {
      const writes = group.map(({ sql, params }) => ({ sql, params }))
      const outcomes = await this.#thread.ask({ do: 'group', writes })
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index] ?? []
        if (Array.isArray(outcome)) resolve(outcome)
        else reject(errorOf(outcome))
      }
    } catch (error) {
      for (const write of group) write.reject(error as Error)
    }
  }

  async #begin(): Promise<BegunTransaction> {
    await this.#step({ do: 'begin' })
    return {
      query: (sql, params) => this.#step({ do: 'statement', write: { sql, params: params.map(sent) } }),
      commit: async () => void (await this.#step({ do: 'commit' })),
      rollback: async () => void (await this.#step({ do: 'rollback' }).catch(() => undefined)),
    }
  }

  async #step(request: WriterRequest): Promise<Row[]> {
    const [outcome] = await this.#thread.ask(request)
    if (outcome && !Array.isArray(outcome)) throw errorOf(outcome)
    return outcome ?? []
  }
}

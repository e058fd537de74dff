// Which write is next on SQLite, and which others share its commit?

import { AsyncLocalStorage } from 'node:async_hooks'
import { type BatchStatement, type Row, type SqlValue, StorageUnavailable } from '../database.ts'
import type { BegunTransaction } from '../transaction.ts'
import { errorOf } from './errors.ts'
import { sent, type Write, type WriteBatch, type WriterRequest } from './messages.ts'
import { WriterThread } from './writer-thread.ts'

/** More statements in one commit hardly raise the rate, but all of them wait for the last. */
const largestGroup = 1_000
/** Writes for half a second. More are refused at once instead of being answered too late. */
const longestQueue = 20_000
/** What nobody waits for shares the commits of so long. */
const soonMs = 10

interface WaitingWrite {
  readonly write: Write | WriteBatch
  readonly isSoon: boolean
  resolve(rows: Row[]): void
  reject(error: Error): void
}

/** Has the writer for itself until the promise settles, which never rejects. */
type WaitingTransaction = () => Promise<void>

const isUrgent = (waiting: WaitingWrite | WaitingTransaction) => typeof waiting === 'function' || !waiting.isSoon

export class SqliteWrites {
  readonly #thread: WriterThread
  #queue: (WaitingWrite | WaitingTransaction)[] = []
  /** Those in the queue that somebody waits for. */
  #urgent = 0
  #soon: NodeJS.Timeout | undefined
  #serving: Promise<void> | undefined

  constructor(file: string) {
    this.#thread = new WriterThread(file)
  }

  /** Opens the file now, so that an unusable folder is noticed at the start. */
  async open(): Promise<void> {
    await this.#step({ do: 'open' })
  }

  /** Copies the whole log into the file, and cuts it off, when the writer is free. */
  cutLog(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#enter(() => this.#step({ do: 'cutLog' }).then(() => resolve(), reject))
    })
  }

  /** Joins the next commit: all writes of this turn of the event loop, or all that arrive during a commit. */
  write(sql: string, params: readonly SqlValue[]): Promise<Row[]> {
    return new Promise((resolve, reject) => {
      this.#enter({ write: { sql, params: params.map(sent) }, isSoon: false, resolve, reject })
    })
  }

  /** The same for statements that succeed or fail together. `soon`: nobody waits for them, so others may join their commit. */
  batch(statements: readonly BatchStatement[], when: 'now' | 'soon' = 'now'): Promise<Row[]> {
    const write = statements.map((statement) => ({ ...statement, params: statement.params.map(sent) }))
    return new Promise((resolve, reject) => this.#enter({ write, isSoon: when === 'soon', resolve, reject }))
  }

  /** Runs `body` when the writer is free. Nothing else is written until it has ended. */
  transaction<T>(body: (begun: BegunTransaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      // Bound, since the queue runs in the async context of its first caller, not of this one.
      this.#enter(AsyncLocalStorage.bind(() => this.#begin().then(body).then(resolve, reject)))
    })
  }

  /** Finishes the queue, then ends the thread. */
  async close(): Promise<void> {
    do {
      if (this.#queue.length > 0) this.#serving ??= this.#serve()
      await this.#serving
    } while (this.#queue.length > 0)
    await this.#thread.close()
  }

  #enter(waiting: WaitingWrite | WaitingTransaction): void {
    if (this.#queue.length >= longestQueue) throw new StorageUnavailable(`${longestQueue} writes are already waiting`)
    this.#queue.push(waiting)
    if (isUrgent(waiting)) {
      this.#urgent++
      this.#serving ??= this.#serve()
    } else if (!this.#serving) this.#serveSoon()
  }

  #serveSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#serving ??= this.#serve()
    }, soonMs)
  }

  /** In the order of arrival: what is not urgent comes with the urgent that came after it, or alone when its time is over. */
  async #serve(): Promise<void> {
    clearTimeout(this.#soon)
    this.#soon = undefined
    await new Promise(setImmediate) // the end of this turn of the event loop
    do {
      const end = this.#queue.findIndex((waiting, index) => typeof waiting === 'function' || index === largestGroup)
      const group = this.#queue.splice(0, end === -1 ? this.#queue.length : Math.max(1, end))
      this.#urgent -= group.filter(isUrgent).length
      if (end === 0) await (group[0] as WaitingTransaction)()
      else await this.#commit(group as WaitingWrite[])
    } while (this.#urgent > 0)
    this.#serving = undefined
    if (this.#queue.length > 0) this.#serveSoon()
  }

  async #commit(group: WaitingWrite[]): Promise<void> {
    try {
      const results = await this.#thread.send({ do: 'group', writes: group.map(({ write }) => write) })
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index] ?? []
        if (Array.isArray(result)) resolve(result)
        else reject(errorOf(result))
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
    const [result] = await this.#thread.send(request)
    if (result && !Array.isArray(result)) throw errorOf(result)
    return result ?? []
  }
}

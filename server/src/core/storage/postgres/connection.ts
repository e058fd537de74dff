// What is the state of one connection? It runs one statement at a time, and may be busy with one that nobody waits for.

import { connect as connectSocket } from 'node:net'
import type { Client, QueryConfig, QueryResult } from 'pg'
import { type Row, StorageUnavailable } from '../database.ts'
import { errorOf, OutcomeUnknown, PreparedStatementLost } from './errors.ts'

/** What `pg` knows and does not declare. */
interface Internals {
  readonly processID: number | null
  readonly secretKey: number | null
  readonly connection: { stream: { destroy(): void } }
}

const cancelTimeoutMs = 1_000
const cancelRequestCode = 80_877_102

export class Connection {
  readonly host: string
  readonly #client: Client & Internals
  /** It is lost, or in an unknown state: it must not be used again. */
  isUnusable = false
  /** When the running statement was sent (`performance.now()`); undefined when none runs. */
  busySince: number | undefined
  idleSince = 0
  #onFree: (() => void) | undefined
  #onLost: (() => void) | undefined
  /** PostgreSQL reported that the commit of this statement did not wait for its standby. */
  #isUnreplicated = false

  constructor(client: Client, host: string) {
    this.host = host
    this.#client = client as Client & Internals
    const lost = () => {
      this.isUnusable = true
      this.#onLost?.()
    }
    client.on('error', lost)
    client.on('end', lost)
    client.on('notice', ({ routine }) => {
      this.#isUnreplicated ||= routine === 'SyncRepWaitForLSN'
    })
  }

  get processId(): number | null {
    return this.#client.processID
  }

  /** Called at most once, when the connection is lost. */
  onLost(callback: (() => void) | undefined): void {
    this.#onLost = callback
  }

  /** Called once when the running statement has ended. */
  onFree(callback: () => void): void {
    this.#onFree = callback
  }

  /**
   * Rows of a statement. Throws StorageUnavailable at `until`; then the statement still runs, and the connection stays busy.
   * @param begin begins a transaction that has only this statement: all of it is sent at once, and costs one round trip
   * @throws OutcomeUnknown when the connection is lost
   */
  send<R = Row>(query: QueryConfig, until: number, begin?: string): Promise<R[]> {
    return new Promise((resolve, reject) => {
      const now = performance.now()
      const late = () => reject(new StorageUnavailable('PostgreSQL: no answer in time', { reason: 'time' }))
      const timer = until === Number.POSITIVE_INFINITY ? undefined : setTimeout(late, Math.max(0, until - now))
      this.busySince = now
      this.#isUnreplicated = false
      const texts = begin === undefined ? [query] : [{ text: begin }, query, { text: 'commit' }]
      let [failure, rows, unanswered]: [Error | undefined, R[], number] = [undefined, [], texts.length]
      const answered = () => {
        clearTimeout(timer)
        if (failure) reject(failure)
        else if (this.#isUnreplicated) reject(new OutcomeUnknown('PostgreSQL: committed, but on no standby'))
        else resolve(rows)
        this.busySince = undefined
        const onFree = this.#onFree
        this.#onFree = undefined
        onFree?.()
      }
      for (const each of texts) {
        this.#client.query(each, (cause: Error | null, result: QueryResult) => {
          // After the first failure, the others only say that the transaction is aborted.
          if (cause) failure ??= this.#failed(cause)
          else if (each === query) rows = result.rows as R[]
          if (--unanswered === 0) answered()
        })
      }
    })
  }

  #failed(cause: Error): Error {
    const error = errorOf(cause)
    this.isUnusable ||=
      error instanceof PreparedStatementLost ||
      (error instanceof StorageUnavailable && ['connection', 'read_only', 'fault'].includes(error.reason))
    return error
  }

  /** Asks the server to stop the running statement, which must only read: it would also end a commit's wait for its standby. */
  cancel(): void {
    this.isUnusable = true // the request may arrive late and stop the next statement
    const { processID, secretKey, host, port } = this.#client
    if (processID === null || secretKey === null) return
    const request = Buffer.alloc(16)
    for (const [index, value] of [16, cancelRequestCode, processID, secretKey].entries()) {
      request.writeInt32BE(value, index * 4)
    }
    const socket = host.startsWith('/') ? connectSocket(`${host}/.s.PGSQL.${port}`) : connectSocket({ host, port })
    socket.setTimeout(cancelTimeoutMs, () => socket.destroy())
    socket.on('error', () => undefined)
    socket.resume() // it ends when the server closes it: PgBouncer 1.18 crashes when the client closes first
    socket.write(request)
  }

  /** Closes it in good order. */
  async end(): Promise<void> {
    this.#onLost = undefined
    await this.#client.end().catch(() => undefined)
  }

  /** Closes it at once; a running statement fails. */
  destroy(): void {
    this.isUnusable = true
    this.#client.connection.stream.destroy()
  }
}

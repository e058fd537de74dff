// Which connection is free? A pool in which every wait has an end.

import { setTimeout as after } from 'node:timers/promises'
import { type PoolState, StorageUnavailable } from '../database.ts'
import type { Connection } from './connection.ts'

/** When this many calls wait, more are refused at once instead of being answered too late. */
const longestQueue = 5_000
/** Pause after a failed attempt to connect. */
const pauseMs = 100
const closeIdleAfterMs = 30_000
/** A server that does not confirm the end of a connection within this time hangs, and must not hold up a stop. */
const endMs = 1_000

interface Waiter {
  resolve(connection: Connection): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

export interface ConnectionsOptions {
  readonly pool: PoolState['pool']
  readonly most: number
  connect(): Promise<Connection>
  /** The caller of the running statement no longer waits. The connection counts as in use until the statement has ended. */
  onAbandoned(connection: Connection): void
}

/**
 * Why not pg-pool: it has one time limit for all calls, counts calls that gave up as waiting, fails a call when no connection can be
 * added although others are in use, and connects to one host.
 */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #open = new Set<Connection>()
  /** The newest is last and is used first. */
  readonly #idle: Connection[] = []
  readonly #waiters = new Set<Waiter>()
  #connecting = 0
  #abandoned = 0
  #pausedUntil = 0
  #lastFailure: Error | undefined
  #closed = false
  readonly #closesIdle: NodeJS.Timeout

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#closesIdle = setInterval(() => this.#closeIdle(performance.now() - closeIdleAfterMs), closeIdleAfterMs / 3)
    this.#closesIdle.unref()
  }

  state(): PoolState {
    const idle = this.#idle.length
    return {
      pool: this.#options.pool,
      inUse: this.#open.size - idle - this.#abandoned,
      idle,
      abandoned: this.#abandoned,
      waiting: this.#waiters.size,
    }
  }

  /**
   * A free connection; the caller gives it back with `release`.
   * @throws StorageUnavailable at `until`, or at once when too many wait or no server can be reached
   */
  async acquire(until: number): Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#waiters.size >= longestQueue) {
      throw new StorageUnavailable(`${longestQueue} calls are already waiting`, { reason: 'queue' })
    }
    if (this.#lastFailure && this.#open.size + this.#connecting === 0 && performance.now() < this.#pausedUntil) {
      throw this.#lastFailure
    }
    return new Promise((resolve, reject) => {
      const late = () => {
        this.#waiters.delete(waiter)
        const { inUse, abandoned } = this.state()
        const text = `PostgreSQL: no ${this.#options.pool} connection was free in time (${inUse} in use, ${abandoned} of them hang)`
        reject(new StorageUnavailable(text, { reason: 'time' }))
      }
      const waiter = { resolve, reject, timer: setTimeout(late, Math.max(0, until - performance.now())) }
      this.#waiters.add(waiter)
      this.#grow()
    })
  }

  /** Takes back a connection. One that still runs a statement is free when that has ended. */
  release(connection: Connection): void {
    if (connection.busySince === undefined) {
      this.#takeBack(connection)
      return
    }
    this.#abandoned++
    connection.onFree(() => {
      this.#abandoned--
      this.#takeBack(connection)
    })
    this.#options.onAbandoned(connection)
  }

  /** Another host takes writes now: leaves all others. */
  leaveOthers(host: string): void {
    for (const connection of this.#open) {
      if (connection.host === host) continue
      connection.isUnusable = true
      if (this.#idle.includes(connection)) this.#remove(connection)
      // A statement that runs there fails, which is better than to wait for a server that was replaced.
      else connection.destroy()
    }
  }

  /** Closes the connections that are not in use: one of their kind was lost. */
  closeIdle(): void {
    this.#closeIdle(Number.POSITIVE_INFINITY)
  }

  /** Closes all connections, also those of abandoned statements. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#closesIdle)
    const open = [...this.#open]
    this.#idle.length = 0
    this.#open.clear()
    const ends = open.map((connection) =>
      connection.busySince === undefined ? connection.end() : connection.destroy(),
    )
    await Promise.race([Promise.all(ends), after(endMs, undefined, { ref: false })])
    for (const connection of open) connection.destroy()
  }

  #takeBack(connection: Connection): void {
    if (connection.isUnusable || this.#closed) {
      this.#remove(connection)
      this.#grow()
      return
    }
    const waiter = this.#nextWaiter()
    if (waiter) waiter.resolve(connection)
    else {
      connection.idleSince = performance.now()
      this.#idle.push(connection)
    }
  }

  #nextWaiter(): Waiter | undefined {
    const { value: waiter } = this.#waiters.values().next()
    if (!waiter) return undefined
    this.#waiters.delete(waiter)
    clearTimeout(waiter.timer)
    return waiter
  }

  /** Opens a connection for each waiting call that no attempt serves yet. */
  #grow(): void {
    while (
      !this.#closed &&
      this.#connecting < this.#waiters.size &&
      this.#open.size + this.#connecting < this.#options.most
    ) {
      this.#connecting++
      void this.#addOne()
    }
  }

  async #addOne(): Promise<void> {
    const pause = this.#pausedUntil - performance.now()
    if (pause > 0) await after(pause, undefined, { ref: false })
    try {
      const connection = await this.#options.connect()
      this.#connecting--
      this.#pausedUntil = 0
      this.#open.add(connection)
      connection.onLost(() => this.#lost(connection))
      this.#takeBack(connection)
    } catch (error) {
      this.#connecting--
      this.#lastFailure = error as Error
      this.#pausedUntil = performance.now() + pauseMs
      // As long as a connection is open, waiting calls can get that one.
      if (this.#open.size + this.#connecting > 0) this.#grow()
      else for (let waiter = this.#nextWaiter(); waiter; waiter = this.#nextWaiter()) waiter.reject(error as Error)
    }
  }

  #lost(connection: Connection): void {
    if (this.#idle.includes(connection)) this.#remove(connection)
  }

  #closeIdle(since: number): void {
    for (const connection of this.#idle.filter(({ idleSince }) => idleSince < since)) this.#remove(connection)
  }

  #remove(connection: Connection): void {
    this.#open.delete(connection)
    const place = this.#idle.indexOf(connection)
    if (place >= 0) this.#idle.splice(place, 1)
    if (connection.busySince === undefined) void connection.end()
    else connection.destroy()
  }
}

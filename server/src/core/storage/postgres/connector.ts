// How is a connection to PostgreSQL opened? To the host that takes writes, with the limits that the server keeps itself.

import { Client } from 'pg'
import { StorageUnavailable } from '../database.ts'
import { Connection } from './connection.ts'
import { type PostgresHost, type PostgresPlace, readPostgresUrl } from './connection-url.ts'
import { connectionErrorOf, isRefusedParameter } from './errors.ts'
import { postgresTypes } from './types.ts'

const connectTimeoutMs = 5_000
/** With several hosts the next one is waiting. */
const connectTimeoutOfManyMs = 2_000
/** A dead server is noticed ten seconds after this. */
const keepAliveAfterMs = 10_000

/**
 * Limits that the server keeps. Neither ends the wait of a commit for its standby, so an acknowledged commit is a replicated one;
 * a cancel request would end it, and is never sent for a write.
 */
export const serverLimits = {
  statement_timeout: 10_000,
  /** Row locks are held for milliseconds; a write that waits longer must not keep its connection from others. */
  lock_timeout: 2_000,
  idle_in_transaction_session_timeout: 12_000,
} as const

/** For the build of an index. Sent like the others, so that it never outlasts the connection; 0 would not be sent. */
export const longestLimits: Readonly<Record<keyof typeof serverLimits, number>> = {
  statement_timeout: 2 ** 31 - 1,
  lock_timeout: 2 ** 31 - 1,
  idle_in_transaction_session_timeout: serverLimits.idle_in_transaction_session_timeout,
}

export class Connector {
  readonly #place: PostgresPlace
  /** The host that answered last. */
  #current = 0
  /** PgBouncer refuses limits as start parameters, unless it ignores them. */
  #sendsLimits = true

  /** @throws TypeError when the URL is not valid */
  constructor(url: string) {
    this.#place = readPostgresUrl(url)
  }

  /** The host of the newest connection. */
  get host(): string {
    return this.#hostAt(this.#current).name
  }

  /** @throws StorageUnavailable that names each host and its failure */
  async connect(limits: Readonly<Record<keyof typeof serverLimits, number>> = serverLimits): Promise<Connection> {
    const { hosts } = this.#place
    const failures: StorageUnavailable[] = []
    const first = this.#current
    for (let tried = 0; tried < hosts.length; tried++) {
      const index = (first + tried) % hosts.length
      try {
        const connection = await this.#connectTo(this.#hostAt(index), limits)
        this.#current = index
        return connection
      } catch (error) {
        failures.push(connectionErrorOf(error))
      }
    }
    const [only] = failures
    if (only && failures.length === 1) throw only
    const each = failures.map(({ message }, tried) => {
      const { name } = this.#hostAt((first + tried) % hosts.length)
      return `${name}: ${message.replace('PostgreSQL: ', '')}`
    })
    throw new StorageUnavailable(`PostgreSQL: no host takes writes (${each.join('; ')})`, {
      cause: only,
      reason: 'connection',
    })
  }

  #hostAt(index: number): PostgresHost {
    return this.#place.hosts[index]!
  }

  async #connectTo(host: PostgresHost, limits: object): Promise<Connection> {
    const sentLimits = this.#sendsLimits
    const timeoutMs = this.#place.hosts.length > 1 ? connectTimeoutOfManyMs : connectTimeoutMs
    const client = new Client({
      ...host.config,
      application_name: 'ringfence',
      connectionTimeoutMillis: this.#place.connectTimeoutMs ?? timeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      types: postgresTypes,
      pipeline: true, // for the statements of one `send`
      ...(sentLimits && limits),
    })
    const connection = new Connection(client, host.name)
    try {
      await client.connect()
    } catch (error) {
      connection.destroy()
      if (!sentLimits || !isRefusedParameter(error)) throw error
      this.#sendsLimits = false
      return this.#connectTo(host, limits)
    }
    if (!this.#place.mustWrite) return connection
    try {
      const text = 'show transaction_read_only'
      const [row] = await connection.send({ text }, performance.now() + connectTimeoutOfManyMs)
      if (row?.transaction_read_only === 'off') return connection
      throw new StorageUnavailable('PostgreSQL: this server is read-only (a standby?)', { reason: 'read_only' })
    } catch (error) {
      connection.destroy()
      throw error
    }
  }
}

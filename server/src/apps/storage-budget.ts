// May the SDK calls of an app store more today? Anyone can make them, so what they store in a day is limited, for the app and for one IP address.

import { parseAddress } from '../core/address/address.ts'
import { networksOf, quotaOf } from '../core/address/network-tree.ts'
import type { Clock } from '../core/clock.ts'
import type { Settings } from '../core/config/settings.ts'
import { Refusal } from '../core/errors.ts'
import { ExpiringMap } from '../core/expiring-map.ts'
import type { BatchStatement, Database } from '../core/storage/database.ts'
import { addStoredBytes } from '../core/storage/stored-bytes.ts'
import type { IpLookUp } from '../ip/look-up.ts'

export interface StorageBudgetResources {
  readonly database: Database
  readonly clock: Clock
  readonly settings: Pick<Settings, 'storageMbPerAppDay' | 'storageMbPerAddressDay'>
  readonly log: { warn(details: object, what: string): void }
  readonly ip: Pick<IpLookUp, 'asnOf'>
}

/** Of one app on one day. */
interface Count {
  readonly day: number
  /** What all servers had written when this one last wrote. */
  written: number
  /** What this server has not written yet. */
  pending: number
  warned: boolean
}

const megabyte = 1_000_000
const dayMs = 86_400_000
export const flushEveryMs = 1000
/** Above this, the network that stored least recently starts at zero again; the budget of the app still holds. */
const mostNetworks = 100_000

/** Each server counts the networks for itself; all of them count the app together, at most a second late. */
export class StorageBudget {
  readonly #resources: StorageBudgetResources
  readonly #apps = new Map<string, Count>()
  readonly #networks: ExpiringMap<string, number>
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<unknown> = Promise.resolve()

  constructor(resources: StorageBudgetResources) {
    this.#resources = resources
    this.#networks = new ExpiringMap({ clock: resources.clock, ttlMs: dayMs, most: mostNetworks })
  }

  /**
   * Counts what a call is about to store. Refuses with `storageSpent` when the app, or a network around this IP address, has used
   * up its day. Costs no query: counts are written together, each second.
   */
  take(appId: string, address: string | undefined, statements: readonly BatchStatement[]): void {
    const { clock, settings, log } = this.#resources
    const ofApp = settings.storageMbPerAppDay * megabyte
    const ofAddress = settings.storageMbPerAddressDay * megabyte
    const now = clock.now()
    const day = Math.floor(now / dayMs)
    const endsInMs = (day + 1) * dayMs - now
    const bytes = bytesOf(statements)
    const count = this.#countOf(appId, day)
    const senders = this.#networksAround(address).map(({ level, name }) => {
      const key = `${appId} ${name}`
      return { key, sent: (this.#networks.get(key) ?? 0) + bytes, most: quotaOf('traffic', level, ofAddress) }
    })
    const spent =
      count.written + count.pending + bytes > ofApp
        ? 'app'
        : senders.some(({ sent, most }) => sent > most)
          ? 'network'
          : undefined
    if (spent !== undefined) {
      if (spent === 'app' && !count.warned) log.warn({ appId }, 'the app has stored as much as it may today')
      count.warned ||= spent === 'app'
      throw new Refusal('storageSpent', { retryAfterSeconds: Math.ceil(endsInMs / 1000) })
    }
    count.pending += bytes
    for (const { key, sent } of senders) this.#networks.set(key, sent, { ttlMs: endsInMs })
    this.#timer ??= setTimeout(() => this.flush(), flushEveryMs).unref()
  }

  #countOf(appId: string, day: number): Count {
    const found = this.#apps.get(appId)
    if (found?.day === day) return found
    const count = { day, written: 0, pending: 0, warned: false }
    this.#apps.set(appId, count)
    return count
  }

  #networksAround(text: string | undefined) {
    const address = text === undefined ? undefined : parseAddress(text)
    return networksOf(address, address && this.#resources.ip.asnOf(address))
  }

  /** Writes the counts of this server, and reads those of the others. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#flushing = Promise.all([...this.#apps].map(([appId, count]) => this.#write(appId, count)))
    await this.#flushing
  }

  async #write(appId: string, count: Count): Promise<void> {
    const { database, log } = this.#resources
    const { pending } = count
    if (pending === 0) return
    count.pending = 0
    try {
      count.written = await addStoredBytes(database, appId, count.day, pending)
    } catch (error) {
      count.pending += pending
      log.warn({ err: error, appId }, 'could not count what an app stored')
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#flushing
    await this.flush()
  }
}

/** What a row costs besides its values. */
const rowBytes = 40

function bytesOf(statements: readonly BatchStatement[]): number {
  let bytes = 0
  for (const { params } of statements) {
    bytes += rowBytes
    for (const value of params) bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8
  }
  return bytes
}

// What has just happened at a tenant, on any server? One query a second while somebody watches, shared by all who do.

import type { FoundEvent } from '@ringfence/contract'
import type { Logger } from 'pino'
import type { Clock } from '../../core/clock.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import type { Database } from '../../core/storage/database.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'
import { foundEvents } from '../../decisions/search/found-events.ts'
import { eventsById, newestEventIds } from '../../events/store/live.ts'

export interface LiveFilter {
  /** Types; undefined is any. */
  readonly types: ReadonlySet<string> | undefined
  readonly outcome: string | undefined
}

export type LiveListener = (events: readonly FoundEvent[]) => void

export interface LiveFeed {
  /**
   * From the moment it resolves, `listener` gets every event of the tenant that is committed, once, until the returned function is
   * called. @throws StorageUnavailable
   */
  watch(tenantId: string, filter: LiveFilter, listener: LiveListener): Promise<() => void>
  /** How many tenants are read now. */
  tenants(): number
  close(): void
}

export interface LiveFeedResources {
  readonly database: Database
  readonly tenantKeyring: TenantKeyring
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
}

export const everyMs = 1_000
/** A look at the store may take this long. */
const patienceMs = 5_000
/** An event has its id before its commit, and servers have clocks of their own: an id may appear late. */
export const lateMs = 20_000
/** Most appear within this time. Every fifth look goes back by `lateMs`. */
const usualLateMs = 3_000
const looksUntilLate = 5
/** More ids than this are not compared: at such a rate nobody reads along. */
const mostIds = 20_000
const mostAtOnce = 500

export function liveFeed(resources: LiveFeedResources): LiveFeed {
  const watched = new Map<string, Promise<TenantFeed>>()
  let isClosed = false

  return {
    async watch(tenantId, filter, listener) {
      const opening = watched.get(tenantId) ?? TenantFeed.open(tenantId, resources, () => watched.delete(tenantId))
      watched.set(tenantId, opening)
      try {
        return (await opening).add({ filter, listener })
      } catch (error) {
        if (watched.get(tenantId) === opening) watched.delete(tenantId)
        throw error
      } finally {
        if (isClosed) void opening.then((feed) => feed.stop()).catch(() => undefined)
      }
    },
    tenants: () => watched.size,
    close() {
      isClosed = true
      for (const opening of watched.values()) void opening.then((feed) => feed.stop()).catch(() => undefined)
    },
  }
}

interface Watcher {
  readonly filter: LiveFilter
  readonly listener: LiveListener
}

class TenantFeed {
  readonly #tenantId: string
  readonly #resources: LiveFeedResources
  readonly #onEmpty: () => void
  readonly #watchers = new Set<Watcher>()
  /** Ids in hexadecimal, with the time of the look that found them. */
  readonly #seen = new Map<string, number>()
  #lookedAt = 0
  #looks = 0
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  private constructor(tenantId: string, resources: LiveFeedResources, onEmpty: () => void) {
    this.#tenantId = tenantId
    this.#resources = resources
    this.#onEmpty = onEmpty
  }

  static async open(tenantId: string, resources: LiveFeedResources, onEmpty: () => void): Promise<TenantFeed> {
    const feed = new TenantFeed(tenantId, resources, onEmpty)
    const now = resources.clock.now()
    for (const id of await feed.#idsSince(now - lateMs)) feed.#seen.set(hexOf(id), now)
    feed.#lookedAt = now
    feed.#wait()
    return feed
  }

  add(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => {
      this.#watchers.delete(watcher)
      // Somebody who changes a filter is back at once.
      if (this.#watchers.size === 0) setTimeout(() => this.#watchers.size === 0 && this.stop(), everyMs).unref()
    }
  }

  stop(): void {
    if (this.#isStopped) return
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#onEmpty()
  }

  #wait(): void {
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#wait()), everyMs)
    this.#timer.unref()
  }

  async #look(): Promise<void> {
    const { clock, log } = this.#resources
    const now = clock.now()
    const back = ++this.#looks % looksUntilLate === 0 ? lateMs : usualLateMs
    try {
      const ids = await this.#idsSince(this.#lookedAt - back)
      const fresh = ids.filter((id) => !this.#seen.has(hexOf(id)))
      for (let at = 0; at < fresh.length; at += mostAtOnce) await this.#deliver(fresh.slice(at, at + mostAtOnce), now)
      this.#lookedAt = now
    } catch (error) {
      log.warn({ err: error }, 'the live feed could not read events; it tries again')
    }
    for (const [id, at] of this.#seen) {
      if (at >= now - 2 * lateMs) break
      this.#seen.delete(id)
    }
  }

  #idsSince(from: number): Promise<Uint8Array[]> {
    const { database } = this.#resources
    return database.within(performance.now() + patienceMs, () =>
      newestEventIds(database, { tenantId: this.#tenantId, from: lowestIdAt(from) }, mostIds),
    )
  }

  async #deliver(ids: readonly Uint8Array[], now: number): Promise<void> {
    const { database, tenantKeyring } = this.#resources
    const events = await database.within(performance.now() + patienceMs, async () => {
      const rows = await eventsById(database, this.#tenantId, ids)
      const wanted = rows.filter((row) => [...this.#watchers].some(({ filter }) => matches(filter, row)))
      return foundEvents(wanted, this.#tenantId, tenantKeyring)
    })
    for (const id of ids) this.#seen.set(hexOf(id), now)
    for (const { filter, listener } of this.#watchers) {
      const own = events.filter((event) => matches(filter, event))
      if (own.length > 0) listener(own)
    }
  }
}

/** Whether a stream with this filter has the event. */
export const matches = (
  { types, outcome }: LiveFilter,
  event: { readonly type: string; readonly outcome?: string | null | undefined },
): boolean => (!types || types.has(event.type)) && (outcome === undefined || event.outcome === outcome)

const hexOf = (id: Uint8Array) => Buffer.from(id).toString('hex')

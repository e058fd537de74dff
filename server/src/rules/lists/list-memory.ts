// Which lists of tenants does a server have in memory? Reads them, and what changes in them, in the background, up to a limit of bytes.

import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Clock } from '../../core/clock.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { Metrics } from '../../core/metrics/metrics.ts'
import type { Database } from '../../core/storage/database.ts'
import { type ListRow, listsOf } from '../store/lists.ts'
import { LoadedList } from './loaded-list.ts'

export interface ListMemoryResources {
  readonly database: Database
  readonly clock: Clock
  readonly log: Pick<Logger, 'warn'>
  readonly metrics: Pick<Metrics, 'count' | 'set' | 'atEachScrape'>
  /** Lists beyond this many bytes stay in the store, which answers for them. */
  readonly mostBytes: number
}

/** The state of the lists of a tenant is read again after this time. */
const rereadMs = 1000
/** Tenants whose lists are known. */
const mostTenants = 1000
/** After an error, or when there was no room. */
const retryMs = 10_000
/** A list that was used within this time is not removed from memory for another one. */
const inUseMs = 60_000
/** Measured: 16 bytes in tables that are 53 to 80 % full. */
const bytesOfEntry = 26

export interface KnownList {
  row: ListRow
  /** Complete up to `loaded.version`. */
  loaded?: LoadedList | undefined
  reading?: Promise<void> | undefined
  retryAt?: number
  usedAt: number
}

interface TenantLists {
  readAt: number
  lists: Map<string, KnownList>
  rereading: Promise<void> | undefined
}

export class ListMemory {
  readonly #resources: ListMemoryResources
  readonly #tenants = new Map<string, TenantLists>()
  readonly #stopped = new AbortController()
  /** Long lists are read one after the other. */
  #lastLoad: Promise<void> = Promise.resolve()
  readonly #readings = new Set<Promise<void>>()

  constructor(resources: ListMemoryResources) {
    this.#resources = resources
    const { metrics } = resources
    metrics.atEachScrape(() => metrics.set('listsBytes', this.bytes))
  }

  /** The lists of a tenant by name, as they were within the last second. @throws StorageUnavailable */
  async listsOf(tenantId: string): Promise<ReadonlyMap<string, KnownList>> {
    const now = this.#resources.clock.now()
    let tenant = this.#tenants.get(tenantId)
    if (!tenant) {
      tenant = { readAt: Number.NEGATIVE_INFINITY, lists: new Map(), rereading: undefined }
      this.#tenants.set(tenantId, tenant)
      if (this.#tenants.size > mostTenants) this.#tenants.delete(this.#tenants.keys().next().value!)
    }
    // A clock that was set back must not extend the time.
    if (now - tenant.readAt >= rereadMs || now < tenant.readAt) {
      tenant.rereading ??= this.#reread(tenantId, tenant, now)
      await tenant.rereading
    }
    return tenant.lists
  }

  async #reread(tenantId: string, tenant: TenantLists, now: number): Promise<void> {
    try {
      const rows = await listsOf(this.#resources.database, tenantId)
      const lists = new Map<string, KnownList>()
      for (const row of rows) {
        const known = tenant.lists.get(row.name)
        const isSame = known && Buffer.compare(known.row.id, row.id) === 0
        if (isSame) known.row = row
        lists.set(row.name, isSame ? known : { row, usedAt: 0 })
      }
      tenant.lists = lists
      tenant.readAt = now
      // The tenant used longest ago comes first.
      if (this.#tenants.delete(tenantId)) this.#tenants.set(tenantId, tenant)
    } finally {
      tenant.rereading = undefined
    }
  }

  /** Reads a list, or what has changed in it, in the background. */
  read(known: KnownList, tenantId: string, keys: TenantKeys): void {
    const { clock, log } = this.#resources
    const now = clock.now()
    if (known.reading || this.#stopped.signal.aborted || now < (known.retryAt ?? 0)) return
    const { loaded, row } = known
    // Some removals since then may be deleted from the store.
    const isTooOld = loaded && loaded.version < row.completeSince
    if (isTooOld) known.loaded = undefined
    const work = known.loaded ? this.#catchUp(known, known.loaded) : this.#load(known, tenantId, keys)
    known.reading = work
      .catch((error) => {
        known.loaded = undefined
        known.retryAt = clock.now() + retryMs
        if (!this.#stopped.signal.aborted)
          log.warn({ err: error, tenantId }, 'a list stays in the store; read again in 10 s')
      })
      .finally(() => {
        known.reading = undefined
        this.#readings.delete(reading)
      })
    const reading = known.reading
    this.#readings.add(reading)
  }

  /** Half of the time is for requests. */
  async #catchUp(known: KnownList, list: LoadedList): Promise<void> {
    const { database, mostBytes } = this.#resources
    const { signal } = this.#stopped
    for (let isMore = true; isMore; ) {
      const began = performance.now()
      isMore = await list.readOn(database, known.row.version)
      signal.throwIfAborted()
      if (isMore) await pause(performance.now() - began, undefined, { signal })
      if (this.bytes + (known.loaded ? 0 : list.bytes) > mostBytes)
        throw new Error('the list is larger than LISTS_MEMORY_MB')
    }
  }

  async #load(known: KnownList, tenantId: string, keys: TenantKeys): Promise<void> {
    const before = this.#lastLoad
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastLoad = promise
    try {
      await before
      this.#stopped.signal.throwIfAborted()
      if (!this.#makeRoom(known.row.entryCount * bytesOfEntry)) {
        known.retryAt = this.#resources.clock.now() + retryMs
        return
      }
      const list = new LoadedList(known.row, tenantId, keys)
      await this.#catchUp(known, list)
      known.loaded = list
    } finally {
      resolve()
    }
  }

  /** Removes lists that were not used lately, the one used longest ago first. */
  #makeRoom(bytes: number): boolean {
    const { clock, mostBytes } = this.#resources
    const known = [...this.#tenants.values()].flatMap(({ lists }) => [...lists.values()])
    const others = known.filter(({ loaded }) => loaded)
    others.sort((a, b) => a.usedAt - b.usedAt)
    let used = this.bytes
    for (const other of others) {
      if (used + bytes <= mostBytes || clock.now() - other.usedAt < inUseMs) break
      used -= other.loaded!.bytes
      other.loaded = undefined
    }
    return used + bytes <= mostBytes
  }

  /** Of all lists. */
  get bytes(): number {
    let sum = 0
    for (const { lists } of this.#tenants.values()) for (const { loaded } of lists.values()) sum += loaded?.bytes ?? 0
    return sum
  }

  /** Resolves when no list is being read. */
  async settled(): Promise<void> {
    while (this.#readings.size > 0) await Promise.all(this.#readings)
  }

  /** Stops reading. */
  async close(): Promise<void> {
    this.#stopped.abort(new Error('closed'))
    await Promise.all(this.#readings)
  }
}

// Who receives which events of a tenant? Webhooks of the tenant, and streams of the configuration.

import { type EventType, eventTypes, isOnRequest } from '@ringfence/contract'
import type { Clock } from '../core/clock.ts'
import type { Queryable } from '../core/storage/database.ts'
import { listReceivers } from './store/receivers.ts'

/** Whose events wait for it. */
export interface Receiver {
  readonly id: string
  /** It gets all of its events in one order, and none later than the others. */
  readonly isStream?: boolean
  wants(type: EventType): boolean
}

export interface Receivers {
  /** The receivers of a tenant, at most a second old: a new one counts on every server within a second. */
  of(tenantId: string): Promise<readonly Receiver[]>
  /** Reads them again at the next call. */
  changed(tenantId: string): void
}

const types = Object.keys(eventTypes).filter((type) => type !== 'webhook.test')

/** What a receiver may subscribe to: a type, a group such as `sign_in.*`, or `*` for all that are always recorded. */
export const subscriptions: readonly string[] = [
  '*',
  ...new Set(types.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...types,
]

/** Whether one of the subscriptions names the type. */
export function subscribes(names: readonly string[], type: EventType): boolean {
  return names.some((name) =>
    name === '*' ? !isOnRequest(type) : name === type || (name.endsWith('.*') && type.startsWith(name.slice(0, -1))),
  )
}

const rereadMs = 1000
/** From then on a call reads them in the background, so that few calls wait for it. */
const refreshMs = 500
/** Tenants whose receivers are cached. */
const mostTenants = 10_000

interface Cached {
  readAt: number
  receivers: readonly Receiver[]
  reading: Promise<readonly Receiver[]> | undefined
}

export function receivers({
  database,
  clock,
  streams,
}: {
  database: Queryable
  clock: Clock
  streams: readonly Receiver[]
}): Receivers {
  const cache = new Map<string, Cached>()

  async function read(tenantId: string, entry: Cached): Promise<readonly Receiver[]> {
    const readAt = clock.now()
    try {
      const rows = await listReceivers(database, tenantId)
      const webhooks = rows
        .filter(({ state }) => state !== 'disabled')
        .map(({ id, types }): Receiver => {
          const names = types.split(' ')
          return { id, wants: (type) => subscribes(names, type) }
        })
      entry.receivers = [...webhooks, ...streams]
      entry.readAt = readAt
      return entry.receivers
    } finally {
      entry.reading = undefined
    }
  }

  return {
    async of(tenantId) {
      let entry = cache.get(tenantId)
      if (!entry) {
        entry = { readAt: Number.NEGATIVE_INFINITY, receivers: [], reading: undefined }
        cache.set(tenantId, entry)
        if (cache.size > mostTenants) cache.delete(cache.keys().next().value!)
      }
      // A clock that was set back must not extend the cache.
      const age = Math.abs(clock.now() - entry.readAt)
      if (age < refreshMs) return entry.receivers
      entry.reading ??= read(tenantId, entry)
      if (age >= rereadMs) return entry.reading
      entry.reading.catch(() => undefined)
      return entry.receivers
    },
    changed(tenantId) {
      cache.delete(tenantId)
    },
  }
}

// May the SDK calls of an app store more today? Anyone can make them, so what they store in a day is limited, for the app and for one IP address.

import type { Clock } from '../clock.ts'
import type { Settings } from '../config/settings.ts'
import { Refusal } from '../errors.ts'
import { ExpiringMap } from '../expiring-map.ts'
import { parseAddress } from '../ip/address.ts'
import type { IpLookUp } from '../ip/look-up.ts'
import { networksOf, quotaOf } from '../ip/network-tree.ts'
import type { BatchStatement, Database } from '../storage/database.ts'
import { addStoredBytes } from '../storage/stored-bytes.ts'

export interface StorageBudget {
  /**
   * Counts what a call is about to store. Refuses with `storageSpent` when the app, or a network around this IP address, has used
   * up its day. Costs no query: counts are written together, each second.
   */
  take(appId: string, address: string | undefined, statements: readonly BatchStatement[]): void
  /** Writes the counts of this server, and reads those of the others. */
  flush(): Promise<void>
  close(): Promise<void>
}

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
const flushEveryMs = 1000
/** Above this, the network that stored least recently starts at zero again; the budget of the app still holds. */
const mostNetworks = 100_000

/** Each server counts the networks for itself; all of them count the app together, at most a second late. */
export function storageBudget({ database, clock, settings, log, ip }: StorageBudgetResources): StorageBudget {
  const [ofApp, ofAddress] = [settings.storageMbPerAppDay * megabyte, settings.storageMbPerAddressDay * megabyte]
  const apps = new Map<string, Count>()
  const networks = new ExpiringMap<string, number>({ clock, ttlMs: dayMs, most: mostNetworks })
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<unknown> = Promise.resolve()

  const networksAround = (text: string | undefined) => {
    const address = text === undefined ? undefined : parseAddress(text)
    return networksOf(address, address && ip.asnOf(address))
  }

  const countOf = (appId: string, day: number): Count => {
    const found = apps.get(appId)
    if (found?.day === day) return found
    const count = { day, written: 0, pending: 0, warned: false }
    apps.set(appId, count)
    return count
  }
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    flushing = Promise.all([...apps].map(([appId, count]) => write(appId, count)))
    return flushing.then(() => undefined)
  }
  const write = async (appId: string, count: Count) => {
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
  return {
    take(appId, address, statements) {
      const now = clock.now()
      const day = Math.floor(now / dayMs)
      const endsInMs = (day + 1) * dayMs - now
      const bytes = bytesOf(statements)
      const count = countOf(appId, day)
      const senders = networksAround(address).map(({ level, name }) => {
        const key = `${appId} ${name}`
        return { key, sent: (networks.get(key) ?? 0) + bytes, most: quotaOf('traffic', level, ofAddress) }
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
      for (const { key, sent } of senders) networks.set(key, sent, { ttlMs: endsInMs })
      timer ??= setTimeout(flush, flushEveryMs).unref()
    },
    flush,
    async close() {
      clearTimeout(timer)
      await flushing
      await flush()
    },
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

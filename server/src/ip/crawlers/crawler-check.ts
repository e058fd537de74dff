// Is a client that claims to be a crawler really that crawler? Verified by the publisher's IP ranges, else by reverse and forward DNS.

import type { Address } from '../../core/address/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { CrawlerName } from '../../core/config/ip-data-settings.ts'
import { ExpiringMap } from '../../core/expiring-map.ts'
import type { StoredList } from '../lists/address-lists.ts'
import { isOutdated } from '../lists/list-age.ts'
import { isHostOf, isKnownByHost } from './crawlers.ts'
import type { HostNames } from './host-names.ts'

/** Result of the verification. `unverified`: neither a list nor DNS gave an answer in time. */
export interface CrawlerVerification {
  readonly name: CrawlerName
  readonly verification: 'verified' | 'failed' | 'unverified'
  /** What verified it; absent otherwise, and in analyses of older versions. */
  readonly proof?: 'hostname' | 'ip-range'
  readonly because: string
}

export interface CrawlerCheck {
  /**
   * Returns within the budget, whatever DNS does. A later result is used for the next call. Never throws.
   *
   * @param lists the lists that name the address
   */
  check(name: CrawlerName, address: Address, lists: readonly StoredList[]): Promise<CrawlerVerification>
}

export interface CrawlerCheckResources {
  readonly hostNames: HostNames
  readonly clock: Clock
  /** How long an analysis may wait for DNS, in ms; 0: sends no DNS query. */
  readonly budgetMs: number
}

type Found = Omit<CrawlerVerification, 'name'>

/** How long a result is cached. Publishers rarely give up an IP address; DNS failures are short. */
const cachedMs = { verified: 86_400_000, failed: 3_600_000, unverified: 60_000 } as const
/** Limits memory and sockets when clients at many IP addresses claim to be crawlers. */
const mostCached = 10_000
const mostInFlight = 64
/** An IP address may have many names. Only the first ones are checked. */
const mostNames = 8

/** Caches its results in memory, up to a limit. */
export function crawlerCheck({ hostNames, clock, budgetMs }: CrawlerCheckResources): CrawlerCheck {
  const cached = new ExpiringMap<string, Found>({ clock, ttlMs: cachedMs.failed, most: mostCached })
  const inFlight = new Map<string, Promise<Found>>()

  /** Equal queries at the same time are sent once. */
  function queryOnce(name: CrawlerName, address: Address, key: string): Promise<Found> {
    const flight =
      inFlight.get(key) ??
      byReverseDns(name, address, hostNames).then((found) => {
        inFlight.delete(key)
        cached.set(key, found, { ttlMs: cachedMs[found.verification] })
        return found
      })
    inFlight.set(key, flight)
    return flight
  }

  async function byDns(name: CrawlerName, address: Address): Promise<Found> {
    const key = `${name} ${address.text}`
    const known = cached.get(key)
    if (known) return known
    if (budgetMs === 0) return { verification: 'unverified', because: 'DNS lookups are off (CRAWLER_BUDGET_MS is 0)' }
    if (inFlight.size >= mostInFlight && !inFlight.has(key)) {
      return { verification: 'unverified', because: 'too many crawler verifications are in progress' }
    }
    return within(budgetMs, queryOnce(name, address, key), {
      verification: 'unverified',
      because: `DNS did not answer within ${budgetMs} ms`,
    })
  }

  return {
    async check(name, address, lists) {
      const list = lists.find((each) => each.crawler === name && !isOutdated(each, clock.now()))
      if (list) {
        return { name, verification: 'verified', proof: 'ip-range', because: `${address.text} is in ${list.name}` }
      }
      if (!isKnownByHost(name)) {
        return {
          name,
          verification: 'unverified',
          because: `${address.text} is not in a current list of its publisher`,
        }
      }
      return { name, ...(await byDns(name, address)) }
    },
  }
}

/** Anyone can give their IP address a publisher's host name. Only the publisher can make that name resolve to the address. */
async function byReverseDns(name: CrawlerName, address: Address, hostNames: HostNames): Promise<Found> {
  try {
    const names = await hostNames.namesOf(address)
    const fitting = names.filter((host) => isHostOf(name, host)).slice(0, mostNames)
    for (const host of fitting) {
      if ((await hostNames.addressesOf(host, address)).includes(address.text)) {
        return {
          verification: 'verified',
          proof: 'hostname',
          because: `${address.text} resolves to ${host}, and ${host} to ${address.text}`,
        }
      }
    }
    const because =
      fitting.length > 0 ? `${fitting[0]} does not resolve to` : 'no host name of its publisher belongs to'
    return { verification: 'failed', because: `${because} ${address.text}` }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { verification: 'unverified', because: `the DNS lookup failed (${code ?? message})` }
  }
}

async function within<T>(ms: number, answer: Promise<T>, otherwise: T): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  const timer = setTimeout(resolve, ms, otherwise)
  try {
    return await Promise.race([answer, promise])
  } finally {
    clearTimeout(timer)
  }
}

// Is a client that claims to be a crawler really that crawler? Verified by the publisher's IP ranges, else by reverse and forward DNS.

import type { Clock } from '../../clock.ts'
import { ExpiringMap } from '../../expiring-map.ts'
import type { Address } from '../address.ts'
import type { StoredList } from '../lists/address-lists.ts'
import { isOutdated } from '../lists/list-age.ts'
import { type CrawlerName, isHostOf, isKnownByHost } from './crawlers.ts'
import type { HostNames } from './host-names.ts'

/** What became of a crawler's word. `unknown`: it could not be found out in time. */
export interface CrawlerVerification {
  readonly name: CrawlerName
  readonly verification: 'verified' | 'failed' | 'unverified'
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

/** How long results are cached. Publishers seldom give up an IP address; DNS failures end soon. */
const rememberedMs = { verified: 86_400_000, failed: 3_600_000, unverified: 60_000 } as const
/** Limits the memory and the sockets that false crawlers from many IP addresses can take. */
const mostRemembered = 10_000
const mostUnderWay = 64
/** An IP address may have many names. Only the first ones are checked. */
const mostNames = 8

/** Caches its results in memory, up to a limit. */
export function crawlerCheck({ hostNames, clock, budgetMs }: CrawlerCheckResources): CrawlerCheck {
  const remembered = new ExpiringMap<string, Found>({ clock, ttlMs: rememberedMs.failed, most: mostRemembered })
  const underWay = new Map<string, Promise<Found>>()

  /** Equal queries at the same time are sent once. */
  function asked(name: CrawlerName, address: Address, key: string): Promise<Found> {
    const flight =
      underWay.get(key) ??
      byReverseDns(name, address, hostNames).then((found) => {
        underWay.delete(key)
        remembered.set(key, found, { ttlMs: rememberedMs[found.verification] })
        return found
      })
    underWay.set(key, flight)
    return flight
  }

  async function byDns(name: CrawlerName, address: Address): Promise<Found> {
    const key = `${name} ${address.text}`
    const known = remembered.get(key)
    if (known) return known
    if (budgetMs === 0) return { verification: 'unverified', because: 'DNS is not asked (CRAWLER_BUDGET_MS)' }
    if (underWay.size >= mostUnderWay && !underWay.has(key)) {
      return { verification: 'unverified', because: 'too many crawlers were asked about at once' }
    }
    return within(budgetMs, asked(name, address, key), {
      verification: 'unverified',
      because: `DNS did not answer within ${budgetMs} ms`,
    })
  }

  return {
    async check(name, address, lists) {
      const list = lists.find((each) => each.crawler === name && !isOutdated(each, clock.now()))
      if (list) return { name, verification: 'verified', because: `${address.text} is in ${list.name}` }
      if (!isKnownByHost(name)) {
        return {
          name,
          verification: 'unverified',
          because: `${address.text} is in no list of its publisher that was fetched lately`,
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
        return { verification: 'verified', because: `${address.text} is ${host}, and ${host} leads back to it` }
      }
    }
    const because = fitting.length > 0 ? `${fitting[0]} does not lead back to` : 'no name of its publisher has'
    return { verification: 'failed', because: `${because} ${address.text}` }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { verification: 'unverified', because: `DNS could not be asked (${code ?? message})` }
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

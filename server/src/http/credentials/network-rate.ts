// May another request come from this IP address now? Counted for each network around it, up to the network operator.

import type { Address } from '../../core/address/address.ts'
import { multipleOf, type NetworkLevel, type NetworkLimit, networksOf } from '../../core/address/network-tree.ts'
import { RateLimit, type RateLimitResources } from '../../core/servers/rate-limit.ts'
import type { IpLookUp } from '../../ip/look-up.ts'

type Headers = (name: string, value: string) => void

export interface NetworkRate {
  /** Counts a request, and sets the RateLimit headers of the smallest network. A refusal has those of the network that is spent. */
  take(address: Address | undefined, headers: Headers, of?: string): Promise<void>
  /** Counts nothing, and refuses with `rateLimited` once `take` would. */
  refuseIfSpent(address: Address | undefined, headers: Headers, of?: string): void
}

/** Of each larger level: a flood from one of them is refused there before it makes entries of smaller ones. */
const mostLarger = 25_000

/** `of` in the methods counts something apart, for example the requests of one app. The operator counts once its files are in memory. */
export function networkRate(
  name: string,
  kind: NetworkLimit,
  rate: { perSecond: number; burst?: number },
  { requestCounts, ip }: { requestCounts: RateLimitResources; ip: Pick<IpLookUp, 'asnOf'> },
): NetworkRate {
  const ofLarger = (level: NetworkLevel) =>
    new RateLimit(`${name} ${level}`, { ...rate, multiple: multipleOf(kind, level), most: mostLarger }, requestCounts)
  const limits: Readonly<Record<NetworkLevel, RateLimit>> = {
    subscriber: new RateLimit(name, rate, requestCounts),
    '/56': ofLarger('/56'),
    '/48': ofLarger('/48'),
    '/24': ofLarger('/24'),
    operator: ofLarger('operator'),
  }
  const countersOf = (address: Address | undefined, of: string | undefined) =>
    networksOf(address, address && ip.asnOf(address)).map(({ level, name }) => ({
      limit: limits[level],
      key: of === undefined ? name : `${of} ${name}`,
    }))

  return {
    async take(address, headers, of) {
      const [smallest, ...larger] = countersOf(address, of)
      for (const { limit, key } of larger) limit.refuseIfSpent(key, headers)
      // What it refuses does not count for the others: one subscriber uses up no more of them than its own quota.
      await smallest!.limit.take(smallest!.key, headers)
      await Promise.all(larger.map(({ limit, key }) => limit.take(key, headers, 'refused')))
    },

    refuseIfSpent(address, headers, of) {
      for (const { limit, key } of countersOf(address, of)) limit.refuseIfSpent(key, headers)
    },
  }
}

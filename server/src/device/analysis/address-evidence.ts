// What is known about the IP address of a device? Its location, the lists it is on, and whether its crawler is genuine.

import { claimedBot } from '../../bots/known-bots.ts'
import { parseAddress } from '../../core/address/address.ts'
import { isPublic } from '../../core/address/public-address.ts'
import { anonymityOf } from '../../ip/lists/anonymity.ts'
import { isMobileNetwork } from '../../ip/mobile-network.ts'
import type { DeviceNeeds } from '../room.ts'
import type { Evidence } from './evidence.ts'

/**
 * `anonymity` is absent without lists, and for an IP address that is not public. `userAgents`: those of a browser, the header first;
 * none for an app. Waits at most CRAWLER_BUDGET_MS for DNS when one of them is that of a crawler.
 */
export async function addressEvidence(
  address: string | undefined,
  userAgents: readonly (string | undefined)[],
  { ip, ip: { lists: addressLists, crawlers }, clock }: Pick<DeviceNeeds, 'ip' | 'clock'>,
): Promise<Pick<Evidence, 'network' | 'anonymity' | 'crawler'>> {
  if (address === undefined) return { network: undefined }
  const network = await ip.networkOf(address)
  const parsed = parseAddress(network.ip)
  if (!parsed || !isPublic(parsed)) return { network }
  const found = await addressLists.find(parsed)
  const name = userAgents.map((userAgent) => claimedBot(userAgent)?.publisher).find((found) => found !== undefined)
  return {
    network,
    ...(found && {
      anonymity: anonymityOf(found.lists, { now: clock.now(), isMobile: isMobileNetwork(network), kinds: found.kinds }),
    }),
    ...(name && { crawler: await crawlers.check(name, parsed, found?.lists ?? []) }),
  }
}

// What is known of the address of a device? Its place, the lists that name it, and whether a crawler of it is who it says.

import { parseAddress } from '../../ip/address.ts'
import { declaredCrawler } from '../../ip/crawlers/crawlers.ts'
import { anonymityOf } from '../../ip/lists/anonymity.ts'
import { isMobileNetwork } from '../../ip/mobile-network.ts'
import { isPublic } from '../../ip/public-address.ts'
import type { Platform } from '../../platform.ts'
import type { Evidence } from './evidence.ts'

/**
 * Lists say nothing where none were fetched, and of an address that is not public. `userAgents`: of a browser, header first; none
 * of an app, which no crawler is. Waits for DNS where one of them is a crawler's, CRAWLER_BUDGET_MS at most.
 */
export async function addressEvidence(
  address: string | undefined,
  userAgents: readonly (string | undefined)[],
  { ip, addressLists, crawlers, clock }: Pick<Platform, 'ip' | 'addressLists' | 'crawlers' | 'clock'>,
): Promise<Pick<Evidence, 'network' | 'anonymity' | 'crawler'>> {
  if (address === undefined) return { network: undefined }
  const network = await ip.networkOf(address)
  const parsed = parseAddress(network.ip)
  if (!parsed || !isPublic(parsed)) return { network }
  const lists = await addressLists.find(parsed)
  const name = userAgents.map(declaredCrawler).find((declared) => declared !== undefined)
  return {
    network,
    ...(lists && { anonymity: anonymityOf(lists, { now: clock.now(), isMobile: isMobileNetwork(network) }) }),
    ...(name && { crawler: await crawlers.check(name, parsed, lists ?? []) }),
  }
}

// What does it mean that an address is on lists? Precedence among them, and a score. (design: device.md, IP intelligence)

import type { ListKind, StoredList } from './address-lists.ts'
import { ageMs, isOutdated } from './list-age.ts'

export interface Anonymity {
  readonly tor: boolean
  /** A relay that keeps the country (Apple Private Relay, WARP): the person is real, and hidden from everyone alike. */
  readonly relay: boolean
  /** A company's gateway: many people, all of them known to it. */
  readonly gateway: boolean
  /** An open proxy. */
  readonly proxy: boolean
  readonly vpn: boolean
  readonly datacenter: boolean
  /** The names of the lists that name it, whatever was made of them. */
  readonly listedBy: readonly string[]
  /** 0 to 1: how surely the person is hidden. */
  readonly anonymityScore: number
  /** 0 to 1: how surely the address has done harm. */
  readonly abuse: number
}

const dayMs = 86_400_000
const abuseDecayDays = 14
/** Behind these an address is shared by thousands. */
const sharedShare = 0.4
const abuseByLists = [0, 0.1, 0.35, 0.6, 0.75, 0.85, 0.9, 0.95]
/** One list alone errs too often; a range that the cloud itself publishes does not. */
const datacenterVotes = 2
const weights = { tor: 0.75, proxy: 0.75, vpnServer: 0.5, vpnRange: 0.4, datacenter: 0.3, relay: 0.05 }

/**
 * Verdicts on a public address, by the lists that name it: tor > relay > gateway > {proxy, vpn, datacenter}. A relay clears VPN and
 * datacenter, as VPN lists name nearly all relays. `isMobile`: a mobile network.
 */
export function anonymityOf(
  lists: readonly StoredList[],
  { now, isMobile }: { now: number; isMobile: boolean },
): Anonymity {
  const of = (kind: ListKind) => lists.filter((list) => list.kind === kind && !isOutdated(list, now))
  const tor = of('tor').length > 0
  const relay = !tor && of('relay').length > 0
  const gateway = !tor && !relay && of('gateway').length > 0
  const isPlain = !tor && !relay && !gateway
  const proxy = isPlain && of('openProxy').length > 0
  const isVpnServer = of('vpnServer').length > 0
  const vpn = isPlain && (isVpnServer || of('vpnRange').length > 0)
  const datacenter = isPlain && (of('cloud').length > 0 || of('datacenter').length >= datacenterVotes)
  const seenInAbuse = of('abuse')
  const abuse = abuseByLists[Math.min(seenInAbuse.length, abuseByLists.length - 1)]!
  const decay = Math.exp(-Math.min(...seenInAbuse.map((list) => ageMs(list, now))) / dayMs / abuseDecayDays)
  return {
    tor,
    relay,
    gateway,
    proxy,
    vpn,
    datacenter,
    listedBy: lists.map(({ name }) => name),
    anonymityScore: Math.max(
      tor ? weights.tor : 0,
      proxy ? weights.proxy : 0,
      vpn ? (isVpnServer ? weights.vpnServer : weights.vpnRange) : 0,
      datacenter ? weights.datacenter : 0,
      relay ? weights.relay : 0,
    ),
    abuse: abuse * decay * (isMobile || relay ? sharedShare : 1),
  }
}

/**
 * 0 to 100: `100·(1 − (1 − anonymityScore)·(1 − abuse)·(1 − local))`; undefined where neither lists nor labels say anything. `localRate`:
 * how bad the sessions were that this tenant saw from the address, 0 to 1.
 */
export function fraudScore({
  anonymity,
  localRate,
  isMobile,
}: {
  anonymity: Pick<Anonymity, 'anonymityScore' | 'abuse' | 'relay'> | undefined
  localRate: number | undefined
  isMobile: boolean
}): number | undefined {
  if (!anonymity && localRate === undefined) return undefined
  const { anonymityScore = 0, abuse = 0, relay = false } = anonymity ?? {}
  const local = (localRate ?? 0) * (isMobile || relay ? sharedShare : 1)
  return Math.round(100 * (1 - (1 - anonymityScore) * (1 - abuse) * (1 - local)))
}

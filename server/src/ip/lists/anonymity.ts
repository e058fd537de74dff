// What do the lists that name an IP address mean? Precedence among them, and a score.

import type { ListKind } from '../../core/config/ip-data-settings.ts'
import type { StoredList } from './address-lists.ts'
import { isOutdated } from './list-age.ts'

export interface Anonymity {
  readonly tor: boolean
  /** A relay that preserves the country (Apple Private Relay, WARP): a real person, hidden from every site alike. Absent: not known. */
  readonly relay?: boolean
  /** A company's gateway: many people that the company knows. */
  readonly gateway: boolean
  /** An open proxy. */
  readonly proxy: boolean
  /** Absent: not known, since no list of VPNs has addresses of this family. */
  readonly vpn?: boolean
  readonly datacenter: boolean
  /** The names of all lists that name the address, also of outdated ones. */
  readonly listedBy: readonly string[]
  /** 0 to 1: the probability that the person is hidden. */
  readonly anonymityScore: number
  /** 0 to 1: the probability that the address was used for abuse. */
  readonly abuse: number
}

/** Whether anybody can have an address of this network, so that two people in it have nothing in common. */
export const isAnybodys = (of: Anonymity | undefined): boolean =>
  of?.tor || of?.relay || of?.proxy || of?.vpn || of?.datacenter || false

const dayMs = 86_400_000
const abuseDecayDays = 14
/** For mobile networks and relays, where thousands share an IP address. */
const sharedShare = 0.4
const abuseByLists = [0, 0.1, 0.35, 0.6, 0.75, 0.85, 0.9, 0.95]
/** A single list is wrong too often. A range that the cloud itself publishes is not. */
const datacenterVotes = 2
const weights = { tor: 0.75, proxy: 0.75, vpnServer: 0.5, vpnRange: 0.4, datacenter: 0.3, relay: 0.05 }

/**
 * Verdicts on a public IP address by its lists: tor > relay > gateway > {proxy, vpn, datacenter}. A relay clears VPN and datacenter,
 * because VPN lists name nearly all relays.
 *
 * @param isMobile whether the address belongs to a mobile network
 * @param kinds what lists can say of such an address: that it is on no list of another kind says nothing
 */
export function anonymityOf(
  lists: readonly StoredList[],
  { now, isMobile, kinds }: { now: number; isMobile: boolean; kinds: ReadonlySet<ListKind> },
): Anonymity {
  const of = (kind: ListKind) => lists.filter((list) => list.kind === kind && !isOutdated(list, now))
  const tor = of('tor').length > 0
  const relay = !tor && of('relay').length > 0
  const gateway = !tor && !relay && of('gateway').length > 0
  const isPlain = !tor && !relay && !gateway
  const proxy = isPlain && of('openProxy').length > 0
  const isVpnServer = of('vpnServer').length > 0
  const vpn = isPlain && (isVpnServer || of('vpnRange').length > 0)
  const isVpnKnown = !isPlain || kinds.has('vpnServer') || kinds.has('vpnRange')
  const datacenter = isPlain && (of('cloud').length > 0 || of('datacenter').length >= datacenterVotes)
  const seenInAbuse = of('abuse')
  const abuse = abuseByLists[Math.min(seenInAbuse.length, abuseByLists.length - 1)]!
  const decay = Math.exp(
    -Math.min(...seenInAbuse.map(({ datedMs }) => Math.max(0, now - datedMs))) / dayMs / abuseDecayDays,
  )
  return {
    tor,
    ...((tor || kinds.has('relay')) && { relay }),
    gateway,
    proxy,
    ...(isVpnKnown && { vpn }),
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
 * 0 to 100: `100·(1 − (1 − anonymityScore)·(1 − abuse)·(1 − local))`; undefined without lists and labels.
 *
 * @param localRate 0 to 1: how bad this tenant's sessions from the IP address were
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

/** Whether the person may be in another country than the IP address. A relay preserves the country. */
export const hidesCountry = (anonymity: Anonymity | undefined): boolean =>
  anonymity !== undefined &&
  (anonymity.tor || anonymity.proxy || anonymity.vpn === true || anonymity.datacenter || anonymity.gateway)

/** Whether the person is near the place of the IP address: nothing hides it, and lists of VPNs and relays do not name it. */
export const showsPlace = (anonymity: Anonymity | undefined): boolean =>
  anonymity?.vpn !== undefined && anonymity.relay === false && !hidesCountry(anonymity)

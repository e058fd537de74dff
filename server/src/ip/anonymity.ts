// What does it mean that an address is on lists? Precedence among them, and a score. (design: device.md, IP intelligence)

import type { KeptList, Listing } from './anonymity-lists.ts'

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
  /** 0 to 1: how surely the person is hidden. */
  readonly anonymousness: number
  /** 0 to 1: how surely the address has done harm. */
  readonly abuse: number
}

const dayMs = 86_400_000
/** Exits of Tor come and go; an exit of yesterday may be anyone's today. */
const torAgesOutMs = dayMs
const abuseDecayDays = 14
/** Behind these an address is shared by thousands. */
const sharedShare = 0.4
const abuseByLists = [0, 0.1, 0.35, 0.6, 0.75, 0.85, 0.9, 0.95]
/** One list alone errs too often; a range that the cloud itself publishes does not. */
const datacenterVotes = 2
const weights = { tor: 0.75, proxy: 0.75, vpnServer: 0.5, vpnRange: 0.4, datacenter: 0.3, relay: 0.05 }

/**
 * Verdicts on a public address: tor > relay > gateway > {proxy, vpn, datacenter}. A relay clears VPN and datacenter, as VPN lists
 * name nearly all relays. `lists` tells how old what was found is. `isMobile`: a mobile network.
 */
export function anonymityOf(
  listing: Listing | undefined,
  lists: readonly KeptList[],
  { now, isMobile }: { now: number; isMobile: boolean },
): Anonymity {
  if (!listing) return nothing
  const ageMs = (kind: KeptList['kind']) =>
    Math.max(0, now - Math.max(...lists.filter((list) => list.kind === kind).map(({ datedMs }) => datedMs)))
  const tor = listing.tor > 0 && ageMs('tor') <= torAgesOutMs
  const relay = !tor && listing.relay > 0
  const gateway = !tor && !relay && listing.gateway > 0
  const isPlain = !tor && !relay && !gateway
  const proxy = isPlain && listing.openProxy > 0
  const vpn = isPlain && listing.vpnServer + listing.vpnRange > 0
  const datacenter = isPlain && (listing.cloud > 0 || listing.datacenter >= datacenterVotes)
  const decay = listing.abuse > 0 ? Math.exp(-ageMs('abuse') / dayMs / abuseDecayDays) : 0
  return {
    tor,
    relay,
    gateway,
    proxy,
    vpn,
    datacenter,
    anonymousness: Math.max(
      tor ? weights.tor : 0,
      proxy ? weights.proxy : 0,
      vpn ? (listing.vpnServer > 0 ? weights.vpnServer : weights.vpnRange) : 0,
      datacenter ? weights.datacenter : 0,
      relay ? weights.relay : 0,
    ),
    abuse: abuseByLists[listing.abuse]! * decay * (isMobile || relay ? sharedShare : 1),
  }
}

const nothing: Anonymity = {
  tor: false,
  relay: false,
  gateway: false,
  proxy: false,
  vpn: false,
  datacenter: false,
  anonymousness: 0,
  abuse: 0,
}

/** 0 to 100. `local` is the share of bad outcomes that was seen here from the address and its neighbours, 0 to 1. */
export function fraudScore({ anonymousness, abuse }: Anonymity, local: number): number {
  return Math.round(100 * (1 - (1 - anonymousness) * (1 - abuse) * (1 - local)))
}

/** So many good outcomes are added to what was seen: one bad outcome of one does not condemn an address. */
const priorOutcomes = 20

/** The share of bad outcomes, shrunken towards none while few were seen. */
export const shrunkenRate = (bad: number, all: number) => bad / (all + priorOutcomes)

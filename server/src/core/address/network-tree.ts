// In which networks is an IP address, from one subscriber up to a network operator, and how much more may each have than one subscriber?

import { type Address, cidrOf, subscriberNetwork } from './address.ts'

/** `subscriber`: an IPv4 address, or a /64 of IPv6. `operator`: an autonomous system. */
export type NetworkLevel = 'subscriber' | '/56' | '/48' | '/24' | 'operator'

export interface NetworkOfTree {
  readonly level: NetworkLevel
  /** `192.0.2.1`, `2001:db8::/48`, `AS64500`; empty for an address that is not known. */
  readonly name: string
}

/**
 * Quotas in multiples of that of one subscriber. `guesses` counts failures, `traffic` what everybody may do. A /48 of IPv6 may be
 * one subscriber, a /24 of IPv4 is up to 256 (docs/decisions/0092-networks-are-a-tree.md).
 */
const multiples = {
  guesses: { subscriber: 1, '/56': 1, '/48': 1.5, '/24': 4, operator: 20 },
  traffic: { subscriber: 1, '/56': 2, '/48': 3, '/24': 16, operator: 100 },
} as const satisfies Record<string, Record<NetworkLevel, number>>

export type NetworkLimit = keyof typeof multiples

export const multipleOf = (limit: NetworkLimit, level: NetworkLevel): number => multiples[limit][level]

/** What a network may have when a subscriber may have `most`. */
export const quotaOf = (limit: NetworkLimit, level: NetworkLevel, most: number): number =>
  Math.ceil(most * multipleOf(limit, level))

/**
 * Whose turn a request takes while requests wait: that of its IPv4 address; of IPv6, one of the three that a /48 has. A /64 has always the
 * same one.
 */
export function sharerOf(address: Address | undefined): string {
  if (address === undefined) return ''
  if (address.words.length === 1) return address.text
  return `${cidrOf(address, 48)} ${(address.words[1]! & 0xffff) % multiples.traffic['/48']}`
}

/** The networks around the address, the smallest first. `asn`: its operator, when it is known. */
export function networksOf(address: Address | undefined, asn?: number): NetworkOfTree[] {
  const networks: NetworkOfTree[] = [{ level: 'subscriber', name: address ? subscriberNetwork(address) : '' }]
  if (address?.words.length === 1) networks.push({ level: '/24', name: cidrOf(address, 24) })
  else if (address)
    networks.push({ level: '/56', name: cidrOf(address, 56) }, { level: '/48', name: cidrOf(address, 48) })
  if (asn !== undefined) networks.push({ level: 'operator', name: `AS${asn}` })
  return networks
}

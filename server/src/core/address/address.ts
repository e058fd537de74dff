// What does an IP address consist of? Its canonical text, its bits, and the blocks around it.

import { isIPv4 } from 'node:net'
import { embeddedIpv4, type Nat64Prefix } from './embedded-address.ts'

interface Bits {
  /** Canonical: IPv4 dotted (also for IPv4-mapped IPv6, as from a dual-stack socket), IPv6 as in RFC 5952 without a zone. */
  readonly text: string
  /** The bits in words of 32, highest first: one for IPv4, four for IPv6. */
  readonly words: readonly number[]
}

declare const form: unique symbol

/** Whose address it is: an IPv4 address inside IPv6 is that IPv4 address. For limits, places, lists, rules, receivers and logs. */
export interface Address extends Bits {
  readonly [form]?: 'unwrapped'
}

/**
 * As the connection has it. Only this may allow something: who is behind a translator must not pass for the IPv4 address in it. So the two
 * types do not fit each other.
 */
export interface ConnectionAddress extends Bits {
  readonly [form]?: 'connection'
}

/**
 * The one reader of IP addresses. Returns undefined for a text that is not one; shorthands such as `127.1` and `0x7f.0.0.1` are not.
 * `nat64`: prefixes of the operator, for texts that come from outside.
 */
export function parseAddress(text: string, nat64: readonly Nat64Prefix[] = []): Address | undefined {
  const address = parseConnectionAddress(text)
  return address && unwrapped(address, nat64)
}

/**
 * For what allows: trusted proxies, a client's allowed IP addresses, this machine. Our own, because ipaddr.js is half as fast:
 * docs/decisions/0035-ip-addresses-without-a-library.md.
 */
export function parseConnectionAddress(text: string): ConnectionAddress | undefined {
  const words = text.includes(':') ? fourWordsOf(text) : isIPv4(text) ? [wordOf(text)] : undefined
  if (!words) return undefined
  const [first, second, third, last] = words
  const isMapped = first === 0 && second === 0 && third === 0xffff
  return new ParsedAddress(isMapped ? [last!] : words)
}

export function unwrapped(address: ConnectionAddress, nat64: readonly Nat64Prefix[]): Address {
  const ipv4 = address.words.length === 1 ? undefined : embeddedIpv4(address.words, nat64)
  return ipv4 === undefined ? (address as Bits) : new ParsedAddress([ipv4])
}

/** Its text is made when it is read: a look-up by bits does not need it. */
class ParsedAddress implements Bits {
  readonly words: readonly number[]
  #text: string | undefined

  constructor(words: readonly number[]) {
    this.words = words
  }

  get text(): string {
    this.#text ??= textOf(this.words)
    return this.#text
  }
}

/** The block of this prefix length that contains the address: `8.8.8.0/24`. */
export function cidrOf({ words }: Bits, prefixLength: number): string {
  const masked = words.map((word, i) => {
    const bits = Math.min(32, Math.max(0, prefixLength - 32 * i))
    return bits === 0 ? 0 : (word & (-1 << (32 - bits))) >>> 0
  })
  return `${textOf(masked)}/${prefixLength}`
}

/** 127.0.0.0/8 and ::1 */
export const isLoopback = ({ text, words }: ConnectionAddress): boolean =>
  words.length === 1 ? words[0]! >>> 24 === 127 : text === '::1'

/** Prefix lengths of the network around a subscriber. */
const neighbourhoodBits = { ipv4: 24, ipv6: 48 }

/** The network around a subscriber: a /24 for IPv4, a /48 for IPv6. */
export const neighbourhoodOf = (address: Bits): string =>
  cidrOf(address, address.words.length === 1 ? neighbourhoodBits.ipv4 : neighbourhoodBits.ipv6)

/** The network of one subscriber: the address itself for IPv4, a /64 for IPv6, whose addresses one device can change freely. */
export function subscriberNetwork(address: Address): string {
  return address.words.length === 1 ? address.text : cidrOf(address, subscriberPrefixLength)
}

const subscriberPrefixLength = 64

function wordOf(dotted: string): number {
  let [word, byte] = [0, 0]
  for (let at = 0; at < dotted.length; at++) {
    const code = dotted.charCodeAt(at)
    if (code === dot) [word, byte] = [word * 256 + byte, 0]
    else byte = byte * 10 + code - 48
  }
  return word * 256 + byte
}

const [colon, dot] = [58, 46]

/**
 * Undefined for what `net.isIPv6` refuses (RFC 4291, 2.2, with a zone). Read in one pass, because each request and each look-up in a list
 * parses an address, and the regular expression of `net` takes longer than all of this.
 */
function fourWordsOf(text: string): number[] | undefined {
  const zoneAt = text.indexOf('%')
  if (zoneAt >= 0 && !/^%[0-9a-zA-Z.:-]+$/.test(text.slice(zoneAt))) return undefined
  const end = zoneAt < 0 ? text.length : zoneAt
  const gap = text.indexOf('::')
  const hasGap = gap >= 0 && gap < end
  const groups: number[] = []
  if (hasGap && !(readGroups(text, 0, gap, groups) && !text.slice(0, gap).includes('.'))) return undefined
  const gapAt = hasGap ? groups.length : 8
  if (!readGroups(text, hasGap ? gap + 2 : 0, end, groups)) return undefined
  const zeros = 8 - groups.length
  if (hasGap ? zeros < 1 : zeros !== 0) return undefined
  const number = (i: number) => (i < gapAt ? groups[i]! : i < gapAt + zeros ? 0 : groups[i - zeros]!)
  const word = (i: number) => number(i) * 0x10000 + number(i + 1)
  return [word(0), word(2), word(4), word(6)]
}

/** Adds the groups between colons; the last one may be dotted. Returns whether each is one. */
function readGroups(text: string, from: number, end: number, groups: number[]): boolean {
  let [start, group] = [from, 0]
  for (let at = from; at <= end && from < end; at++) {
    const code = at === end ? colon : text.charCodeAt(at)
    if (code === dot) {
      const dotted = text.slice(start, end)
      const word = wordOf(dotted)
      groups.push(word >>> 16, word & 0xffff)
      return isIPv4(dotted)
    }
    if (code === colon) {
      if (at === start || at > start + 4) return false
      groups.push(group)
      ;[start, group] = [at + 1, 0]
      continue
    }
    const letter = code | 32
    if (code >= 48 && code < 58) group = group * 16 + code - 48
    else if (letter >= 97 && letter <= 102) group = group * 16 + letter - 87
    else return false
  }
  return true
}

/** RFC 5952: lower case, no leading zeros, the first of the longest runs of at least two zero groups as `::`. */
function textOf(words: readonly number[]): string {
  const [word = 0] = words
  if (words.length === 1) return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`
  const groups: number[] = []
  for (const each of words) groups.push(each >>> 16, each & 0xffff)
  let longestAt = 0
  let longest = 1
  for (let i = 0, run = 0; i < 8; i++) {
    run = groups[i] === 0 ? run + 1 : 0
    if (run > longest) {
      longest = run
      longestAt = i - run + 1
    }
  }
  if (longest < 2) return hexOf(groups, 0, 8)
  return `${hexOf(groups, 0, longestAt)}::${hexOf(groups, longestAt + longest, 8)}`
}

function hexOf(groups: readonly number[], from: number, to: number): string {
  let text = ''
  for (let i = from; i < to; i++) text += i === from ? groups[i]!.toString(16) : `:${groups[i]!.toString(16)}`
  return text
}

// Which IPv4 address is inside an IPv6 address? Translators (RFC 6052) and 6to4 (RFC 3056) write it there, not the client.

/** Where a NAT64 of the operator puts IPv4 addresses: words of the prefix, and its length. */
export interface Nat64Prefix {
  readonly words: readonly number[]
  readonly length: Nat64Length
}

/** RFC 6052, 2.2 */
export const nat64Lengths = [32, 40, 48, 56, 64, 96] as const
export type Nat64Length = (typeof nat64Lengths)[number]

/**
 * The IPv4 address as a word of 32 bits. Not of ISATAP, whose interface identifier the client chooses, of the retired Teredo and
 * `::/96`, nor of `64:ff9b:1::/48` unless the operator names its prefix (RFC 8215): see docs/decisions/0086.
 */
export function embeddedIpv4(words: readonly number[], nat64: readonly Nat64Prefix[]): number | undefined {
  const [first, second, third, last] = words as [number, number, number, number]
  if (first === 0x0064ff9b && second === 0 && third === 0) return last
  if (first >>> 16 === 0x2002) return ((first << 16) | (second >>> 16)) >>> 0
  const prefix = nat64.find((each) => hasPrefix(words, each))
  return prefix && ipv4After(words, prefix.length)
}

function hasPrefix(words: readonly number[], { words: prefix, length }: Nat64Prefix): boolean {
  return prefix.every((word, i) => {
    const bits = Math.min(32, Math.max(0, length - 32 * i))
    return bits === 0 || (word ^ words[i]!) >>> (32 - bits) === 0
  })
}

/** Bits 64 to 71 are reserved and zero, so the address is before and behind them. */
function ipv4After([, second = 0, third = 0, last = 0]: readonly number[], length: Nat64Length): number | undefined {
  if (length === 96) return last
  if (third >>> 24 !== 0) return undefined
  if (length === 64) return ((third << 8) | (last >>> 24)) >>> 0
  if (length === 56) return ((second << 24) | (third & 0xffffff)) >>> 0
  if (length === 48) return ((second << 16) | ((third >>> 8) & 0xffff)) >>> 0
  if (length === 40) return ((second << 8) | ((third >>> 16) & 0xff)) >>> 0
  return second
}

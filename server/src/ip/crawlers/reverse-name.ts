// Under which DNS name is the host name of an IP address stored? (RFC 1035 3.5, RFC 3596 2.5)

import type { Address } from '../../core/address/address.ts'

/** `7.2.0.192.in-addr.arpa`, or the nibbles of an IPv6 address before `ip6.arpa`. */
export function reverseName({ text, words }: Address): string {
  if (words.length === 1) return `${text.split('.').reverse().join('.')}.in-addr.arpa`
  const nibbles = words.flatMap((word) => [...word.toString(16).padStart(8, '0')])
  return `${nibbles.reverse().join('.')}.ip6.arpa`
}

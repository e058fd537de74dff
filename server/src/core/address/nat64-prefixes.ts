// Which prefixes does the NAT64 in front of this service use? NAT64_PREFIXES, beside the well-known 64:ff9b::/96.

import { ConfigurationError } from '../config/config.ts'
import type { Settings } from '../config/settings.ts'
import { parseConnectionAddress } from './address.ts'
import { type Nat64Length, type Nat64Prefix, nat64Lengths } from './embedded-address.ts'

/** Throws a ConfigurationError that names an invalid entry. */
export const nat64Prefixes = ({ nat64Prefixes: list = '' }: Pick<Settings, 'nat64Prefixes'>): readonly Nat64Prefix[] =>
  list
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(prefixOf)

function prefixOf(entry: string): Nat64Prefix {
  const [text = '', bits = ''] = entry.split('/')
  const address = parseConnectionAddress(text)
  const length = Number(bits) as Nat64Length
  if (!address || address.words.length === 1 || !/^\d+$/.test(bits) || !nat64Lengths.includes(length))
    throw new ConfigurationError(
      `nat64Prefixes: ${entry} is not an IPv6 prefix of ${nat64Lengths.join(', ')} bits, such as 2001:db8:64::/96`,
    )
  return { words: address.words, length }
}

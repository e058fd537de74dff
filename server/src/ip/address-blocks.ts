// Does an address lie in one of several blocks? Blocks are written `10.0.0.0/8, 2001:db8::/32, 192.0.2.7`.

import { BlockList } from 'node:net'
import { type Address, parseAddress } from './address.ts'

export interface AddressBlocks {
  contains(address: Address): boolean
}

/** Addresses and blocks, separated by commas or spaces. Throws a RangeError that names the entry which is neither. */
export function addressBlocks(list: string): AddressBlocks {
  // A list of its own for each family: ::/3 would contain all of IPv4, which Node compares as IPv4-mapped.
  const blocks = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const entry of list.split(/[\s,]+/).filter(Boolean)) {
    const { address, prefixLength } = blockOf(entry)
    const family = familyOf(address)
    blocks[family].addSubnet(address.text, prefixLength, family)
  }
  return {
    contains(address) {
      const family = familyOf(address)
      return blocks[family].check(address.text, family)
    },
  }
}

function blockOf(entry: string): { address: Address; prefixLength: number } {
  const [, text = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const address = parseAddress(text)
  const width = address?.words.length === 1 ? 32 : 128
  const prefixLength = Number(bits ?? width)
  // An IPv4-mapped address would become an IPv4 one, whose prefixes are of another length.
  if (!address || prefixLength > width || text.includes(':') !== address.text.includes(':')) {
    throw new RangeError(`${entry} is no address and no block such as 10.0.0.0/8`)
  }
  return { address, prefixLength }
}

function familyOf({ words }: Address): 'ipv4' | 'ipv6' {
  return words.length === 1 ? 'ipv4' : 'ipv6'
}

// Is an IP address in one of several blocks? Blocks are written `10.0.0.0/8, 2001:db8::/32, 192.0.2.7`.

import { BlockList } from 'node:net'
import { type Address, type ConnectionAddress, parseConnectionAddress } from './address.ts'

/** Unless it says otherwise, it allows something, and so takes the address of the connection. */
export interface AddressBlocks<A extends Address | ConnectionAddress = ConnectionAddress> {
  contains(address: A): boolean
}

/** Parses IP addresses and blocks, separated by commas or spaces. Throws a RangeError that names an invalid entry. */
export function addressBlocks<A extends Address | ConnectionAddress = ConnectionAddress>(
  list: string,
): AddressBlocks<A> {
  // One list for each family: Node compares IPv4 as IPv4-mapped, so ::/3 would contain all of IPv4.
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

function blockOf(entry: string): { address: ConnectionAddress; prefixLength: number } {
  const [, text = '', bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const address = parseConnectionAddress(text)
  const width = address?.words.length === 1 ? 32 : 128
  const prefixLength = Number(bits ?? width)
  // An IPv4-mapped address becomes IPv4, where the prefix length would mean something else.
  if (!address || prefixLength > width || text.includes(':') !== address.text.includes(':')) {
    throw new RangeError(`${entry} is not an IP address or a block such as 10.0.0.0/8`)
  }
  return { address, prefixLength }
}

function familyOf({ words }: Pick<Address, 'words'>): 'ipv4' | 'ipv6' {
  return words.length === 1 ? 'ipv4' : 'ipv6'
}

// Can a client on the internet have this IP address? Not if it is reserved for something else.

import type { Address } from './address.ts'
import { addressBlocks } from './address-blocks.ts'

/**
 * Private, loopback, link-local, carrier-grade NAT, documentation, benchmarking, retired tunnels, multicast, reserved.
 * (IANA special-purpose address registries, RFC 6890)
 */
const reserved = addressBlocks<Address>(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
  ::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20
`)

/** False for a reserved address, also inside IPv6. Of IPv6, only 2000::/3 is assigned. */
export function isPublic(address: Address): boolean {
  return !reserved.contains(address)
}

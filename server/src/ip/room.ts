// What do other rooms learn of IP addresses and connections?

import type { ClientAddresses } from './client-address.ts'
import type { ConnectionFingerprints } from './connection-fingerprint.ts'
import type { CrawlerCheck } from './crawlers/crawler-check.ts'
import type { AddressListLookUp } from './lists/address-list-look-up.ts'
import type { IpLookUp } from './look-up.ts'

/** Where an IP address is, and what else is known of it. */
export interface IpDoor extends IpLookUp {
  /** Which published lists contain an IP address. */
  lists: AddressListLookUp
  /** Whether a crawler is the one that it claims to be. */
  crawlers: CrawlerCheck
  clientAddress: ClientAddresses
  connectionFingerprint: ConnectionFingerprints
}

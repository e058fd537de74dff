// Which peers are our proxies? Only their headers about a client count.

import { type AddressBlocks, addressBlocks } from '../core/address/address-blocks.ts'
import { ConfigurationError } from '../core/config/config.ts'
import type { Settings } from '../core/config/settings.ts'

/** Parses TRUSTED_PROXIES. Throws a ConfigurationError that names an invalid entry, or one that trusts everyone. */
export function trustedBlocks({ trustedProxies = '' }: Pick<Settings, 'trustedProxies'>): AddressBlocks {
  if (/\/0+(?!\d)/.test(trustedProxies)) {
    throw new ConfigurationError(
      'trustedProxies: a block of /0 trusts everyone, so that anyone could choose their IP address',
    )
  }
  try {
    return addressBlocks(trustedProxies)
  } catch (cause) {
    throw new ConfigurationError(`trustedProxies: ${(cause as Error).message}`, { cause })
  }
}

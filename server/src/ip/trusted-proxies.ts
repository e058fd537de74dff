// Which peers are proxies of ours? What they say of a person counts, and nobody else's word does.

import { ConfigurationError } from '../config/config.ts'
import type { Settings } from '../config/settings.ts'
import { type AddressBlocks, addressBlocks } from './address-blocks.ts'

/** The blocks of TRUSTED_PROXIES. Throws a ConfigurationError that names the entry which is no CIDR, or trusts everyone. */
export function trustedBlocks({ trustedProxies = '' }: Pick<Settings, 'trustedProxies'>): AddressBlocks {
  if (/\/0+(?!\d)/.test(trustedProxies)) {
    throw new ConfigurationError(
      'trustedProxies: a block of /0 trusts everyone, so that anyone could choose their address',
    )
  }
  try {
    return addressBlocks(trustedProxies)
  } catch (cause) {
    throw new ConfigurationError(`trustedProxies: ${(cause as Error).message}`, { cause })
  }
}

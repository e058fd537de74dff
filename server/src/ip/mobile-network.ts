// Is this the network of a mobile operator? Such networks lead far away to the internet, and many share an address.

import type { Network } from '@ringfence/contract'

/** They are known by name only. */
const mobileNetwork = /mobil|wireless|cellular|cellco|\bgsm\b|\blte\b|\bjio\b|airtel|vodafone|\btelcel\b|\bclaro\b/i

export const isMobileNetwork = (network: Network | undefined): boolean =>
  mobileNetwork.test(network?.ipLocation.asn?.name ?? '')

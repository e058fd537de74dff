// Is this the network of a mobile operator? Such networks reach the internet far from the phone, and many users share an IP address.

import type { Network } from '@ringfence/contract'

/** The name is the only indication. */
const mobileNetwork = /mobil|wireless|cellular|cellco|\bgsm\b|\blte\b|\bjio\b|airtel|vodafone|\btelcel\b|\bclaro\b/i

export const isMobileNetwork = (network: Network | undefined): boolean =>
  mobileNetwork.test(network?.ipLocation.asn?.name ?? '')

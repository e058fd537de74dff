// What is remembered of an analysis when its content is forgotten? By keyed hashes: which device, whose, from where; and what fired.

import type { Network } from '@ringfence/contract'
import type { TenantKeys } from '../../crypto/keyring.ts'
import { cidrOf, parseAddress } from '../../ip/address.ts'
import { isPublic } from '../../ip/public-address.ts'
import type { StoredAnalysis } from '../../storage/device-analyses.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { digitsOf, type UpdateInfo } from '../calls/update-info.ts'
import { firedWeights } from '../scores/weights.ts'

type Remembered = Pick<
  StoredAnalysis,
  'deviceHash' | 'accountHash' | 'numberHash' | 'ipPrefixHash' | 'ipHash' | 'country' | 'signals'
>

/** What stands in the row of an analysis beside its sealed content; null where nobody told. */
export const visitOf = ({ deviceId, updateInfo, network, judgement }: Analysis, keys: TenantKeys): Remembered => ({
  deviceHash: deviceId === undefined ? null : shortHash(`device ${deviceId}`, keys),
  ...personOf(updateInfo, keys),
  ...ipHashesOf(network, keys),
  country: network?.ipLocation.country?.code ?? null,
  signals: firedWeights(judgement.verdicts).join(' '),
})

/** An account by the app's own id, a number by its digits. */
function personOf(updateInfo: UpdateInfo, keys: TenantKeys): Pick<Remembered, 'accountHash' | 'numberHash'> {
  const { userId } = updateInfo
  const digits = digitsOf(updateInfo)
  return {
    accountHash: userId ? shortHash(`account ${userId}`, keys) : null,
    numberHash: digits ? shortHash(`number ${digits}`, keys) : null,
  }
}

/** What one subscriber has of IPv6, and what lies around them. */
const subscriberBits = 64
const aroundBits = { ipv4: 24, ipv6: 48 }

/** Null of an address that is not public: strangers share it. */
function ipHashesOf(network: Network | undefined, keys: TenantKeys): Pick<Remembered, 'ipPrefixHash' | 'ipHash'> {
  const address = network && parseAddress(network.ip)
  if (!address || !isPublic(address)) return { ipPrefixHash: null, ipHash: null }
  const isV4 = address.words.length === 1
  return {
    ipPrefixHash: shortHash(`prefix ${cidrOf(address, isV4 ? aroundBits.ipv4 : aroundBits.ipv6)}`, keys),
    ipHash: shortHash(`address ${isV4 ? address.text : cidrOf(address, subscriberBits)}`, keys),
  }
}

/** 8 bytes: of a hundred million devices two share them with a probability of 1 in 4,000. */
const shortHash = (text: string, keys: TenantKeys): Uint8Array => keys.hash(text).subarray(0, 8)

// What remains of an analysis after its content is deleted? Keyed hashes of device, account, number and IP address; and what fired.

import type { Network } from '@ringfence/contract'
import { neighbourhoodOf, parseAddress } from '../../core/address/address.ts'
import { isPublic } from '../../core/address/public-address.ts'
import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { accountHashOf, addressHashOf, deviceHashOf, numberHashOf, shortHash } from '../../events/subject-hashes.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { digitsOf, type UpdateInfo } from '../analysis/update-info.ts'
import { isOfHardware } from '../attestation/android/attested-key.ts'
import { firedWeights } from '../scores/weights.ts'
import type { VisitColumns } from '../store/device-analyses.ts'

export { accountHashOf, deviceHashOf } from '../../events/subject-hashes.ts'

/** What a visit shows; null when unknown. */
export const visitOf = (analysis: Analysis, keys: TenantKeys): VisitColumns => ({
  ...hashesOfDevice(analysis, keys),
  attested: attestedOf(analysis),
  ...personOf(analysis.updateInfo, keys),
  ...ipHashesOf(analysis.network, keys),
  country: analysis.network?.ipLocation.country?.code ?? null,
  signals: firedWeights(analysis.judgement.verdicts).join(' '),
})

/**
 * The stored ids of a phone can be copied, and a thief can leave out the proof of a key. So a phone without a proof counts the history
 * of its whole device.
 */
export const hashesOfDevice = (
  {
    deviceId,
    installationId,
    platform,
    identification,
  }: Pick<Analysis, 'deviceId' | 'installationId' | 'identification'> & Partial<Pick<Analysis, 'platform'>>,
  keys: TenantKeys,
): Pick<VisitColumns, 'deviceHash' | 'installationHash'> => ({
  deviceHash: deviceId === undefined ? null : deviceHashOf(deviceId, keys),
  installationHash:
    installationId === undefined || (platform !== 'WEB' && identification?.by !== 'key')
      ? null
      : shortHash(`installation ${installationId}`, keys),
})

/** Only a key that the hardware attests, for this app, shows that ids are not copied. */
function attestedOf({ platform, identification, evidence }: Analysis): VisitColumns['attested'] {
  if (platform === 'WEB') return null
  // Keys of App Attest are of the hardware.
  const isOfPhone = platform === 'IOS' || isOfHardware(evidence.keyAttestation?.level)
  return identification?.by === 'key' && isOfPhone ? 1 : 0
}

/** Hashes the app's user id, and the digits of the phone number. */
function personOf(updateInfo: UpdateInfo, keys: TenantKeys): Pick<VisitColumns, 'accountHash' | 'numberHash'> {
  const { userId } = updateInfo
  const digits = digitsOf(updateInfo)
  return {
    accountHash: userId ? accountHashOf(userId, keys) : null,
    numberHash: digits ? numberHashOf(digits, keys) : null,
  }
}

/** Null for an IP address that is not public, because strangers share it. */
function ipHashesOf(network: Network | undefined, keys: TenantKeys): Pick<VisitColumns, 'ipPrefixHash' | 'ipHash'> {
  const address = network && parseAddress(network.ip)
  if (!address || !isPublic(address)) return { ipPrefixHash: null, ipHash: null }
  return {
    ipPrefixHash: shortHash(`prefix ${neighbourhoodOf(address)}`, keys),
    ipHash: addressHashOf(address, keys),
  }
}

// What does a session show about its account? Country, network, operator, number, hour and place, and the device that shows them.

import type { IdentityClaim, Network } from '@ringfence/contract'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { Analysis } from '../device/analysis/analyse.ts'
import { hashesOfDevice } from '../device/history/visit.ts'
import { deviceHashOf, networkHashOf, numberHashOf } from '../events/subject-hashes.ts'
import { type Anonymity, hidesCountry, showsPlace } from '../ip/lists/anonymity.ts'
import { isMobileNetwork } from '../ip/mobile-network.ts'
import type { Place } from './travel.ts'

/** The parts of a session that are known. */
export interface AccountSession {
  /** Epoch milliseconds. */
  readonly at: number
  readonly network?: Network | undefined
  /** Absent: no lists are known, so nobody knows whether the IP address is that of a VPN. */
  readonly anonymity?: Anonymity | undefined
  readonly analysis?: Analysis | undefined
  /** Digits with country code, as a backend or a completed sign-in reports it. */
  readonly phoneNumber?: string | undefined
  /** The operator that serves the number. */
  readonly operator?: string | undefined
}

/** The same, as an account learns it. JSON: store it with a decision, so that its label can withdraw it. Hashes are in hex. */
export interface ShownSession {
  readonly at: number
  /** Who shows it: an installation; a phone without a proof of its key; without a device, the network. */
  readonly source: string
  /** The device of the installation. */
  readonly device?: string
  readonly country?: string
  readonly network?: string
  readonly operator?: string
  readonly number?: string
  readonly place?: Place
}

/** The verified phone number of a sign-in. */
export const provenNumber = (
  identities: readonly Pick<IdentityClaim, 'identityType' | 'identityValue' | 'verified'>[],
): string | undefined =>
  identities.find(({ identityType, verified }) => identityType === 'MOBILE' && verified)?.identityValue

export function shownBy(session: AccountSession, keys: TenantKeys): ShownSession {
  const { at, network, anonymity, analysis, phoneNumber, operator } = session
  const { deviceHash = null, installationHash = null } = analysis ? hashesOfDevice(analysis, keys) : {}
  const { asn, country } = network?.ipLocation ?? {}
  const place = placeOf(network, anonymity)
  return {
    at,
    source: hex(installationHash ?? deviceHash ?? networkHashOf(asn?.asn ?? country?.code ?? 'unknown', keys)),
    ...(deviceHash && { device: hex(deviceHash) }),
    ...(country && !hidesCountry(anonymity) && { country: country.code }),
    ...(asn && { network: asn.asn }),
    ...(operator && { operator }),
    ...(phoneNumber && { number: hex(numberHashOf(phoneNumber, keys)) }),
    ...(place && { place }),
  }
}

/** How `ShownSession.device` names a device. */
export const deviceKeyOf = (deviceId: string, keys: TenantKeys): string => hex(deviceHashOf(deviceId, keys))

/** Degrees to the tenth: 11 km. */
const coarseness = 10
/** What the rounding adds to the accuracy radius. */
const coarseKm = 8

/**
 * Where the person is, coarsely. Undefined where the IP address does not say it: only a list of VPNs says that it is not one of them,
 * and mobile networks reach the internet far from the phone.
 */
function placeOf(network: Network | undefined, anonymity: Anonymity | undefined): Place | undefined {
  const { latitude, longitude, accuracyRadius } = network?.ipLocation ?? {}
  if (latitude === undefined || longitude === undefined || accuracyRadius === undefined) return undefined
  if (!showsPlace(anonymity) || isMobileNetwork(network)) return undefined
  return {
    latitude: Math.round(latitude * coarseness) / coarseness,
    longitude: Math.round(longitude * coarseness) / coarseness,
    radiusKm: Math.ceil(accuracyRadius) + coarseKm,
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

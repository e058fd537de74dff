// What do rules read of a session's detectors and telecom checks? From the shapes of the contract to paths of the vocabulary.

import type { CallForwardingResult, PortabilityResult, SecureInfoDetail, SimSwapResult } from '@ringfence/contract'
import { told } from '../told.ts'
import type { RuleInput } from './vocabulary.ts'

/** A detector that did not look leaves its paths absent. */
export function inputOfDetectors(info: SecureInfoDetail): NonNullable<RuleInput['signals']> {
  const { vpn, tampering } = info
  return told({
    bot: info.bot?.result,
    incognito: info.incognito,
    privacySettings: info.privacySettings?.result,
    developerTools: info.developerTools?.result,
    virtualMachine: info.virtualMachine?.result,
    emulator: info.emulator?.result,
    rootApps: info.rootApps?.result,
    clonedApp: info.clonedApp?.result,
    frida: info.frida?.result,
    locationSpoofing: info.locationSpoofing?.result,
    tampering: tampering?.result,
    anomalyScore: tampering?.anomalyScore,
    timezoneMismatch: vpn?.methods.timezoneMismatch,
    publicVPN: vpn?.methods.publicVPN,
    auxiliaryMobile: vpn?.methods.auxiliaryMobile,
    osMismatch: vpn?.methods.osMismatch,
    vpnOriginCountry: vpn?.originCountry,
    vpnOriginTimezone: vpn?.originTimezone,
    suspectScore: info.suspectScore?.result,
    confidence: info.confidence?.score,
  })
}

/** The checks that were made of the session's number; one that was not completed tells of the number alone. */
export function inputOfTelecom(checks: {
  simSwap?: SimSwapResult | undefined
  callForwarding?: CallForwardingResult | undefined
  portability?: PortabilityResult | undefined
}): NonNullable<RuleInput['telecom']> {
  const { simSwap, callForwarding, portability } = checks
  const details = [portability, callForwarding, simSwap].map((result) => result?.phoneDetail)
  const detail = Object.assign({}, ...details.toReversed().map((each) => told({ ...each })))
  const { operator, homeOperator, countryCode, country, type, isPorted } = detail as NonNullable<
    PortabilityResult['phoneDetail']
  >
  return told({
    swapped: simSwap?.success ? simSwap.swapped : undefined,
    callForwarding: callForwarding?.success ? callForwarding.callForwarding : undefined,
    isPorted,
    operator,
    homeOperator,
    countryCode,
    country,
    type: type === 'MOBILE' || type === 'LANDLINE' ? type : undefined,
  })
}

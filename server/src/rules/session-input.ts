// What do rules read of a session's detectors and phone number? From what is known of them to paths of the vocabulary.

import type { SecureInfoDetail } from '@ringfence/contract'
import { withoutUndefined } from '../json/without-undefined.ts'
import type { KnownOfNumber } from '../telecom/known-answers.ts'
import type { RuleInput } from './vocabulary.ts'

/** A detector that did not look leaves its paths absent. */
export function inputOfDetectors(info: SecureInfoDetail): NonNullable<RuleInput['signals']> {
  const { vpn, tampering } = info
  return withoutUndefined({
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

/** The number of a session, and its last checks. */
export function inputOfTelecom({ phoneDetail, ...checks }: KnownOfNumber): NonNullable<RuleInput['telecom']> {
  const { operator, homeOperator, countryCode, country, type } = phoneDetail
  return { ...withoutUndefined({ operator, homeOperator, countryCode, country, type }), ...checks }
}

// Detects an app that is not the published one, by its signature and the proof of its key.

import { flag } from '../../core/path-types.ts'
import { isMissing } from '../analysis/absent-facts.ts'
import type { Evidence } from '../analysis/evidence.ts'
import { plainFingerprint } from '../attestation/android/attested-key.ts'
import { type Finding, resultOf, signal } from './signal.ts'
import type { FlagResult } from './verdicts.ts'

/**
 * On iOS, an app from the App Store is encrypted and has no provisioning profile. A profile shows for which app it was signed. On
 * Android, the signing certificate is compared with those in the app's settings. A refused proof of the phone's key, or of what attests
 * it, counts too: the facts were changed on their way, or are another device's. What an honest phone may send is never refused.
 */
export const appTampering = signal({
  name: 'appTampering',
  question: 'Has the app been changed since it was published?',
  version: 5,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<FlagResult> | undefined {
    const { platform, facts, attestation, keyAttestation, playIntegrity, expectedCertificates = [] } = evidence
    if (!facts.appIntegrity && !attestation && !keyAttestation && !playIntegrity) return undefined
    const reasons = platform === 'IOS' ? ofIos(evidence) : ofAndroid(evidence)
    // A certificate that is not reported may be another one.
    const isOpen = platform === 'ANDROID' && expectedCertificates.length > 0 && !facts.appIntegrity?.certificates
    if (reasons.length === 0 && (isOpen || isMissing(evidence, 'appIntegrity'))) return undefined
    return { verdict: { result: reasons.length > 0 }, reasons }
  },
  weights: {
    appTampering: {
      fires: resultOf,
      session: 0.6,
      because: 'the app is not the one that was published, or its proof is wrong',
    },
  },
  report: {
    field: 'appTampering',
    value: resultOf,
    rule: { type: flag('The binary of the app was changed'), read: ({ appTampering }) => appTampering },
  },
})

function ofIos({ facts, attestation, packageName = '' }: Evidence): string[] {
  const { hasProfile, profileAppId, isEncrypted, isDebugged } = facts.appIntegrity ?? {}
  // Builds for a simulator are neither encrypted nor signed.
  const isPublished = hasProfile === false && facts.simulator?.isTarget !== true
  // Development and company profiles may have a wildcard.
  const [, profiled] = /^[^.]+\.(.+)$/.exec(profileAppId ?? '') ?? []
  const isOfOther =
    profiled !== undefined && profiled !== '*' && profiled !== packageName && !covers(profiled, packageName)
  return [
    ...(isPublished && isEncrypted === false ? ['neither App Store encryption nor a profile'] : []),
    ...(isPublished && isDebugged ? ['a debugger is attached to a published app'] : []),
    ...(isOfOther ? [`signed for ${profileAppId}`] : []),
    ...refusedProof('App Attest', attestation),
  ]
}

const refusedProof = (of: string, attestation: Evidence['attestation']) =>
  attestation?.state === 'refused' ? [`${of}: ${attestation.because}`] : []

const covers = (pattern: string, name: string) => pattern.endsWith('.*') && name.startsWith(pattern.slice(0, -1))

function ofAndroid(evidence: Evidence): string[] {
  const { facts, attestation, keyAttestation, playIntegrity, expectedCertificates = [] } = evidence
  const { certificates = [] } = facts.appIntegrity ?? {}
  const known = expectedCertificates.map(plainFingerprint)
  const foreign = known.length === 0 ? [] : certificates.filter((each) => !known.includes(plainFingerprint(each)))
  return [
    ...foreign.map((certificate) => `signed with ${certificate}`),
    ...refusedProof('Keystore key', attestation),
    ...(keyAttestation?.level === 'refused' ? [`Key attestation: ${keyAttestation.because}`] : []),
    ...(playIntegrity?.state === 'refused' ? [`Play Integrity: ${playIntegrity.because}`] : []),
  ]
}

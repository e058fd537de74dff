// Detects a phone that does not prove that it runs the app: anybody can claim to be one.

import type { Evidence } from '../analysis/evidence.ts'
import { isUserAgentOfScript } from '../analysis/program-user-agent.ts'
import { type AttestationLevel, isOfHardware } from '../attestation/android/attested-key.ts'
import type { PlayIntegrity } from '../attestation/android/play-integrity.ts'
import { type Finding, resultOf, signal } from './signal.ts'

export interface UnattestedResult {
  readonly result: boolean
  /** Decisions need a challenge. */
  readonly isRequired: boolean
}

/** A script or a desktop browser that claims to be a phone must prove it, whatever the app requires of phones. */
export const unattested = signal({
  name: 'unattested',
  question: 'Does the phone not prove that it runs the app?',
  version: 4,
  platforms: ['IOS', 'ANDROID'],
  judge(evidence): Finding<UnattestedResult> | undefined {
    const { platform, attestation, attestationPolicy = 'off', headers } = evidence
    const userAgent = headers['user-agent']
    const isScript = userAgent !== undefined && isUserAgentOfScript(userAgent)
    if (attestationPolicy === 'off' && !isScript) return undefined
    // A key of the Android Keystore shows the same installation; only its certificates show that it is one.
    const result = !(platform === 'IOS' ? attestation?.state === 'proved' : isAttested(evidence))
    return {
      verdict: { result, isRequired: result && (isScript || attestationPolicy === 'required') },
      reasons: result ? [...(isScript ? [`called by ${userAgent}`] : []), ...missingOf(evidence)] : [],
    }
  },
  weights: {
    unattested: {
      fires: (verdict) => resultOf(verdict) && verdict.isRequired,
      session: 0.2,
      because: 'nothing proves that this is a phone',
    },
  },
})

/** What was found out about a phone. Google Play does not know better; where hardware says nothing, it may. */
const speaksAgainst: readonly AttestationLevel[] = ['unlocked', 'selfSigned', 'unverified', 'revoked', 'refused']

/** By its hardware, or by Google Play for this call. */
function isAttested({ attestation, keyAttestation, playIntegrity }: Evidence): boolean {
  const { level = 'none' } = keyAttestation ?? {}
  if (attestation?.state === 'refused' || playIntegrity?.state === 'refused' || speaksAgainst.includes(level)) {
    return false
  }
  if (isOfHardware(level)) return true
  if (playIntegrity?.state !== 'read') return false
  const { app, device = [] } = playIntegrity
  return app === 'PLAY_RECOGNIZED' && device.some((each) => passed.includes(each))
}

/** What came in place of a proof. */
function missingOf({ platform, attestation, keyAttestation, playIntegrity }: Evidence): string[] {
  if (attestation?.state === 'refused') return [`the proof of its key is wrong: ${attestation.because}`]
  const isProved = attestation?.state === 'proved'
  if (platform === 'IOS' || !(isProved || keyAttestation || playIntegrity)) return ['no proof of a key']
  return [
    keyAttestation ? `hardware does not attest the app: ${keyAttestation.level}` : 'no certificates came with its key',
    ...(playIntegrity ? [`Play Integrity: ${playTextOf(playIntegrity)}`] : []),
  ]
}

const playTextOf = (found: PlayIntegrity): string =>
  found.state === 'read' ? [found.app ?? 'no verdict of the app', ...(found.device ?? [])].join(', ') : found.because

const passed = ['MEETS_DEVICE_INTEGRITY', 'MEETS_STRONG_INTEGRITY']

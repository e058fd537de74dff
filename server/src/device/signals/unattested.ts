// Detects a phone that does not prove that it runs the app: anybody can claim to be one.

import { isUserAgentOfScript } from '../analysis/program-user-agent.ts'
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
  version: 1,
  platforms: ['IOS', 'ANDROID'],
  judge({ platform, attestation, attestationPolicy = 'off', headers }): Finding<UnattestedResult> | undefined {
    const userAgent = headers['user-agent']
    const isScript = userAgent !== undefined && isUserAgentOfScript(userAgent)
    if (attestationPolicy === 'off' && !isScript) return undefined
    // A key of the Android Keystore shows the same installation, not that it is one: its certificates are not verified.
    const result = platform !== 'IOS' || attestation?.state !== 'proved'
    return {
      verdict: { result, isRequired: result && (isScript || attestationPolicy === 'required') },
      reasons: result ? [isScript ? `called by ${userAgent}` : 'no proof of a key'] : [],
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

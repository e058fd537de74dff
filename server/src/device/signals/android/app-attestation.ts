// What attests that an Android phone runs the published app? Its hardware, software that anybody can change, or nothing.

import { oneOf } from '../../../core/path-types.ts'
import type { KeyAttestation } from '../../attestation/android/attestation-of-call.ts'
import { type AttestationLevel, attestationLevels } from '../../attestation/android/attested-key.ts'
import type { PlayIntegrity } from '../../attestation/android/play-integrity.ts'
import type { RevocationState } from '../../attestation/android/revocation-list.ts'
import { type Finding, signal } from '../signal.ts'

export interface AppAttestationResult {
  readonly result?: AttestationLevel
  /** How new the lists of revoked certificates were. */
  readonly revocations?: RevocationState
  /** What Google Play says, in its words; absent without a token of Play Integrity. */
  readonly playIntegrity?: PlayVerdict
}

export interface PlayVerdict {
  readonly state: PlayIntegrity['state']
  readonly app?: string
  readonly device?: readonly string[]
}

/** Old phones cannot attest, so `none` and `software` raise no score: the app says whether it requires more (`unattested`). */
export const appAttestation = signal({
  name: 'appAttestation',
  question: 'What attests that the phone runs the published app?',
  version: 3,
  platforms: ['ANDROID'],
  judge(evidence): Finding<AppAttestationResult> | undefined {
    const { attestation, keyAttestation, playIntegrity, attestationPolicy = 'off' } = evidence
    if (!keyAttestation && !playIntegrity && attestationPolicy === 'off') return undefined
    const { level: result = 'none', revocations } = keyAttestation ?? {}
    return {
      verdict: {
        result,
        ...(revocations && { revocations }),
        ...(playIntegrity && { playIntegrity: playVerdictOf(playIntegrity) }),
      },
      reasons: [
        ...(keyAttestation
          ? reasonsOf(keyAttestation)
          : [attestation?.state === 'refused' ? 'the proof of its key is wrong' : 'no chain of certificates']),
        ...(playIntegrity ? playReasonsOf(playIntegrity) : []),
      ],
    }
  },
  weights: {
    revokedAttestation: {
      fires: ({ result }) => result === 'revoked',
      session: 0.3,
      because: 'the keys that attest the phone were withdrawn, as leaked ones are',
    },
  },
  secureInfo: {
    returnedBy: 'rules',
    unknown: {},
    rules: {
      appAttestation: {
        type: oneOf([...attestationLevels], 'What attests the phone and its app (Android)'),
        value: ({ result }) => result,
        read: ({ signals }) => signals?.appAttestation,
      },
    },
  },
})

function playVerdictOf(found: PlayIntegrity): PlayVerdict {
  if (found.state !== 'read') return { state: found.state }
  const { accessRisk: _, ...said } = found
  return said
}

/** Phones get apps from other stores too, so a version that Play does not know is a reason alone. */
function playReasonsOf(found: PlayIntegrity): string[] {
  if (found.state !== 'read') return [`Play Integrity: ${found.because}`]
  const isUnrecognized = found.app === 'UNRECOGNIZED_VERSION'
  return isUnrecognized ? ['Play Integrity: Google Play does not know this version of the app'] : []
}

const listTexts: Readonly<Partial<Record<RevocationState, string>>> = {
  stale: 'the list of revoked certificates is older than a day',
  missing: 'there is no list of revoked certificates',
}

function reasonsOf({ because, rootOfTrust, revocations, isEarlier }: KeyAttestation): string[] {
  const { isLocked = true, bootState = 'verified' } = rootOfTrust ?? {}
  return [
    ...(because === undefined ? [] : [because]),
    ...(isLocked ? [] : ['the bootloader is unlocked']),
    ...(bootState === 'verified' ? [] : [`verified boot: ${bootState}`]),
    ...(isEarlier ? ['attested by an earlier call of the key'] : []),
    ...(listTexts[revocations] === undefined ? [] : [listTexts[revocations]]),
  ]
}

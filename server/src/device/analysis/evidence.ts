// What does a verdict rest on? Everything known about a device at one moment, checked, and nothing else.

import type { DevicePlatform, Facts, Network } from '@ringfence/contract'
import type { AgentVerification } from '../../bots/agent-check.ts'
import type { ConnectionFingerprint } from '../../core/call.ts'
import type { CrawlerVerification } from '../../ip/crawlers/crawler-check.ts'
import type { Anonymity } from '../../ip/lists/anonymity.ts'
import type { KeyAttestation } from '../attestation/android/attestation-of-call.ts'
import type { PlayIntegrity } from '../attestation/android/play-integrity.ts'

/** `off`: nothing is said. `report`: it is `unattested` in the report. `required`: a decision needs a challenge. */
export type AttestationPolicy = 'off' | 'report' | 'required'

export interface Evidence {
  readonly platform: DevicePlatform
  /** What the device reports about itself. */
  readonly facts: Facts
  /** Names of facts of a wrong type. */
  readonly malformedFacts: readonly string[]
  /** Facts whose absence is an answer: the app does not collect them, or the SDK says that this browser has none. */
  readonly notOwed?: readonly string[]
  /** Facts that its platform always sends, and that are missing. */
  readonly lacking?: readonly string[]
  /** Facts that came too late, as our own clock confirms. */
  readonly late?: readonly string[]
  /** What the app requires of a phone that does not prove its key. */
  readonly attestationPolicy?: AttestationPolicy
  /**
   * The signed device token: `known` is ours, `forged` is not, `foreign` was issued to a device that this cannot be, `copied`
   * came without the key of its installation and from another device. Absent without a token, and when it shows nothing.
   */
  readonly deviceToken?: 'known' | 'forged' | 'foreign' | 'copied'
  /** Why the proof of the installation's key was wrong; absent when it was right, and without one. */
  readonly wrongProof?: string
  /** Headers of its HTTP client: names in lower case, without those that carry credentials or IP addresses. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Undefined when the IP address is unknown. */
  readonly network: Network | undefined
  /** What published lists say about the IP address; absent without lists, and when the IP address is not public. */
  readonly anonymity?: Anonymity
  /** The fingerprint of the connection, as a trusted proxy reports it; absent without one. */
  readonly connection?: ConnectionFingerprint
  /** The crawler that the browser claims to be, and whether it is. Absent when it claims none that can be verified. */
  readonly crawler?: CrawlerVerification
  /** The agent that signed the request, and whether it did. Absent without a signature. */
  readonly agent?: AgentVerification
  /** Bundle id, package name or origin with which the session started. */
  readonly packageName?: string
  /** SHA-256 of the certificates that sign the Android app, from the app's settings. */
  readonly expectedCertificates?: readonly string[]
  /** The proof of a phone's key: by App Attest, when the app uses it; by the Android Keystore, when the app sends one. */
  readonly attestation?: AttestationResult
  /** What attests the Keystore key of an Android phone; absent without a chain of certificates. */
  readonly keyAttestation?: KeyAttestation
  /** What Google Play says of the app and the phone; absent without a token, and without the keys of the app. */
  readonly playIntegrity?: PlayIntegrity
  /** Epoch milliseconds. */
  readonly now: number
}

/** The stored part. Facts and headers are not stored, apart from what views and the reasons of verdicts contain. */
export type StoredEvidence = Pick<
  Evidence,
  | 'malformedFacts'
  | 'deviceToken'
  | 'wrongProof'
  | 'anonymity'
  | 'crawler'
  | 'agent'
  | 'attestation'
  | 'keyAttestation'
  | 'playIntegrity'
  | 'now'
>

/** `absent`: the device sent no proof. `because` of a proved one: what lowers the confidence. `isClone`: the key is used in two places, as its counter shows. */
export type AttestationResult =
  | { readonly state: 'proved'; readonly keyId: string; readonly because?: string }
  | { readonly state: 'absent'; readonly because?: string }
  | { readonly state: 'refused'; readonly because: string; readonly isClone?: true }

// On what does a verdict rest? Everything that is known of a device at one moment, checked, and nothing else.

import type { Facts, Network } from '@ringfence/contract'
import type { DevicePlatform } from '../../apps/app.ts'
import type { ConnectionFingerprint } from '../../ip/connection-fingerprint.ts'
import type { CrawlerVerification } from '../../ip/crawlers/crawler-check.ts'
import type { Anonymity } from '../../ip/lists/anonymity.ts'

export interface Evidence {
  readonly platform: DevicePlatform
  /** What the device says of itself. */
  readonly facts: Facts
  /** Names of facts that were of another type than they can be. */
  readonly malformedFacts: readonly string[]
  /**
   * The signed device token that it brought: one of ours, one that is not, or one that we gave to a device that this cannot be;
   * absent when it brought none.
   */
  readonly deviceToken?: 'known' | 'forged' | 'foreign'
  /** What its HTTP client says of itself: names in lower case, without those that bear credentials or addresses. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Absent when the address is not known. */
  readonly network: Network | undefined
  /** What published lists say of the address; absent where none were fetched, or the address is not public. */
  readonly anonymity?: Anonymity
  /** How the connection looks to the proxy at the edge; absent where none tells. */
  readonly connection?: ConnectionFingerprint
  /** Which crawler the browser says to be, and whether it is; absent for what says to be none that can be checked. */
  readonly crawler?: CrawlerVerification
  /** Bundle id, package name or origin that the session was begun with. */
  readonly packageName?: string
  /** SHA-256 of the certificates that sign the owner's Android app, where the app's settings name them. */
  readonly expectedCertificates?: readonly string[]
  /** The proof of App Attest, where the app asks for it. */
  readonly attestation?: AttestationResult
  /** Epoch milliseconds. */
  readonly now: number
}

/**
 * What is kept of it: facts and headers are judged and then forgotten, but for what views tell of them and the reasons of
 * verdicts.
 */
export type KeptEvidence = Pick<
  Evidence,
  'malformedFacts' | 'deviceToken' | 'anonymity' | 'crawler' | 'attestation' | 'now'
>

/** `absent`: the device brought no proof. */
export type AttestationResult =
  | { readonly state: 'proved'; readonly keyId: string }
  | { readonly state: 'absent'; readonly because?: string }
  | { readonly state: 'refused'; readonly because: string }

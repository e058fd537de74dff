// How was a device recognised, and how sure is that?

import type { Facts, SecureInfo } from '@ringfence/contract'
import type { Evidence } from '../analysis/evidence.ts'
import type { PhoneProof } from '../attestation/phone-key.ts'
import type { PhoneIdChange } from '../store/phone-ids.ts'
import type { InstallationChange } from './installation-change.ts'

/**
 * `key`: the installation proved its key. `token`: it has no key, and sent its token; or a phone sent its stored id. `similarity`: the
 * device resembles a known one. `none`: nothing identified it, so it is new.
 */
export type IdentifiedBy = 'key' | 'token' | 'similarity' | 'none'

export type MissingBecause = 'refused' | 'unavailable' | 'timedOut'

/**
 * Why a device token was not followed. `copied`: without the key of its installation. `expired`: older than 400 days. `forged`: not
 * issued by this tenant. `foreign`: of a device that this cannot be.
 */
export type TokenFinding = 'copied' | 'expired' | 'forged' | 'foreign'

/** A device of which similarity is not sure enough to give its id away. */
export interface Likely {
  readonly deviceId: string
  /** The probability that it is this device, 0 to 1. */
  readonly confidence: number
}

export interface Identification {
  readonly by: IdentifiedBy
  /** The probability that `deviceId` is right, 0 to 1. */
  readonly confidence: number
  /** What the device resembled when it was new. */
  readonly likely?: Likely
  /** Facts that the device did not report, with the reason that its SDK gave. */
  readonly factsMissing?: Readonly<Partial<Record<keyof Facts, MissingBecause>>>
  readonly token?: TokenFinding
  /** Its network made too many new devices when this one was new. For a day. */
  readonly crowded?: true
  /** The call proved a key of its browser, which may be new. */
  readonly isSigned?: true
}

/** The identity of a device; empty when nothing identifies it. */
export interface Identity {
  readonly deviceId?: string
  readonly newDevice?: boolean
  /** The UUID of the browser profile or app; an installation belongs to one device. */
  readonly installationId?: string
  readonly identification?: Identification
  readonly confidence?: NonNullable<SecureInfo['confidence']>
  /** The check of the token that the browser sent. */
  readonly tokenCheck?: NonNullable<Evidence['deviceToken']>
  /** What the proof of a phone's key shows; absent without one. */
  readonly phoneProof?: PhoneProof
  /** Why the proof of the call was wrong. */
  readonly wrongProof?: string
  /** Must be stored with the analysis. Absent: nothing changed. */
  readonly change?: InstallationChange
  /** The same of the ids of a phone. */
  readonly phoneIds?: readonly PhoneIdChange[]
}

// What does a telecom check need to know of its caller?

import type { Consent } from '@ringfence/contract'
import type { Caller } from '../clients/credentials.ts'
import type { AnyCall } from '../core/call.ts'
import type { AnswersOfCall } from './answers-of-call.ts'
import type { StoredAnswers } from './store/telecom-answers.ts'

/** What a telecom check needs to know of its caller: a backend's call, or the gate of a sign-in. */
export interface CheckCall
  extends Pick<AnyCall, 'requestId' | 'correlator' | 'trace' | 'signal' | 'maxAgeSeconds' | 'provenance'> {
  readonly caller: Pick<Caller, 'tenantId'> & Partial<Pick<Caller, 'clientId'>>
  /** Awaited before each request to an upstream, which is not sent if it throws. A batch notes which numbers it asks about. */
  readonly beforeRequest?: (() => Promise<void>) | undefined
  /** Stored answers about the number that were read already, with those about others. */
  readonly stored?: StoredAnswers | undefined
  /** The answers of several checks are stored together. */
  readonly storing?: AnswersOfCall | undefined
  /** A person ordered it: its event is recorded also while nobody wants such events. */
  readonly isByHand?: boolean
  /** What for, and on which legal basis, as the caller states it. */
  readonly consent?: Consent | undefined
}

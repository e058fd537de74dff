// How was a device recognised, and how sure is that?

import type { WebFacts } from '@ringfence/contract'

/**
 * `key`: the installation proved its key. `token`: it has no key, and sent its token; or a phone sent its stored id. `similarity`: the
 * device resembles a known one. `none`: nothing identified it, so it is new.
 */
export type IdentifiedBy = 'key' | 'token' | 'similarity' | 'none'

export type MissingBecause = 'refused' | 'unavailable' | 'timedOut'

export interface Identification {
  readonly by: IdentifiedBy
  /** The probability that `deviceId` is right, 0 to 1. */
  readonly confidence: number
  /** Facts that the device did not report, with the reason that its SDK gave. */
  readonly factsMissing?: Readonly<Partial<Record<keyof WebFacts, MissingBecause>>>
}

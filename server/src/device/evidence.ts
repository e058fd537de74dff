// On what does a verdict rest? Everything that is known of a device at one moment, checked, and nothing else.

import type { Facts, Network } from '@ringfence/contract'
import type { DevicePlatform } from '../apps/app.ts'

export interface Evidence {
  readonly platform: DevicePlatform
  /** What the device says of itself. */
  readonly facts: Facts
  /** Names of facts that were of another type than they can be. */
  readonly malformedFacts: readonly string[]
  /** The signed device token that it brought: one of ours, or one that is not; absent when it brought none. */
  readonly deviceToken?: 'known' | 'forged'
  /** What its HTTP client says of itself: names in lower case, without those that bear credentials or addresses. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Absent when the address is not known. */
  readonly network: Network | undefined
  /** Epoch milliseconds. */
  readonly now: number
}

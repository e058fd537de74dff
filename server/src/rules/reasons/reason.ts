// What is a reason? A stable code with a text and a weight, the same wherever Ringfence explains itself.

import type { RuleCase } from '../language/rule.ts'
import type { RuleInput } from '../language/vocabulary.ts'

/** A reason that applies. */
export interface Reason {
  /** Stable: backends compare it. */
  readonly code: string
  /** English, for people; it may change. */
  readonly text: string
  /** Points, 0 to 100: the probability of fraud if this were the only reason. */
  readonly weight: number
  /** The part of the decision that it is about, for example `telecom.simSwap`. */
  readonly source: string
}

/** A reason that a decision finds in the input of its rules. */
export interface InputReason {
  readonly code: string
  readonly source: string
  readonly weight: number
  /** A condition as rules have it. */
  readonly when: string
  readonly text: string | ((input: RuleInput) => string)
  /** Each has one that fires and one that stays silent. */
  readonly cases: readonly RuleCase[]
}

/** `publicVPN` is `PUBLIC_VPN`. */
export const codeOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()

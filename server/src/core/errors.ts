// How is a request refused? By the name of a failure of the contract; http/response/error-formats.ts has the shapes around it.

import type { Cost, PhoneDetail } from '@ringfence/contract'
import { type Failure, type FailureName, failures } from '@ringfence/contract'

/** What an operator does not support, when that is why a check is refused. */
export const unsupportedBy = ({ failure }: Refusal): Failure['unsupported'] =>
  (failures[failure] as Failure).unsupported

export interface RefusalDetails {
  /** What is known of the number although the check failed (specification 4.1 to 4.3, rule 3). */
  phoneDetail?: PhoneDetail
  /** How far the operator looks back, where that is known. */
  limitHours?: number | undefined
  /** Which window an operator supports, in words: "looks back at most 168 hours". */
  window?: string | undefined
  /** What to send in place of parameters that an operator does not support. */
  hint?: string
  /** Status and code of the operator, where they are those of the CAMARA API that the client has called. */
  camara?: readonly [status: number, code: string]
  /** What the check cost although it has no answer. */
  cost?: Cost | undefined
  /** What it cost to find out who serves the number, where that is not the check. */
  lookUpCost?: Cost | undefined
  /** Of the check that is refused. */
  title?: string
  limitBytes?: number
  retryAfterSeconds?: number
  allow?: string
  /** Which field of the request is wrong, and what was expected: `platform must be one of WEB, IOS, ANDROID`. */
  mistake?: string
  /** What a right one would be. */
  example?: string
  /** The present version of a record that was changed meanwhile. */
  version?: string
  /** The methods that the app offers. */
  methods?: string
  attemptsLeft?: number
  /** Reason codes beside the failure's own. Only for audit lines: no caller sees them. */
  reasons?: readonly string[]
  /** Only for the log. */
  cause?: unknown
}

/** A mistake may name many keys and values that the caller chose. */
const longestMistake = 1024

/** Refuses a request, or says that it cannot be completed: `throw new Refusal('simSwapUnsupported')`. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly failure: FailureName
  readonly details: Omit<RefusalDetails, 'cause'>
  constructor(failure: FailureName, { cause, ...details }: RefusalDetails = {}) {
    super(failures[failure].message, { cause })
    this.failure = failure
    const { mistake } = details
    if (mistake !== undefined && mistake.length > longestMistake)
      details.mistake = `${mistake.slice(0, longestMistake)}…`
    this.details = details
  }
}

/** The description of a refusal, with its details; `text` of another format of errors. */
export function describeRefusal({ failure, details }: Refusal, text: string = failures[failure].description): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(details, name)))
}

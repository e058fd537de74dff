// Why was a sign-in or a caller refused? A code for each refusal that audit lines name. The person never sees one.

import { type FailureName, failures, signInFailures, type TelecomCheck, telecomChecks } from '@ringfence/contract'
import { auditedFailures } from '../../core/telemetry/audit.ts'
import { codeOf, type Reason } from './reason.ts'

const explained = new Set([...auditedFailures, 'codeInvalid', ...Object.keys(signInFailures)] as FailureName[])

/** The code of a refusal; undefined for one that says nothing of who asks, such as a malformed body. */
export const codeOfRefusal = (failure: FailureName | undefined): string | undefined =>
  failure !== undefined && explained.has(failure) ? codeOf(failure) : undefined

/** What is wrong, without what the caller can do. */
const withoutAdvice = (description: string) => description.replace(/^Request error: /, '').replace(/;.*$/s, '')

/** The code of a telecom check without a result, for which the gate may refuse. A decision has it in `missing`. */
export const codeOfUnchecked = (check: TelecomCheck): string => `${codeOf(check)}_UNKNOWN`

/** They do not weigh in a score. */
export const refusalReasons: readonly Omit<Reason, 'weight'>[] = [
  ...[...explained].map((failure) => ({
    code: codeOf(failure),
    source: Object.hasOwn(signInFailures, failure) || failure === 'codeInvalid' ? 'signIn' : 'caller',
    text: withoutAdvice(failures[failure].description),
  })),
  ...telecomChecks.map((check) => ({
    code: codeOfUnchecked(check),
    source: `telecom.${check}`,
    text: `The check ${check} of the telecom gate had no result`,
  })),
]

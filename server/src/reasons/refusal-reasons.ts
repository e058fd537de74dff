// Why was a sign-in or a caller refused? A code for each refusal that audit lines name. The person never sees one.

import { signInFailures } from '../authentication/sign-in-errors.ts'
import { type FailureName, failures } from '../errors.ts'
import { auditedFailures } from '../telemetry/audit.ts'
import { codeOf, type Reason } from './reason.ts'

const explained = new Set([...auditedFailures, 'codeInvalid', ...Object.keys(signInFailures)] as FailureName[])

/** The code of a refusal; undefined for one that says nothing of who asks, such as a malformed body. */
export const codeOfRefusal = (failure: FailureName | undefined): string | undefined =>
  failure !== undefined && explained.has(failure) ? codeOf(failure) : undefined

/** What is wrong, without what the caller can do. */
const withoutAdvice = (description: string) => description.replace(/^Request error: /, '').replace(/;.*$/s, '')

/** They do not weigh in a score. */
export const refusalReasons: readonly Omit<Reason, 'weight'>[] = [...explained].map((failure) => ({
  code: codeOf(failure),
  source: Object.hasOwn(signInFailures, failure) || failure === 'codeInvalid' ? 'signIn' : 'caller',
  text: withoutAdvice(failures[failure].description),
}))

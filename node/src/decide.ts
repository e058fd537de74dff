// What does a backend do while the service does not answer? `decide` with a local answer, which the Idempotency-Key names.

import { randomUUID } from 'node:crypto'
import type { Answer } from './answer.ts'
import { call } from './call.ts'
import { RingfenceError, type RingfenceErrorCode } from './error.ts'
import { type CallOptions, invalid, type Settings } from './settings.ts'
import type { Calls } from './types.ts'

type Decision = Calls['decide']['answer']
type DecisionAction = Decision['action']

/** Options of `decide`. */
export interface DecideOptions extends CallOptions {
  /**
   * What to do when the service does not decide: no connection, no response in time, HTTP 429 or 5xx. `decide` then returns a
   * `LocalDecision` with this action and does not throw. Default: it throws.
   */
  readonly onFailure?: DecisionAction | undefined
}

/** The answer of the client itself. Only the service's own decision has a `decisionId`. */
export interface LocalDecision {
  readonly decisionId?: undefined
  readonly action: DecisionAction
  /** Its id: `decide` again with it, and then pass the challenge of that decision. */
  readonly idempotencyKey: string
  /** Why the service did not decide. */
  readonly failure: RingfenceError
}

const allActions: Readonly<Record<DecisionAction, true>> = {
  ALLOW: true,
  WARN: true,
  REVIEW: true,
  CHALLENGE: true,
  BLOCK: true,
}
const actions = Object.keys(allActions)

const ofPage = ['token', 'dfrId'] as const

type Request = Calls['decide']['request']

const isUndefined = (object: object, key: string) =>
  Object.hasOwn(object, key) && (object as Record<string, unknown>)[key] === undefined

/** A key without a value is what your page must send and did not. JSON would leave it out, as if nobody expected it. */
function withExpected(request: Request): Request {
  const expected = ofPage.filter((key) => isUndefined(request ?? {}, key))
  return expected.length === 0 ? request : { ...request, ...Object.fromEntries(expected.map((key) => [key, null])) }
}

/** What has no value and is not sent, in words: a decision without it may be milder. @throws RingfenceError for the user */
function leftOut(request: Request): string | undefined {
  const { userId, params } = (request ?? {}) as { userId?: unknown; params?: unknown }
  if (Object.hasOwn(request ?? {}, 'userId') && (userId === undefined || userId === null))
    throw invalid(`userId is ${userId}: send your id of the customer, or leave userId out if nobody has an account yet`)
  const undefinedIn = (object: unknown) =>
    Object.keys(Object(object)).filter((key) => isUndefined(object as object, key))
  const names = [
    ...undefinedIn(request).filter((key) => !(ofPage as readonly string[]).includes(key)),
    ...undefinedIn(params).map((key) => `params.${key}`),
  ]
  return names.length === 0 ? undefined : `undefined, and so not sent: ${names.join(', ')}`
}

/** `meta` of an answer cannot be written. */
const withNotice = <Body extends object>(answer: Answer<Body>, notice: string): Answer<Body> => {
  const notices = [notice, answer.meta.notice].filter(Boolean).join('; ')
  return Object.defineProperty({ ...answer }, 'meta', { value: { ...answer.meta, notice: notices } })
}

/** The service did not decide. Every other error is a mistake to mend: no answer of ours would hide it. */
const undecided: ReadonlySet<RingfenceErrorCode> = new Set<RingfenceErrorCode>([
  'connection',
  'overloaded',
  'rate_limited',
  'server',
  'timeout',
])

/** @throws only RingfenceError */
export async function decide(
  request: Request,
  { onFailure, ...options }: DecideOptions,
  settings: Settings,
): Promise<Answer<Decision> | LocalDecision> {
  if (onFailure !== undefined && !actions.includes(onFailure)) {
    throw invalid(`onFailure must be one of ${actions.join(', ')}`)
  }
  const notice = leftOut(request)
  const idempotencyKey = options.idempotencyKey ?? randomUUID()
  try {
    const answer = await call('decide', withExpected(request), { ...options, idempotencyKey }, settings)
    return notice === undefined ? answer : withNotice(answer, notice)
  } catch (error) {
    if (onFailure === undefined || !(error instanceof RingfenceError) || !undecided.has(error.code)) throw error
    return { action: onFailure, idempotencyKey, failure: error }
  }
}

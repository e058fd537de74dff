// What is known of the phone number of a decision? Stored answers, and those of the operators that the decision calls.

import { randomUUID } from 'node:crypto'
import type { Consent, Cost, Decision, Identity, MissingReason, PhoneDetail, TelecomCheck } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import type { Provenance } from '../../core/call.ts'
import { Refusal, unsupportedBy } from '../../core/errors.ts'
import type { RuleInput } from '../../rules/language/vocabulary.ts'
import type { AnswersOfCall } from '../../telecom/answers-of-call.ts'
import type { CheckCall } from '../../telecom/check-call.ts'
import { type KnownOfNumber, knownOfNumber, type NumberReader } from '../../telecom/known-answers.ts'
import { runCheck } from '../../telecom/run-check.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import type { DecisionsNeeds } from '../room.ts'
import { type OperatorCall, PartMissing, type Parts } from './parts.ts'

export interface PhoneInquiry {
  /** Undefined: neither the request nor the sign-in names a number. */
  readonly digits: string | undefined
  readonly simSwapMaxAgeHours: number | undefined
  readonly consent: Consent | undefined
  /** Stores the answers with the decision; absent: each is stored at once. */
  readonly storing?: AnswersOfCall
}

/** The answer of one check, or what is stored of it. */
type Answered = Partial<Omit<KnownOfNumber, 'phoneDetail'>> & { readonly phoneDetail: PhoneDetail }

/** What is stored; it calls no operator. Undefined for an invalid number. */
export const storedOfNumber = (
  digits: string,
  reader: NumberReader,
  needs: DecisionsNeeds,
): Promise<KnownOfNumber | undefined> => knownOfNumber(digits, reader, needs)

/** Makes these checks at once. A check without an answer is missing, and what was stored of it stays. */
export async function queryChecks(
  checks: readonly TelecomCheck[],
  inquiry: PhoneInquiry,
  parts: Parts,
  call: Call,
  needs: DecisionsNeeds,
): Promise<Answered[]> {
  const answers = await Promise.all(
    checks.map((check) =>
      parts.find(check, () => answerOf(check, inquiry, parts, call, needs), 'operator-timeout', 'operator-failed'),
    ),
  )
  return answers.filter((answer) => answer !== undefined)
}

async function answerOf(
  check: TelecomCheck,
  { digits, simSwapMaxAgeHours, consent, storing }: PhoneInquiry,
  { signal: due, calls }: Pick<Parts, 'signal' | 'calls'>,
  call: Call,
  needs: DecisionsNeeds,
): Promise<Answered> {
  if (digits === undefined) throw new PartMissing('no-number')
  const provenance: Provenance = { sandbox: false }
  const { requestId, caller, trace, maxAgeSeconds } = call
  const signal = AbortSignal.any([due, call.signal])
  const checkCall: CheckCall = {
    ...{ requestId, caller, trace, provenance, signal, maxAgeSeconds, consent, storing },
    correlator: randomUUID(),
  }
  try {
    const params = check === 'simSwap' && simSwapMaxAgeHours !== undefined ? { maxAge: simSwapMaxAgeHours } : {}
    const completed = await runCheck(check, { phoneNumber: digits, params }, checkCall, needs)
    const { answer, phoneDetail, ageSeconds, tookMs } = completed
    if (tookMs !== undefined) calls[check] = { ms: tookMs, ...spentOn(completed) }
    // Imported portability data are always current, and have no age.
    const age = check === 'portability' ? ageSeconds : (ageSeconds ?? 0)
    return { phoneDetail, [check]: { ...answer, ...(age !== undefined && { ageSeconds: age }) } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { operator } = error.details.phoneDetail ?? {}
    calls[check] = { ...(operator !== undefined && { operator }), ...spentOn(error.details) }
    throw new PartMissing(whyOf(error), { cause: error })
  } finally {
    if (provenance.sandbox) call.provenance.sandbox = true
  }
}

interface Spent {
  readonly cost?: Cost | undefined
  readonly lookUpCost?: Cost | undefined
}

/** For the check and for finding out who serves the number. */
function spentOn({ cost, lookUpCost }: Spent): OperatorCall {
  const costs = [cost, lookUpCost].filter((each) => each !== undefined)
  return costs.length === 0 ? {} : { micros: costs.reduce((sum, { micros }) => sum + micros, 0) }
}

function whyOf(refusal: Refusal): MissingReason {
  const { failure, cause } = refusal
  // Its cause is the failure of a portability source, which may know the operator.
  if (failure === 'operatorUnknown' && cause === undefined) return 'operator-unknown'
  const unsupported = unsupportedBy(refusal)
  if (unsupported === 'check') return 'unsupported'
  if (unsupported === 'window') return 'window-unsupported'
  return cause instanceof UpstreamError && cause.reason === 'timeout' ? 'operator-timeout' : 'operator-failed'
}

/**
 * Who receives a code to the number? `diverted`: the person who swapped the SIM or forwards the calls. `unknown`: an operator that could
 * say it did not, this time or for this window. One that never says it raises no doubt: whoever accepts codes to its numbers accepts that.
 */
export type CodesReach = 'diverted' | 'unknown' | 'undoubted'

const unanswered: ReadonlySet<string> = new Set<MissingReason>([
  'operator-timeout',
  'operator-failed',
  'window-unsupported',
])

/** `stored`: before the answers of this decision. A swap in it counts also when this decision asked about a shorter window. */
export function codesReach(
  known: KnownOfNumber | undefined,
  stored: KnownOfNumber | undefined,
  missing: RuleInput['missing'],
): CodesReach {
  const before = stored?.simSwap
  const isAskedAgain = known?.simSwap && before && known.simSwap.maxAgeHours >= before.maxAgeHours
  const isSwapped = known?.simSwap?.swapped || (before?.swapped && !isAskedAgain)
  if (isSwapped || known?.callForwarding?.active) return 'diverted'
  const isOpen = (why: string | undefined) => why !== undefined && unanswered.has(why)
  return isOpen(missing?.simSwap) || isOpen(missing?.callForwarding) ? 'unknown' : 'undoubted'
}

/**
 * Whether a sign-in with these identities shows who signed in. After a SIM swap, while calls are forwarded, and when an operator did
 * not answer, one with nothing but a number does not: whoever swapped the SIM receives the codes.
 */
export const isProofOfPerson = (identities: readonly Identity[], codes: CodesReach): boolean =>
  codes === 'undoubted' || identities.some(({ identityType, verified }) => verified && identityType !== 'MOBILE')

/** What is stored, with the new answers. */
export function withAnswers(stored: KnownOfNumber, answers: readonly Answered[]): KnownOfNumber {
  const details = answers.map(({ phoneDetail }) => phoneDetail)
  return Object.assign({}, stored, ...answers, {
    phoneDetail: Object.assign({}, stored.phoneDetail, ...details),
  })
}

/** The member `phone` of the answer. `now`: epoch milliseconds. */
export function phoneMember({ phoneDetail, ...known }: KnownOfNumber, now: number) {
  const parts = Object.entries(known).map(([check, { ageSeconds, ...answer }]) => {
    const asOf = ageSeconds === undefined ? {} : { asOf: new Date(now - ageSeconds * 1000).toISOString() }
    return [check, { ...answer, ...asOf }]
  })
  return { phoneDetail, ...Object.fromEntries(parts) } as NonNullable<Decision['phone']>
}

// What is the answer of one check about a number? admit → identify → route → reuse, or pay, ask and learn → record.

import type { CheckAnswer, CheckName, CheckParams, Cost, OperatorCheckName, PhoneDetail } from '@ringfence/contract'
import { Refusal } from '../core/errors.ts'
import type { CheckCall } from './check-call.ts'
import { recordingCheck } from './check-events.ts'
import { readQuestionName } from './question-name.ts'
import type { CheckNeeds } from './steps/check-context.ts'
import { count } from './steps/count.ts'
import { refuse } from './steps/refuse.ts'
import { reuse } from './steps/reuse.ts'
import { route } from './steps/route.ts'
import { storingTogether } from './storing-together.ts'
import { admitNumber, operatorUnknown, type Subject } from './subject.ts'

/** A completed check. */
export interface CompletedCheck<Name extends CheckName = CheckName> {
  readonly answer: CheckAnswer<Name>
  /** Age of a reused answer; absent for a new one. */
  readonly ageSeconds?: number
  /** The connector or portability source that answered. */
  readonly source?: string
  /** How long the upstream took, in milliseconds; absent for a reused answer. */
  readonly tookMs?: number
  /** Absent: a price is not configured. */
  readonly cost?: Cost
  /** Of finding out who serves the number; absent for portability, whose own cost it is. */
  readonly lookUpCost?: Cost
  readonly phoneDetail: PhoneDetail
}

/**
 * Identifies the number, makes the check and records its event; one without the consent that the tenant requires is no check. Refuses
 * with consentRequired, consentNotAllowed, invalidPhoneNumber, operatorUnknown, and the refusals of the check: unsupported, a window
 * that is too long, failed.
 */
export async function runCheck<Name extends CheckName>(
  name: Name,
  { phoneNumber, params }: { phoneNumber: string; params: CheckParams<Name> },
  call: CheckCall,
  needs: CheckNeeds,
): Promise<CompletedCheck<Name>> {
  const number = admitNumber(phoneNumber, call, needs)
  return recordingCheck(name, number.digits, call, needs, () =>
    storingTogether(call, needs, async (storing) =>
      answerCheck(name, params, await needs.telecom.operators.identify(number, storing), storing, needs),
    ),
  )
}

/**
 * The same for a number that is identified already, without an event. Operators answer all checks but portability, which has its own
 * sources.
 */
export async function answerCheck<Name extends CheckName>(
  name: Name,
  params: CheckParams<Name>,
  subject: Subject,
  call: CheckCall,
  needs: CheckNeeds,
): Promise<CompletedCheck<Name>> {
  if (name === 'portability') return answerPortability(subject, call) as CompletedCheck<Name>
  const { isPorted, ...unported } = subject.phoneDetail
  // The specification lists no isPorted in the phoneDetail of the SIM swap check (2.1).
  const phoneDetail = name === 'simSwap' || isPorted === undefined ? unported : subject.phoneDetail
  const operatorCheck = name as Exclude<Name, 'portability'> & OperatorCheckName
  const { cost: lookUpCost } = subject
  try {
    const answered = await answerOfOperator(operatorCheck, params as never, { ...subject, phoneDetail }, call, needs)
    return { ...answered, phoneDetail, ...(lookUpCost && { lookUpCost }) } as CompletedCheck<Name>
  } catch (error) {
    if (error instanceof Refusal) error.details.lookUpCost = lookUpCost
    throw error
  }
}

async function answerOfOperator<Name extends OperatorCheckName>(
  name: Name,
  params: CheckParams<Name>,
  subject: Subject,
  call: CheckCall,
  needs: CheckNeeds,
): Promise<Omit<CompletedCheck<Name>, 'phoneDetail' | 'lookUpCost'>> {
  const check = route(name, params, subject, call, needs)
  const startedAt = performance.now()
  try {
    const { answer, ageSeconds, name: named } = await reuse(check)
    if (ageSeconds !== undefined) call.provenance.ageSeconds = ageSeconds
    count(check, check.row.isWarning(answer) ? 'yes' : 'no', ageSeconds === undefined ? 'operator' : 'stored')
    const cost = check.paid.cost()
    const { source } = readQuestionName(named)!
    const time = ageSeconds === undefined ? { tookMs: Math.round(performance.now() - startedAt) } : { ageSeconds }
    return { answer, source, ...time, ...(cost && { cost }) }
  } catch (cause) {
    throw refuse(check, cause)
  }
}

/** Set only when a source positively says ported or not ported. */
function answerPortability(subject: Subject, { provenance }: CheckCall): CompletedCheck<'portability'> {
  const { phoneDetail, ageSeconds, tookMs, cost, portedBy } = subject
  if (ageSeconds !== undefined) provenance.ageSeconds = ageSeconds
  const { isPorted } = phoneDetail
  if (isPorted === undefined) throw operatorUnknown(subject, cost)
  const time = { ...(ageSeconds !== undefined && { ageSeconds }), ...(tookMs !== undefined && { tookMs }) }
  const source = portedBy !== undefined && { source: portedBy }
  return { answer: { ported: isPorted }, ...time, ...source, ...(cost && { cost }), phoneDetail }
}

// POST /v1/telecom/checks: several checks of one number, side by side, each with its own answer or error.

import {
  type AnyCheck,
  type CheckName,
  type CheckParams,
  checks as catalogue,
  checkNames,
  dateMistake,
  failures,
  type InBodyError,
  type TelecomChecksRequest,
  type TelecomChecksResult,
} from '@ringfence/contract'
import type { Provenance } from '../core/call.ts'
import { describeRefusal, Refusal } from '../core/errors.ts'
import type { CheckCall } from './check-call.ts'
import { recordingCheck } from './check-events.ts'
import { PartOfCall } from './part-of-call.ts'
import { answerCheck } from './run-check.ts'
import type { CheckNeeds } from './steps/check-context.ts'
import { storingTogether } from './storing-together.ts'
import { identifySubject, type Subject } from './subject.ts'

/** One that fails leaves the others as they are. Refuses with fieldInvalid, consentRequired, consentNotAllowed and invalidPhoneNumber. */
export async function telecomChecks(
  { phoneNumber, checks, consent }: TelecomChecksRequest,
  received: CheckCall,
  needs: CheckNeeds,
): Promise<TelecomChecksResult> {
  refuseWrongDates(checks, needs.clock.now())
  return storingTogether(new PartOfCall(received, { consent }), needs, async (call) => {
    const subject = await identifySubject(phoneNumber, call, needs)
    const { phoneDetail, cost: lookUpCost } = subject
    return {
      phoneDetail,
      checks: await answerChecks(subject, checks, call, needs),
      // The portability check has it as its own cost.
      ...(lookUpCost && !checks.portability && { lookUpCost }),
    }
  })
}

/** Refuses with fieldInvalid a date that cannot be meant, such as one in the future. */
export function refuseWrongDates(checks: TelecomChecksRequest['checks'], nowMs: number): void {
  for (const name of checkNames) {
    const params = checks[name]
    if (params === undefined) continue
    const { Params }: AnyCheck = catalogue[name]
    const mistake = dateMistake(Params.properties, params, nowMs)
    if (mistake !== undefined) throw new Refusal('fieldInvalid', { mistake: `checks.${name}.${mistake}` })
  }
}

/** Makes a check, perhaps again: a batch waits while an upstream is overloaded. */
export type RunCheck = <Answered>(check: () => Promise<Answered>) => Promise<Answered>

/** The checks of a number that is identified already, each with its own answer or error. */
export async function answerChecks(
  subject: Subject,
  checks: TelecomChecksRequest['checks'],
  call: CheckCall,
  needs: CheckNeeds,
  run: RunCheck = (check) => check(),
): Promise<TelecomChecksResult['checks']> {
  const asked = checkNames.filter((name) => checks[name] !== undefined)
  const { cost: _, ...free } = subject
  // One of them has the cost of the look-up in its event, so that events add up.
  const payer = asked.includes('portability') ? 'portability' : asked[0]
  const subjectFor = (name: CheckName) => (name === payer ? subject : free)
  const results = await Promise.all(
    asked.map((name) => resultOf(name, checks[name]!, { subject: subjectFor(name), call, run }, needs)),
  )
  return Object.fromEntries(asked.map((name, place) => [name, results[place]])) as TelecomChecksResult['checks']
}

async function resultOf(
  name: CheckName,
  params: CheckParams,
  { subject, call, run }: { subject: Subject; call: CheckCall; run: RunCheck },
  needs: CheckNeeds,
): Promise<object> {
  const provenance: Provenance = { sandbox: false }
  const own = new PartOfCall(call, { provenance })
  try {
    const { answer, ageSeconds, source, cost } = await recordingCheck(name, subject.number.digits, own, needs, () =>
      run(() => answerCheck(name, params, subject, own, needs)),
    )
    return {
      ...{ success: true, ...answer, ageSeconds: ageSeconds ?? 0 },
      ...(source !== undefined && { source }),
      ...(cost && { cost }),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { cost } = error.details
    return { success: false, error: inBodyError(error), ...(cost && { cost }) }
  } finally {
    if (provenance.sandbox) call.provenance.sandbox = true
  }
}

/** Also of a refusal that is an HTTP 400 where the check is the whole request. */
export function inBodyError(refusal: Refusal): InBodyError {
  const { errorCode, message } = failures[refusal.failure]
  return { errorCode, message, description: describeRefusal(refusal) }
}

// POST /v1/telecom/checks: several checks of one number, side by side, each with its own answer or error.

import {
  type CheckName,
  type CheckParams,
  checkNames,
  type InBodyError,
  type TelecomChecksRequest,
  type TelecomChecksResult,
} from '@ringfence/contract'
import type { CheckCall, Provenance } from '../call.ts'
import { describeRefusal, failures, Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { recordingCheck } from './check-events.ts'
import { answerCheck } from './run-check.ts'
import { identifySubject, type Subject } from './subject.ts'

/** One that fails leaves the others as they are. Refuses with invalidPhoneNumber. */
export async function telecomChecks(
  { phoneNumber, checks }: TelecomChecksRequest,
  call: CheckCall,
  platform: Platform,
): Promise<TelecomChecksResult> {
  const subject = await identifySubject(phoneNumber, call, platform)
  const asked = checkNames.filter((name) => checks[name] !== undefined)
  const { phoneDetail, cost: lookUpCost, ...rest } = subject
  // One of them has the cost of the look-up in its event, so that events add up.
  const payer = asked.includes('portability') ? 'portability' : asked[0]
  const subjectFor = (name: CheckName) => (name === payer ? subject : { ...rest, phoneDetail })
  const results = await Promise.all(
    asked.map(async (name) => [name, await resultOf(name, checks[name]!, subjectFor(name), call, platform)] as const),
  )
  return {
    phoneDetail,
    checks: Object.fromEntries(results) as TelecomChecksResult['checks'],
    ...(lookUpCost && payer !== 'portability' && { lookUpCost }),
  }
}

async function resultOf(
  name: CheckName,
  params: CheckParams,
  subject: Subject,
  call: CheckCall,
  platform: Platform,
): Promise<object> {
  const provenance: Provenance = { sandbox: false }
  const { requestId, correlator, trace, signal, caller, maxAgeSeconds } = call
  const own: CheckCall = { requestId, correlator, trace, signal, caller, maxAgeSeconds, provenance }
  try {
    const { answer, ageSeconds, source, cost } = await recordingCheck(name, subject.number.digits, own, platform, () =>
      answerCheck(name, params, subject, own, platform),
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
function inBodyError(refusal: Refusal): InBodyError {
  const { errorCode, message } = failures[refusal.failure]
  return { errorCode, message, description: describeRefusal(refusal) }
}

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
  const results = await Promise.all(
    asked.map(async (name) => [name, await resultOf(name, checks[name]!, subject, call, platform)] as const),
  )
  return { phoneDetail: subject.phoneDetail, checks: Object.fromEntries(results) as TelecomChecksResult['checks'] }
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
export function inBodyError(refusal: Refusal): InBodyError {
  const { errorCode, message } = failures[refusal.failure]
  return { errorCode, message, description: describeRefusal(refusal) }
}

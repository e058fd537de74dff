// /admin/v1/numbers/check: a check that a person orders. It is the call of a backend, and always leaves an event and an audit line.

import { type AdminCheckNumberRequest, type CheckedNumber, checks, failures } from '@ringfence/contract'
import { describeRefusal, Refusal } from '../../core/errors.ts'
import type { CheckCall } from '../../telecom/check-call.ts'
import { runCheck } from '../../telecom/run-check.ts'
import type { ActorCall } from '../call.ts'
import { isoTime } from '../calls/iso-time.ts'
import type { AdminNeeds } from '../room.ts'
import { existingNumber } from './read-number.ts'

type Answered = Pick<CheckedNumber, 'result' | 'phoneDetail' | 'maxAgeHours'>

/** Refuses with `fieldInvalid` a number that cannot exist. A check that fails has the result `unknown`, and says why. */
export async function adminCheckNumber(
  request: AdminCheckNumberRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<CheckedNumber> {
  const { digits: phoneNumber } = existingNumber(request.phoneNumber)
  const { provenance, actor } = call
  const byHand: CheckCall = Object.create(call, {
    caller: { value: { tenantId: actor.tenantId, clientId: actor.name } },
    isByHand: { value: true },
    consent: { value: request.consent ?? needs.telecom.purposes.automatic(actor.tenantId) },
  })
  const answered = await answerOf({ ...request, phoneNumber }, byHand, needs)
  return {
    check: request.check,
    ...answered,
    ...(provenance.ageSeconds !== undefined && { ageSeconds: Math.floor(provenance.ageSeconds) }),
    sandbox: provenance.sandbox,
    checkedAt: isoTime(needs.clock.now()),
  }
}

async function answerOf(
  { check, phoneNumber, maxAge }: AdminCheckNumberRequest,
  call: CheckCall,
  needs: AdminNeeds,
): Promise<Answered & Pick<CheckedNumber, 'failure' | 'why'>> {
  try {
    const takesMaxAge = 'maxAge' in checks[check].Params.properties
    const params = takesMaxAge && maxAge !== undefined ? { maxAge } : {}
    const { answer, phoneDetail } = await runCheck(check, { phoneNumber, params }, call, needs)
    const result = checks[check].isWarning(answer as never) ? 'yes' : 'no'
    return { result, phoneDetail, ...('maxAgeHours' in answer && { maxAgeHours: answer.maxAgeHours }) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { errorCode } = failures[error.failure]
    const { phoneDetail } = error.details
    return { ...unknown, failure: errorCode, why: describeRefusal(error), ...(phoneDetail && { phoneDetail }) }
  }
}

const unknown = { result: 'unknown' } as const

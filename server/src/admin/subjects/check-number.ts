// /admin/v1/numbers/check: a check that a person orders. It is the call of a backend, and always leaves an event and an audit line.

import {
  type AdminCheckNumberRequest,
  type CheckedNumber,
  checks,
  dateMistake,
  failures,
  kycFields,
} from '@ringfence/contract'
import { describeRefusal, Refusal } from '../../core/errors.ts'
import type { CheckCall } from '../../telecom/check-call.ts'
import { runCheck } from '../../telecom/run-check.ts'
import type { ActorCall } from '../call.ts'
import { isoTime } from '../calls/iso-time.ts'
import type { AdminNeeds } from '../room.ts'
import { existingNumber } from './read-number.ts'

type Answered = Pick<CheckedNumber, 'result' | 'phoneDetail' | 'maxAgeHours' | 'fields'>

/** Refuses with `fieldInvalid` a number that cannot exist, and a comparison with nothing or with a date that cannot be. A check that fails has the result `unknown`, and says why. */
export async function adminCheckNumber(
  request: AdminCheckNumberRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<CheckedNumber> {
  const { digits: phoneNumber } = existingNumber(request.phoneNumber)
  if (request.check === 'kycMatch') checkParams(request.params, needs.clock.now())
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
  { check, phoneNumber, maxAge, params: compared = {} }: AdminCheckNumberRequest,
  call: CheckCall,
  needs: AdminNeeds,
): Promise<Answered & Pick<CheckedNumber, 'failure' | 'why'>> {
  try {
    const takesMaxAge = 'maxAge' in checks[check].Params.properties
    const params = check === 'kycMatch' ? compared : takesMaxAge && maxAge !== undefined ? { maxAge } : {}
    const { answer, phoneDetail } = await runCheck(check, { phoneNumber, params }, call, needs)
    const result = checks[check].isWarning(answer as never) ? 'yes' : 'no'
    return {
      result,
      phoneDetail,
      ...('maxAgeHours' in answer && { maxAgeHours: answer.maxAgeHours }),
      ...('fields' in answer && { fields: answer.fields }),
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { errorCode } = failures[error.failure]
    const { phoneDetail } = error.details
    return { ...unknown, failure: errorCode, why: describeRefusal(error), ...(phoneDetail && { phoneDetail }) }
  }
}

function checkParams(params: AdminCheckNumberRequest['params'], nowMs: number): void {
  const mistake = params ? dateMistake(kycFields, params, nowMs) : 'must have what kycMatch compares, such as birthdate'
  if (mistake !== undefined)
    throw new Refusal('fieldInvalid', { mistake: params ? `params.${mistake}` : `params ${mistake}` })
}

const unknown = { result: 'unknown' } as const

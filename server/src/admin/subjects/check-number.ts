// /admin/v1/numbers/check: a check that a person orders. It is the call of a backend, and always leaves an event and an audit line.

import type { AdminCheckNumberRequest, CheckedNumber } from '@ringfence/contract'
import type { ActorCall, CheckCall } from '../../call.ts'
import { failures, Refusal, type RefusalDetails } from '../../errors.ts'
import type { Platform } from '../../platform.ts'
import { checkCallForwarding } from '../../telecom/call-forwarding.ts'
import { checkPortability } from '../../telecom/portability.ts'
import { simSwapWithin } from '../../telecom/sim-swap.ts'
import { isoTime } from '../calls/iso-time.ts'
import { existingNumber } from './read-number.ts'

type Answered = Pick<CheckedNumber, 'result' | 'phoneDetail' | 'maxAgeHours'>

/** Refuses with `fieldInvalid` a number that cannot exist. A check that fails has the result `unknown`, and says why. */
export async function adminCheckNumber(
  request: AdminCheckNumberRequest,
  call: ActorCall,
  platform: Platform,
): Promise<CheckedNumber> {
  existingNumber(request.phoneNumber)
  const { provenance, actor } = call
  const byHand: CheckCall = Object.create(call, {
    caller: { value: { tenantId: actor.tenantId, clientId: actor.name } },
    isByHand: { value: true },
  })
  const answered = await answerOf(request, byHand, platform)
  return {
    check: request.check,
    ...answered,
    ...(provenance.ageSeconds !== undefined && { ageSeconds: Math.floor(provenance.ageSeconds) }),
    sandbox: provenance.sandbox,
    checkedAt: isoTime(platform.clock.now()),
  }
}

async function answerOf(
  { check, phoneNumber, maxAge }: AdminCheckNumberRequest,
  call: CheckCall,
  platform: Platform,
): Promise<Answered & Pick<CheckedNumber, 'failure' | 'why'>> {
  try {
    if (check === 'simSwap') {
      const window = maxAge === undefined ? {} : { maxAge }
      const { swapped, maxAgeHours, phoneDetail } = await simSwapWithin({ phoneNumber, ...window }, call, platform)
      return { result: yesOrNo(swapped), maxAgeHours, phoneDetail }
    }
    if (check === 'callForwarding') {
      const answer = await checkCallForwarding({ phoneNumber }, call, platform)
      return answer.success ? { result: yesOrNo(answer.callForwarding), phoneDetail: answer.phoneDetail } : unknown
    }
    const answer = await checkPortability({ phoneNumber }, call, platform)
    return answer.success ? { result: yesOrNo(answer.phoneDetail.isPorted), phoneDetail: answer.phoneDetail } : unknown
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { errorCode, description } = failures[error.failure]
    const { phoneDetail } = error.details
    return {
      ...unknown,
      failure: errorCode,
      why: filled(description, error.details),
      ...(phoneDetail && { phoneDetail }),
    }
  }
}

const unknown = { result: 'unknown' } as const
const yesOrNo = (isYes: boolean) => (isYes ? 'yes' : 'no')

const filled = (description: string, details: RefusalDetails) =>
  description.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(details, name) ?? ''))

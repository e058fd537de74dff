// 4.2 Call forwarding check: are calls to this number forwarded?

import type { CallForwardingRequest, CallForwardingResult } from '@ringfence/contract'
import type { CheckCall } from './check-call.ts'
import { PartOfCall } from './part-of-call.ts'
import { runCheck } from './run-check.ts'
import type { CheckNeeds } from './steps/check-context.ts'

/**
 * `callForwarding` true: unconditional forwarding is active, or conditional forwarding if the operator's configuration counts it.
 * Either way the result has phoneDetail (4.2, rule 2).
 * Refuses with consentRequired, consentNotAllowed, invalidPhoneNumber, operatorUnknown, callForwardingUnsupported, costCapReached and
 * callForwardingFailed.
 */
export async function checkCallForwarding(
  { phoneNumber, consent }: CallForwardingRequest,
  call: CheckCall,
  needs: CheckNeeds,
): Promise<CallForwardingResult> {
  const { answer, phoneDetail } = await runCheck(
    'callForwarding',
    { phoneNumber, params: {} },
    new PartOfCall(call, { consent }),
    needs,
  )
  const { active } = answer
  return { success: true, callForwarding: active, callForwardingType: active ? 'active' : 'inactive', phoneDetail }
}

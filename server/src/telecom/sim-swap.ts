// 4.1 SIM swap check: has this number's SIM been swapped within the last `maxAge` hours?

import type { SimSwapRequest, SimSwapResult } from '@ringfence/contract'
import type { CheckCall } from './check-call.ts'
import { PartOfCall } from './part-of-call.ts'
import { runCheck } from './run-check.ts'
import type { CheckNeeds } from './steps/check-context.ts'

/**
 * `swapped` true: a swap occurred within the window. false: the operator found none within it (4.1, rules 1 and 2).
 * Refuses with consentRequired, consentNotAllowed, invalidPhoneNumber, operatorUnknown, simSwapUnsupported, simSwapWindowUnsupported,
 * costCapReached and simSwapFailed.
 */
export async function checkSimSwap(
  { phoneNumber, consent, ...params }: SimSwapRequest,
  call: CheckCall,
  needs: CheckNeeds,
): Promise<SimSwapResult> {
  const { answer, phoneDetail } = await runCheck(
    'simSwap',
    { phoneNumber, params },
    new PartOfCall(call, { consent }),
    needs,
  )
  return { success: true, swapped: answer.swapped, phoneDetail }
}

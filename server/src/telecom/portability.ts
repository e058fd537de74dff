// 4.3 Number portability check: has this number been ported away from its home operator?

import type { PortabilityRequest, PortabilityResult } from '@ringfence/contract'
import type { CheckCall } from './check-call.ts'
import { PartOfCall } from './part-of-call.ts'
import { runCheck } from './run-check.ts'
import type { CheckNeeds } from './steps/check-context.ts'

/**
 * The result is `phoneDetail.isPorted` (4.3, rule 1), set only when a source positively says ported or not ported.
 * Refuses with consentRequired, consentNotAllowed, invalidPhoneNumber and costCapReached, and with operatorUnknown when every source
 * failed or does not know the number.
 */
export async function checkPortability(
  { phoneNumber, consent }: PortabilityRequest,
  call: CheckCall,
  needs: CheckNeeds,
): Promise<PortabilityResult> {
  const { answer, phoneDetail } = await runCheck(
    'portability',
    { phoneNumber, params: {} },
    new PartOfCall(call, { consent }),
    needs,
  )
  return { success: true, phoneDetail: { ...phoneDetail, isPorted: answer.ported } }
}

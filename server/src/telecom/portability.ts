// 4.3 Number portability check: has this number been ported away from its home operator?

import type { PortabilityRequest, PortabilityResult } from '@ringfence/contract'
import type { CheckCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'
import { identifySubject } from './check.ts'
import { recordingCheck } from './check-events.ts'

/**
 * The result is `phoneDetail.isPorted` (4.3, rule 1), set only when a source positively says ported or not ported.
 * Refuses with invalidPhoneNumber, and with operatorUnknown when every source failed or does not know the number.
 */
export function checkPortability(
  body: PortabilityRequest,
  call: CheckCall,
  platform: Platform,
): Promise<PortabilityResult> {
  const { phoneNumber } = body
  const run = () => findPortability(body, call, platform)
  return recordingCheck(
    {
      check: 'portability',
      phoneNumber,
      run,
      isYes: (result) => result.success === true && result.phoneDetail.isPorted,
    },
    call,
    platform,
  )
}

async function findPortability(
  body: PortabilityRequest,
  call: CheckCall,
  platform: Platform,
): Promise<PortabilityResult> {
  const { phoneDetail, ageSeconds, sourceFailure } = await identifySubject(body.phoneNumber, call, platform)
  if (ageSeconds !== undefined) call.provenance.ageSeconds = ageSeconds
  const { isPorted } = phoneDetail
  if (isPorted === undefined) throw new Refusal('operatorUnknown', { phoneDetail, cause: sourceFailure })
  return { success: true, phoneDetail: { ...phoneDetail, isPorted } }
}

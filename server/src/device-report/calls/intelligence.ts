// POST /sdk/v1/intelligence, the engine call: analyses the facts of a device, once.

import type { IntelligenceAnswer, IntelligenceRequest } from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import { analyseOnce, analyseToCarry } from '../../device/calls/analyse-once.ts'
import type { SdkCallNeeds } from '../room.ts'

/** Does not return verdicts: a fraudster must not learn them. Refuses as `analyseOnce` does. */
export async function intelligence(
  body: IntelligenceRequest,
  call: SessionCall,
  needs: SdkCallNeeds,
): Promise<IntelligenceAnswer> {
  const { carried, sealing, analysis, nextChallenge, deviceToken, attest } = body.carry
    ? await analyseToCarry(body, call, needs)
    : { ...(await analyseOnce('intelligence', body, call, needs)), carried: undefined, sealing: undefined }
  if (sealing) needs.deviceReport.handedOver.keep(carried, sealing)
  return {
    requestId: analysis.requestId,
    sessionId: analysis.sessionId,
    nextChallenge,
    ...(deviceToken !== undefined && { deviceToken }),
    ...(carried !== undefined && { analysis: carried }),
    ...(attest && { attest }),
  }
}

// POST /sdk/v1/intelligence, the engine call: analyses the facts of a device, once.

import type { IntelligenceAnswer, IntelligenceRequest } from '@ringfence/contract'
import type { SessionCall } from '../../call.ts'
import type { Platform } from '../../platform.ts'
import { analyseOnce } from './analyse-once.ts'

/** Does not return verdicts: a fraudster must not learn them. Refuses as `analyseOnce` does. */
export async function intelligence(
  body: IntelligenceRequest,
  call: SessionCall,
  platform: Platform,
): Promise<IntelligenceAnswer> {
  const { analysis, nextChallenge, deviceToken } = await analyseOnce('intelligence', body, call, platform)
  return {
    requestId: analysis.requestId,
    sessionId: analysis.sessionId,
    nextChallenge,
    ...(deviceToken !== undefined && { deviceToken }),
  }
}

// POST /sdk/v1/intelligence, the engine call: the facts of a device are analysed, once.

import type { IntelligenceAnswer, IntelligenceRequest } from '@ringfence/contract'
import type { SessionCall } from '../../call.ts'
import type { Platform } from '../../platform.ts'
import { analyseOnce } from './analyse-once.ts'

/** Verdicts are not answered: who is judged need not know them. Refuses as `analyseOnce` does. */
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

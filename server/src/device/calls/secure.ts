// POST /sdk/v1/secure: a token for secure info, without a login.

import type { SecureAnswer, SecureRequest } from '@ringfence/contract'
import type { SessionCall } from '../../call.ts'
import type { Platform } from '../../platform.ts'
import { issue } from '../../tokens/issue.ts'
import { collected } from '../analysis/views.ts'
import { analyseOnce } from './analyse-once.ts'

/**
 * Refuses as `analyseOnce` does. The token itself is not stored, so a repeated call gets a new token for the same analysis.
 */
export async function secure(body: SecureRequest, call: SessionCall, platform: Platform): Promise<SecureAnswer> {
  const { analysis, nextChallenge, deviceToken } = await analyseOnce('secure', body, call, platform)
  const { device } = collected(analysis)
  const { token } = await issue({ tenantId: call.app.tenantId, device }, platform)
  return { token, nextChallenge, ...(deviceToken !== undefined && { deviceToken }) }
}

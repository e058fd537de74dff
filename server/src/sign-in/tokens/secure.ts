// POST /sdk/v1/secure: a token for secure info, without a login.

import type { SecureAnswer, SecureRequest } from '@ringfence/contract'
import type { SessionCall } from '../../apps/call.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { collected } from '../../device/analysis/views.ts'
import { analyseOnce } from '../../device/calls/analyse-once.ts'
import type { DeviceNeeds } from '../../device/room.ts'
import { newToken } from './issue.ts'

/**
 * Stores analysis and token in one commit. Refuses as `analyseOnce` does. The text of a token is not stored, so a repeated call gets a
 * new token for the same analysis.
 */
export async function secure(body: SecureRequest, call: SessionCall, needs: DeviceNeeds): Promise<SecureAnswer> {
  const tokenOf = (analysis: Analysis) =>
    newToken({ tenantId: call.app.tenantId, device: collected(analysis).device }, needs)
  const record = await needs.events.recorder(call.app.tenantId)
  const statementsOf = ({ insert, event }: ReturnType<typeof tokenOf>) => [insert, ...record([event])]
  let made: ReturnType<typeof tokenOf> | undefined
  const { analysis, nextChallenge, deviceToken, isRepeated } = await analyseOnce(
    'secure',
    body,
    call,
    needs,
    (analysis) => {
      made = tokenOf(analysis)
      return statementsOf(made)
    },
  )
  if (isRepeated || !made) {
    made = tokenOf(analysis)
    const statements = statementsOf(made)
    needs.apps.storageBudget.take(call.app.id, call.address, statements)
    await needs.database.batch(statements)
  }
  return { token: made.issued.token, nextChallenge, ...(deviceToken !== undefined && { deviceToken }) }
}

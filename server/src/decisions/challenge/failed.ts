// What is stored when a sign-in does not pass a challenge? The first time, once for a decision, with its event.

import type { Call } from '../../clients/call.ts'
import type { Refusal } from '../../core/errors.ts'
import { ConditionFailed } from '../../core/storage/database.ts'
import { orderOfDecision } from '../events.ts'
import { onlyLogged } from '../proven-later.ts'
import type { DecisionRecord } from '../record/record.ts'
import type { DecisionsNeeds } from '../room.ts'
import { challengeFailedUpdate } from '../store/decisions.ts'

/** The call is refused in any case: a failure here is only logged. */
export const noteFailed = (
  { details: { mistake = '' } }: Refusal,
  decisionId: string,
  { input: { userId } }: DecisionRecord,
  { caller: { tenantId }, requestId }: Call,
  needs: DecisionsNeeds,
): Promise<void> =>
  onlyLogged('could not store that a challenge failed', requestId, needs, async () => {
    const happened = await needs.events.statements(tenantId, [
      {
        type: 'decision.challenge.failed',
        data: { decisionId, reason: mistake, userId },
        orderedBy: orderOfDecision(decisionId),
        subjects: { userId, requestId },
        outcome: 'failed',
      },
    ])
    try {
      await needs.database.batch([challengeFailedUpdate({ tenantId, decisionId }, needs.clock.now()), ...happened])
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error
    }
  })

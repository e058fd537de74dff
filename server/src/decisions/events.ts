// Which events does a decision have? One that it was made, for receivers and for search.

import type { Decision } from '@ringfence/contract'
import type { NewEvent } from '../events/events.ts'
import type { RuleInput } from '../rules/vocabulary.ts'

/** Events about one decision reach a receiver in their order. */
export const orderOfDecision = (decisionId: string) => `decision ${decisionId}`

export function eventsOf(
  { decisionId, action, score, reasons, rules, device }: Decision,
  { action: operation, userId, phoneNumber, ip: ipAddress }: RuleInput,
  { isForReview, hashes }: { isForReview: boolean } & Pick<NewEvent, 'hashes'>,
): NewEvent[] {
  const deviceId = device?.deviceId || undefined
  const subjects = {
    ...(userId !== undefined && { userId }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(deviceId !== undefined && { deviceId }),
    ...(ipAddress !== undefined && { ipAddress }),
  }
  return [
    {
      type: 'decision.created',
      data: {
        decisionId,
        action,
        ...(operation !== undefined && { operation }),
        score,
        reasons: reasons.map(({ code }) => code),
        rules: rules.fired,
        ...subjects,
        ...(isForReview && { review: true }),
      },
      orderedBy: orderOfDecision(decisionId),
      subjects,
      ...(hashes && { hashes }),
      outcome: action,
    },
  ]
}

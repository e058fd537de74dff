// What does a person send to try a decision, and what comes back?

import Type, { type Static } from 'typebox'
import { Decision, DecisionRequest } from '../../decisions.ts'

const { action, userId, phoneNumber, email, dfrId, params } = DecisionRequest.properties
const { decisionId, action: decided, message } = Decision.properties

export const TryDecisionRequest = Type.Object(
  { action, userId, phoneNumber, email, dfrId, params },
  { $id: 'TryDecisionRequest' },
)
export type TryDecisionRequest = Static<typeof TryDecisionRequest>

export const TriedDecision = Type.Object(
  { decisionId, action: decided, message },
  { $id: 'TriedDecision', additionalProperties: false, description: 'What your backend would have received, in short' },
)
export type TriedDecision = Static<typeof TriedDecision>

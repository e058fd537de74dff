// POST /admin/v1/decisions/try: the decision that a backend would get. It is a real one: stored, counted, and an event.

import type { Decision, TriedDecision, TryDecisionRequest } from '@ringfence/contract'
import { decide } from '../../decisions/decide.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'
import { existingNumber } from '../subjects/read-number.ts'
import { asClient } from './as-client.ts'

/** Refuses with `fieldInvalid`. */
export async function adminTryDecision(
  request: TryDecisionRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<TriedDecision> {
  const { phoneNumber } = request
  const named = { ...request, ...(phoneNumber !== undefined && { phoneNumber: existingNumber(phoneNumber).digits }) }
  const { text } = await decide(named, asClient(call), needs)
  const { decisionId, action, message }: Decision = JSON.parse(text)
  return { decisionId, action, ...(message !== undefined && { message }) }
}

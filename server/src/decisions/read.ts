// GET /v1/decisions/{decisionId}: the decision as it was made, with the present state of its challenge.

import type { Decision, ReadDecisionRequest } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { JsonText } from '../json/json-text.ts'
import type { Platform } from '../platform.ts'
import { findDecision, type StoredDecision } from '../storage/decisions/decisions.ts'
import { answerOf, type DecisionRecord, openDecision } from './record.ts'
import { decidedSince } from './retention.ts'

/** Refuses with `decisionUnknown`. */
export async function readDecision(
  { decisionId }: ReadDecisionRequest,
  { caller: { tenantId } }: Call,
  platform: Platform,
): Promise<JsonText<Decision>> {
  const { row, record } = await findOwnDecision(decisionId, tenantId, platform)
  return answerOf(record, row.challengePassedAt, platform.clock.now())
}

/** Refuses with `decisionUnknown` when the decision is unknown, expired or of another tenant. */
export async function findOwnDecision(
  decisionId: string,
  tenantId: string,
  { database, tenantKeyring, compression, clock, settings }: Platform,
): Promise<{ row: StoredDecision; record: DecisionRecord }> {
  const row = await findDecision(database, { tenantId, decisionId }, decidedSince(clock.now(), settings))
  if (!row) throw new Refusal('decisionUnknown')
  return { row, record: openDecision(row, await tenantKeyring.keysOf(tenantId), compression) }
}

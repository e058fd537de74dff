// GET /v1/decisions/{decisionId}: the decision as it was made, with the present state of its challenge.

import type { Decision, ReadDecisionRequest } from '@ringfence/contract'
import { withdrawIn } from '../accounts/learn.ts'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import type { JsonText } from '../core/json/json-text.ts'
import type { Queryable } from '../core/storage/database.ts'
import { accountHashOf } from '../events/subject-hashes.ts'
import { answerOf, type DecisionRecord, openDecision } from './record.ts'
import { decidedSince } from './retention.ts'
import type { DecisionsNeeds } from './room.ts'
import { findDecision, type StoredDecision } from './store/decisions.ts'

/** Refuses with `decisionUnknown`. */
export async function readDecision(
  { decisionId }: ReadDecisionRequest,
  { caller: { tenantId } }: Call,
  needs: DecisionsNeeds,
): Promise<JsonText<Decision>> {
  const { row, record } = await findOwnDecision(decisionId, tenantId, needs)
  return answerOf(record, row.challengePassedAt, needs.clock.now())
}

/** The account forgets what a bad session taught it. */
export async function unlearnDecision(
  tx: Queryable,
  decisionId: string,
  tenantId: string,
  { tenantKeyring, compression, clock, settings }: DecisionsNeeds,
): Promise<void> {
  const keys = await tenantKeyring.keysOf(tenantId)
  const row = await findDecision(tx, { tenantId, decisionId }, decidedSince(clock.now(), settings))
  if (!row) return
  const { input, basis } = openDecision(row, keys, compression)
  if (input.userId === undefined || !basis.shown) return
  const account = { tenantId, accountHash: accountHashOf(input.userId, keys) }
  await withdrawIn(tx, account, { source: basis.shown.source }, keys, clock.now())
}

/** Refuses with `decisionUnknown` when the decision is unknown, expired or of another tenant. */
export async function findOwnDecision(
  decisionId: string,
  tenantId: string,
  {
    database,
    tenantKeyring,
    compression,
    clock,
    settings,
  }: Pick<DecisionsNeeds, 'database' | 'tenantKeyring' | 'compression' | 'clock' | 'settings'>,
): Promise<{ row: StoredDecision; record: DecisionRecord }> {
  const row = await findDecision(database, { tenantId, decisionId }, decidedSince(clock.now(), settings))
  if (!row) throw new Refusal('decisionUnknown')
  return { row, record: openDecision(row, await tenantKeyring.keysOf(tenantId), compression) }
}

// GET /v1/decisions/{decisionId}: the decision as it was made, with the present state of its challenge.

import type { Decision, ReadDecisionRequest } from '@ringfence/contract'
import { withdrawIn } from '../accounts/learn.ts'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import type { JsonText } from '../core/json/json-text.ts'
import type { Queryable } from '../core/storage/database.ts'
import { accountHashOf } from '../events/subject-hashes.ts'
import { answerOf, type DecisionRecord, openDecision } from './record/record.ts'
import { decidedSince } from './record/retention.ts'
import type { DecisionsNeeds } from './room.ts'
import { type DecisionKey, findDecision, type StoredDecision } from './store/decisions.ts'

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
  needs: DecisionsNeeds,
): Promise<void> {
  const found = await findRecord({ tenantId, decisionId }, { ...needs, database: tx })
  const { userId } = found?.record.input ?? {}
  const { shown } = found?.record.basis ?? {}
  if (userId === undefined || !shown) return
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const account = { tenantId, accountHash: accountHashOf(userId, keys) }
  await withdrawIn(tx, account, { source: shown.source }, keys, needs.clock.now())
}

/** A stored decision, opened. */
export interface FoundRecord {
  readonly row: StoredDecision
  readonly record: DecisionRecord
}

/** In a transaction, `database` is the transaction. */
type Resources = Pick<DecisionsNeeds, 'tenantKeyring' | 'compression' | 'clock' | 'settings'> & {
  readonly database: Queryable
}

/** Refuses with `decisionUnknown` when the decision is unknown, expired or of another tenant. */
export async function findOwnDecision(
  decisionId: string,
  tenantId: string,
  resources: Resources,
): Promise<FoundRecord> {
  const found = await findRecord({ tenantId, decisionId }, resources)
  if (!found) throw new Refusal('decisionUnknown')
  return found
}

/** Undefined when it is unknown, expired or of another tenant. */
export async function findRecord(
  key: DecisionKey,
  { database, tenantKeyring, compression, clock, settings }: Resources,
): Promise<FoundRecord | undefined> {
  const row = await findDecision(database, key, decidedSince(clock.now(), settings))
  return row && { row, record: openDecision(row, await tenantKeyring.keysOf(key.tenantId), compression) }
}

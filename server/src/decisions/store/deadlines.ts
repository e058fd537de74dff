// For which decisions does time run out? Written by the fold of the event log, read by maintenance.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'

/** A review by the deadline of its tenant, which may change, or by that of its rule. */
export type DeadlineKind = 'challenge' | 'review' | 'ruleReview'

export interface DecisionDeadline {
  readonly decisionId: string
  readonly kind: DeadlineKind
  /** Epoch milliseconds. */
  readonly dueAt: number
}

/** To write one again changes nothing. */
export const deadlinePut = (tenantId: string, { decisionId, kind, dueAt }: DecisionDeadline): BatchStatement => ({
  sql: `insert into decision_deadline (tenant_hash, decision_id, kind, due_at) values ($1, $2, $3, $4)
        on conflict (tenant_hash, decision_id, kind) do nothing`,
  params: [tenantHash(tenantId), uuidBytes(decisionId), kind, dueAt],
})

export interface DueDeadline extends DecisionDeadline {
  /** The hash of its tenant. */
  readonly tenant: Uint8Array
}

export async function deleteDeadline(database: Queryable, { tenant, decisionId, kind }: DueDeadline): Promise<void> {
  await database.query('delete from decision_deadline where tenant_hash = $1 and decision_id = $2 and kind = $3', [
    ...[tenant, uuidBytes(decisionId), kind],
  ])
}

/** The deadline of reviews of a tenant is this much later. */
export async function moveReviewDeadlines(tx: Queryable, tenantId: string, byMs: number): Promise<void> {
  await tx.query(`update decision_deadline set due_at = due_at + $2 where tenant_hash = $1 and kind = 'review'`, [
    ...[tenantHash(tenantId), byMs],
  ])
}

/** It is due later than it was. */
export async function putOffDeadline(
  database: Queryable,
  { tenant, decisionId, kind }: DueDeadline,
  dueAt: number,
): Promise<void> {
  await database.query(
    'update decision_deadline set due_at = $4 where tenant_hash = $1 and decision_id = $2 and kind = $3',
    [tenant, uuidBytes(decisionId), kind, dueAt],
  )
}

/** Those of all tenants that were due before this time, in their order, at most `limit`. */
export async function dueDeadlines(database: Queryable, before: number, limit: number): Promise<DueDeadline[]> {
  const rows = await database.query<{ tenant: Uint8Array; id: Uint8Array; kind: DeadlineKind; dueAt: number }>(
    `select tenant_hash as tenant, decision_id as id, kind, due_at as "dueAt" from decision_deadline
      where due_at < $1 order by due_at limit ${limit}`,
    [before],
  )
  return rows.map(({ tenant, id, kind, dueAt }) => ({ tenant, decisionId: uuidText(id), kind, dueAt: Number(dueAt) }))
}

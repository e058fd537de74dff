// For which decisions does time run out? Written by the fold of the event log, read by maintenance.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { uuidBytes, uuidText } from '../../core/storage/uuid.ts'

export type DeadlineKind = 'challenge'

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

/** Those of all tenants that were due before this time, in their order, at most `limit`. */
export async function dueDeadlines(database: Queryable, before: number, limit: number): Promise<DueDeadline[]> {
  const rows = await database.query<{ tenant: Uint8Array; id: Uint8Array; kind: DeadlineKind; dueAt: number }>(
    `select tenant_hash as tenant, decision_id as id, kind, due_at as "dueAt" from decision_deadline
      where due_at < $1 order by due_at limit ${limit}`,
    [before],
  )
  return rows.map(({ tenant, id, kind, dueAt }) => ({ tenant, decisionId: uuidText(id), kind, dueAt: Number(dueAt) }))
}

// Which drafts does a tenant have, and whose are they?

import type { Queryable } from '../../core/storage/database.ts'

export interface RuleDraftRow {
  readonly tenantId: string
  /** From 1. */
  readonly number: number
  /** The newest version that was saved of it. */
  readonly version: number
  /** The version that it began with. */
  readonly basedOn: number
  /** Id of the person or client that began it. */
  readonly owner: string
  /** JSON, sealed under the tenant's data key (rules/editing/named-drafts.ts). */
  readonly sealed: Uint8Array
}

/** Oldest first. */
export const ruleDraftsOf = (database: Queryable, tenantId: string): Promise<RuleDraftRow[]> =>
  database.query<RuleDraftRow>(
    `select tenant_id as "tenantId", number, version, based_on as "basedOn", owner, sealed
       from rule_draft where tenant_id = $1 order by number`,
    [tenantId],
  )

export async function insertRuleDraft(tx: Queryable, row: RuleDraftRow): Promise<void> {
  await tx.query(
    'insert into rule_draft (tenant_id, number, version, based_on, owner, sealed) values ($1, $2, $3, $4, $5, $6)',
    [row.tenantId, row.number, row.version, row.basedOn, row.owner, row.sealed],
  )
}

export async function moveRuleDraft(
  tx: Queryable,
  { tenantId, number, version }: Pick<RuleDraftRow, 'tenantId' | 'number' | 'version'>,
): Promise<void> {
  await tx.query('update rule_draft set version = $3 where tenant_id = $1 and number = $2', [tenantId, number, version])
}

/** The draft whose newest version this is, where there is one. */
export async function deleteRuleDraft(tx: Queryable, tenantId: string, version: number): Promise<void> {
  await tx.query('delete from rule_draft where tenant_id = $1 and version = $2', [tenantId, version])
}

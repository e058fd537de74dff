// Which rule sets does a tenant have, which of them is live, and who changed what?

import type { Queryable } from '../../core/storage/database.ts'

/** draft: being written. shadow: runs in parallel, without effect. live: decides. */
export type RuleStage = 'draft' | 'shadow' | 'live'

export interface RuleSetRow {
  tenantId: string
  /** From 1; 0 means the rules that come with Ringfence, which have no row. */
  version: number
  /** Number of rules. */
  rules: number
  /** JSON, sealed under the tenant's data key (rules/stored-version.ts). */
  sealed: Uint8Array
  /** The same for the velocities; null when the set declares none. */
  sealedVelocities: Uint8Array | null
  createdAt: number
}

export interface RuleChangeRow {
  number: number
  changedAt: number
  changedBy: string
  change: RuleStage | 'end-shadow'
  version: number
  versionBefore: number | null
  sealedNote: Uint8Array | null
}

export type LiveChange = Pick<RuleChangeRow, 'changedAt' | 'version' | 'versionBefore'>

export type ShadowChange = Pick<RuleChangeRow, 'changedAt' | 'changedBy' | 'version'>

export async function insertRuleSet(database: Queryable, row: RuleSetRow): Promise<void> {
  const { tenantId, version, rules, sealed, sealedVelocities, createdAt } = row
  await database.query(
    `insert into rule_set (tenant_id, version, rule_count, sealed, sealed_velocities, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [tenantId, version, rules, sealed, sealedVelocities, createdAt],
  )
}

export async function findRuleSet(
  database: Queryable,
  tenantId: string,
  version: number,
): Promise<RuleSetRow | undefined> {
  const [row] = await database.query<RuleSetRow>(
    `select tenant_id as "tenantId", version, rule_count as rules, sealed, sealed_velocities as "sealedVelocities",
            created_at as "createdAt"
       from rule_set where tenant_id = $1 and version = $2`,
    [tenantId, version],
  )
  return row
}

/** Newest first. */
export async function listRuleSets(
  database: Queryable,
  tenantId: string,
): Promise<Pick<RuleSetRow, 'version' | 'rules' | 'createdAt'>[]> {
  return database.query(
    'select version, rule_count as rules, created_at as "createdAt" from rule_set where tenant_id = $1 order by version desc',
    [tenantId],
  )
}

export async function newestRuleSetVersion(database: Queryable, tenantId: string): Promise<number> {
  const [row] = await database.query<{ version: number | null }>(
    'select max(version) as version from rule_set where tenant_id = $1',
    [tenantId],
  )
  return row?.version ?? 0
}

/** The version in each stage. */
export async function ruleStagesOf(database: Queryable, tenantId: string): Promise<Partial<Record<RuleStage, number>>> {
  const rows = await database.query<{ stage: RuleStage; version: number }>(
    'select stage, version from rule_stage where tenant_id = $1',
    [tenantId],
  )
  return Object.fromEntries(rows.map(({ stage, version }) => [stage, version]))
}

export async function putRuleStage(
  database: Queryable,
  tenantId: string,
  stage: RuleStage,
  version: number,
): Promise<void> {
  await database.query(
    `insert into rule_stage (tenant_id, stage, version) values ($1, $2, $3)
     on conflict (tenant_id, stage) do update set version = excluded.version`,
    [tenantId, stage, version],
  )
}

export async function endRuleStage(database: Queryable, tenantId: string, stage: RuleStage): Promise<void> {
  await database.query('delete from rule_stage where tenant_id = $1 and stage = $2', [tenantId, stage])
}

/** Call it in the transaction that makes the change: its number is the next one of the tenant. */
export async function insertRuleChange(
  tx: Queryable,
  tenantId: string,
  { changedAt, changedBy, change, version, versionBefore, sealedNote }: Omit<RuleChangeRow, 'number'>,
): Promise<void> {
  const [last] = await tx.query<{ number: number | null }>(
    'select max(number) as number from rule_change where tenant_id = $1',
    [tenantId],
  )
  await tx.query(
    `insert into rule_change
       (tenant_id, number, changed_at, changed_by, change, version, version_before, sealed_note)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [tenantId, (last?.number ?? 0) + 1, changedAt, changedBy, change, version, versionBefore, sealedNote],
  )
}

/** Newest first. */
export async function listRuleChanges(database: Queryable, tenantId: string): Promise<RuleChangeRow[]> {
  return database.query<RuleChangeRow>(
    `select number, changed_at as "changedAt", changed_by as "changedBy", change, version,
            version_before as "versionBefore", sealed_note as "sealedNote"
       from rule_change where tenant_id = $1 order by number desc`,
    [tenantId],
  )
}

/** The last times that a version became live, newest first. */
export async function lastLiveChanges(database: Queryable, tenantId: string): Promise<LiveChange[]> {
  const rows = await database.query<LiveChange>(
    `select changed_at as "changedAt", version, version_before as "versionBefore"
       from rule_change where tenant_id = $1 and change = 'live' order by number desc limit 50`,
    [tenantId],
  )
  return rows.map((row) => ({ ...row, changedAt: Number(row.changedAt) }))
}

/** The versions that were live, the last one first, then those that were only in shadow. At most 50. */
export async function versionsThatRan(database: Queryable, tenantId: string): Promise<number[]> {
  const rows = await database.query<{ version: number }>(
    `select version from rule_change where tenant_id = $1 and change in ('live', 'shadow')
      group by version
      order by coalesce(max(case when change = 'live' then number end), -1) desc, max(number) desc limit 50`,
    [tenantId],
  )
  return rows.map(({ version }) => version)
}

/** Who put a version into shadow last. */
export async function lastShadowChange(
  database: Queryable,
  tenantId: string,
  version: number,
): Promise<ShadowChange | undefined> {
  const [row] = await database.query<ShadowChange>(
    `select changed_at as "changedAt", changed_by as "changedBy", version
       from rule_change where tenant_id = $1 and change = 'shadow' and version = $2 order by number desc limit 1`,
    [tenantId, version],
  )
  return row && { ...row, changedAt: Number(row.changedAt) }
}

/** Whether a version was ever in this stage. */
export async function wasInStage(
  database: Queryable,
  tenantId: string,
  stage: RuleStage,
  version: number,
): Promise<boolean> {
  const rows = await database.query(
    'select number from rule_change where tenant_id = $1 and change = $2 and version = $3 limit 1',
    [tenantId, stage, version],
  )
  return rows.length > 0
}

// Was a demo made for a tenant, in which tenant is it, and how far has it come? One row for each tenant that ever had one.

import type { Queryable } from '../../core/storage/database.ts'

export type DemoStage = 'making' | 'made' | 'removing' | 'removed'

/** How much was made. */
export interface DemoCounts {
  readonly sessionsPlanned: number
  readonly sessionsMade: number
  readonly decisionsMade: number
  readonly people: number
}

export interface DemoRow extends DemoCounts {
  /** The tenant whose people see it. */
  readonly tenantId: string
  /** Whose traffic it is; null before its maker has begun, and once it is removed. */
  readonly demoTenantId: string | null
  readonly stage: DemoStage
  /** Epoch milliseconds: the first start. All traffic of the demo is older. */
  readonly untilAt: number
  /** Epoch milliseconds; until then a process is making it. */
  readonly makerUntil: number
}

const columns = `tenant_id as "tenantId", demo_tenant_id as "demoTenantId", state as "stage", until_at as "untilAt", maker_until as "makerUntil",
                 sessions_planned as "sessionsPlanned", sessions_made as "sessionsMade",
                 decisions_made as "decisionsMade", people`

/** @param tenantId the tenant that it was made for, or its own */
export async function findDemo(database: Queryable, tenantId: string): Promise<DemoRow | undefined> {
  const [row] = await database.query<DemoRow>(
    `select ${columns} from demo where tenant_id = $1 or demo_tenant_id = $1`,
    [tenantId],
  )
  return row
}

/** Tenants that nobody works in. */
export async function demoTenants(database: Queryable): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(
    'select demo_tenant_id as id from demo where demo_tenant_id is not null',
  )
  return new Set(rows.map(({ id }) => id))
}

/** The tenant that a maker fills. */
export async function putDemoTenant(
  database: Queryable,
  { tenantId }: Pick<DemoRow, 'tenantId'>,
  demoTenantId: string,
): Promise<void> {
  await database.query('update demo set demo_tenant_id = $2 where tenant_id = $1', [tenantId, demoTenantId])
}

/** Owners of the tenant that a demo was made for own the demo too. The console opens on the older role. */
export async function shareDemo(database: Queryable, tenantId: string): Promise<void> {
  await database.query(
    `insert into person_role (person_id, tenant_id, role, created_at, email_hash)
     select r.person_id, d.demo_tenant_id, r.role, r.created_at + 1, r.email_hash
       from demo d join person_role r on r.tenant_id = d.tenant_id
      where d.tenant_id = $1 and d.demo_tenant_id is not null and r.role = 'owner'
     on conflict (person_id, tenant_id) do nothing`,
    [tenantId],
  )
}

/** The demos that are being removed, of all tenants. */
export const demosToRemove = (database: Queryable): Promise<DemoRow[]> =>
  database.query<DemoRow>(`select ${columns} from demo where state = 'removing'`)

/** Takes the making of a demo, a new one or one whose maker has ended. Undefined when there is nothing to make. */
export async function claimDemo(
  database: Queryable,
  { tenantId, now, makerUntil }: { tenantId: string; now: number; makerUntil: number },
): Promise<DemoRow | undefined> {
  const [row] = await database.query<DemoRow>(
    `insert into demo (tenant_id, state, until_at, maker_until, sessions_planned, sessions_made, decisions_made, people)
     values ($1, 'making', $2, $3, 0, 0, 0, 0)
     on conflict (tenant_id) do update
        set maker_until = excluded.maker_until, sessions_made = 0, decisions_made = 0
      where demo.state = 'making' and demo.maker_until < $2
     returning ${columns}`,
    [tenantId, now, makerUntil],
  )
  return row
}

/**
 * Reports progress of the maker whose claim lasts until `claimedUntil`. False when it must stop: the demo is to be removed, or another
 * process has taken over.
 */
export async function advanceDemo(
  database: Queryable,
  tenantId: string,
  { sessionsPlanned, sessionsMade, decisionsMade, people }: DemoCounts,
  { stage, claimedUntil, makerUntil }: { stage: 'making' | 'made'; claimedUntil: number; makerUntil: number },
): Promise<boolean> {
  const rows = await database.query(
    `update demo set state = $2, maker_until = $3, sessions_planned = $4, sessions_made = $5, decisions_made = $6,
                     people = $7
      where tenant_id = $1 and state = 'making' and maker_until = $8 returning 1 as advanced`,
    [tenantId, stage, makerUntil, sessionsPlanned, sessionsMade, decisionsMade, people, claimedUntil],
  )
  return rows.length > 0
}

/** Asks for its removal. False when there is no demo, or it is removed already. */
export async function requestDemoRemoval(database: Queryable, tenantId: string): Promise<boolean> {
  const rows = await database.query(
    `update demo set state = 'removing' where tenant_id = $1 and state <> 'removed' returning 1 as requested`,
    [tenantId],
  )
  return rows.length > 0
}

/** The maker with this claim has ended before the demo was complete. */
export async function endDemoMaker(database: Queryable, tenantId: string, claimedUntil: number): Promise<void> {
  await database.query('update demo set maker_until = 0 where tenant_id = $1 and maker_until = $2', [
    tenantId,
    claimedUntil,
  ])
}

export async function markDemoRemoved(database: Queryable, tenantId: string): Promise<void> {
  await database.query(
    `update demo set state = 'removed', demo_tenant_id = null where tenant_id = $1 and state = 'removing'`,
    [tenantId],
  )
}

/** Whether nothing has happened in this store yet, in any tenant: no traffic, no lists, no rules. */
export async function isUnused(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ used: number }>(
    `select 1 as used where ${used.map((table) => `exists (select 1 from ${table})`).join(' or ')}
       or (select count(*) from tenant) > 1`,
  )
  return row === undefined
}

const used = [
  ...['decision', 'device_analysis', 'installation', 'token', 'sign_in', 'app_user', 'telecom_answer'],
  ...['rule_set', 'value_list', 'report_label'],
]

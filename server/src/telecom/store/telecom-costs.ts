// How much did the checks of a tenant cost on a day? All servers count together.

import type { Database, Queryable } from '../../core/storage/database.ts'

export interface TelecomCostKey {
  readonly tenantId: string
  /** Days since 1970-01-01 UTC. */
  readonly day: number
  readonly currency: string
}

export interface TelecomCostRow extends TelecomCostKey {
  /** `*`: all checks together. `simSwap@acme`: requests to one upstream. */
  readonly check: string
  readonly micros: number
  /** The most that the day may cost; undefined: no limit. */
  readonly cap: number | undefined
}

/** Counts one request in all rows or in none. @throws ConditionFailed when one would exceed its cap */
export async function countTelecomCost(database: Database, rows: readonly TelecomCostRow[]): Promise<void> {
  await database.batch(
    rows.map(({ tenantId, day, currency, check, micros, cap = Number.MAX_SAFE_INTEGER }) => ({
      sql: `insert into telecom_cost (tenant_id, day, currency, check_name, micros, requests)
        select $1, cast($2 as bigint), $3, $4, cast($5 as bigint), 1 where cast($5 as bigint) <= cast($6 as bigint)
        on conflict (tenant_id, day, currency, check_name) do update
           set micros = telecom_cost.micros + excluded.micros, requests = telecom_cost.requests + 1
         where telecom_cost.micros + excluded.micros <= cast($6 as bigint)
        returning micros`,
      params: [tenantId, day, currency, check, micros, cap],
      required: true,
    })),
  )
}

/** Takes back what `countTelecomCost` counted. */
export async function uncountTelecomCost(database: Database, rows: readonly TelecomCostRow[]): Promise<void> {
  await database.batch(
    rows.map(({ tenantId, day, currency, check, micros }) => ({
      sql: `update telecom_cost set micros = micros - $5, requests = requests - 1
             where tenant_id = $1 and day = $2 and currency = $3 and check_name = $4`,
      params: [tenantId, day, currency, check, micros],
    })),
  )
}

export async function telecomCostsOf(
  database: Queryable,
  { tenantId, day, currency }: TelecomCostKey,
): Promise<{ check: string; micros: number; requests: number }[]> {
  return database.query(
    `select check_name as "check", micros, requests from telecom_cost
      where tenant_id = $1 and day = $2 and currency = $3`,
    [tenantId, day, currency],
  )
}

/** The counts of this day and later ones. */
export async function telecomCostsSince(
  database: Queryable,
  { tenantId, day, currency }: TelecomCostKey,
): Promise<{ day: number; check: string; micros: number; requests: number }[]> {
  return database.query(
    `select day, check_name as "check", micros, requests from telecom_cost
      where tenant_id = $1 and day >= $2 and currency = $3`,
    [tenantId, day, currency],
  )
}

/** Deletes the counts of days before `day`. */
export async function dropTelecomCosts(database: Queryable, day: number): Promise<void> {
  await database.query('delete from telecom_cost where day < $1', [day])
}

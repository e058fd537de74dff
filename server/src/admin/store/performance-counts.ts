// How often did what happen to decisions? Counts by hour and day, each of one action, operation, app and country.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import type { Dimensions } from '../fold/decision-facts.ts'
import { groupsOf, valuesOf } from './groups.ts'

export type PerformanceSpan = 'hour' | 'day'
export type PerformanceKind =
  | 'decision'
  | 'passed'
  | 'failed'
  | 'expired'
  | 'reviewed'
  | 'label'
  | 'fired'
  | 'decided'
  | 'firedBad'
  | 'firedGood'
  | 'overturned'
  | 'paid'
  | 'paidBad'
  | 'paidGood'
  | 'check'
  | 'latency'

export interface PerformanceCount extends Dimensions {
  readonly span: PerformanceSpan
  /** Epoch milliseconds. */
  readonly startsAt: number
  readonly kind: PerformanceKind
  readonly name: string
  readonly amount: number
  readonly total: number
}

/** Each count has another key. */
export const performanceAdd = (tenantId: string, counts: readonly PerformanceCount[]): BatchStatement[] =>
  groupsOf(counts).map((group) => ({
    sql: `insert into performance_count
            (tenant_hash, span, starts_at, kind, action, operation, app, country, name, amount, total)
          values ${valuesOf(group.length, 11)}
          on conflict (tenant_hash, span, starts_at, kind, action, operation, app, country, name) do update
            set amount = performance_count.amount + excluded.amount, total = performance_count.total + excluded.total`,
    params: group.flatMap(({ span, startsAt, kind, action, operation, app, country, name, amount, total }) => [
      ...[tenantHash(tenantId), span, startsAt, kind, action, operation, app, country, name, amount, total],
    ]),
  }))

export interface PerformanceRange {
  readonly tenantId: string
  readonly span: PerformanceSpan
  /** Epoch milliseconds. */
  readonly from: number
  readonly to: number
  /** Only those with these; absent is any. */
  readonly only: Partial<Pick<Dimensions, 'operation' | 'app' | 'country'>>
  /** Absent: all. */
  readonly kinds?: readonly PerformanceKind[]
}

export interface PerformanceSum {
  readonly kind: PerformanceKind
  readonly action: string
  readonly name: string
  readonly startsAt: number
  readonly amount: number
  readonly total: number
}

/** The sums of each hour or day, by kind, action and name. */
export async function performanceSums(
  database: Queryable,
  { tenantId, span, from, to, only, kinds }: PerformanceRange,
): Promise<PerformanceSum[]> {
  const filters = (['operation', 'app', 'country'] as const).filter((name) => only[name] !== undefined)
  const rows = await database.query<{ -readonly [Field in keyof PerformanceSum]: PerformanceSum[Field] }>(
    `select kind, action, name, starts_at as "startsAt", cast(sum(amount) as bigint) as amount,
            cast(sum(total) as bigint) as total
       from performance_count
      where tenant_hash = $1 and span = $2 and starts_at >= $3 and starts_at < $4
            ${kinds ? `and kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})` : ''}
            ${filters.map((name, i) => `and ${name} = $${i + 5}`).join(' ')}
      group by starts_at, kind, action, name`,
    [tenantHash(tenantId), span, from, to, ...filters.map((name) => only[name]!)],
  )
  return rows.map((row) => ({
    ...row,
    startsAt: Number(row.startsAt),
    amount: Number(row.amount),
    total: Number(row.total),
  }))
}

export interface PerformanceTimes extends Omit<PerformanceRange, 'kinds'> {
  readonly kind: PerformanceKind
  /** Of the rule; empty for decisions. */
  readonly name: string
  /** Absent is any. */
  readonly action: string | undefined
}

/** The hours or days with such counts, newest first, and the actions that they have. */
export async function performanceTimes(
  database: Queryable,
  { tenantId, span, from, to, only, kind, name, action }: PerformanceTimes,
): Promise<{ readonly startsAt: number; readonly actions: readonly string[] }[]> {
  const wanted = { ...only, ...(action !== undefined && { action }) }
  const rows = await database.query<{ startsAt: number; action: string }>(
    `select starts_at as "startsAt", action from performance_count
      where tenant_hash = $1 and span = $2 and starts_at >= $3 and starts_at < $4 and kind = $5 and name = $6
            ${Object.keys(wanted)
              .map((column, i) => `and ${column} = $${i + 7}`)
              .join(' ')}
      group by starts_at, action having sum(amount) > 0 order by starts_at desc`,
    [tenantHash(tenantId), span, from, to, kind, name, ...Object.values(wanted)],
  )
  const byTime = Map.groupBy(rows, ({ startsAt }) => Number(startsAt))
  return [...byTime].map(([startsAt, ofTime]) => ({ startsAt, actions: ofTime.map((row) => row.action) }))
}

/** Deletes at most `limit` counts from before this time. @returns how many */
export async function dropPerformanceBefore(
  database: Queryable,
  { span, before, limit }: { readonly span: PerformanceSpan; readonly before: number; readonly limit: number },
): Promise<number> {
  const key = 'tenant_hash, span, starts_at, kind, action, operation, app, country, name'
  const dropped = await database.query(
    `delete from performance_count where (${key}) in
       (select ${key} from performance_count where span = $1 and starts_at < $2 limit ${limit}) returning 1 as dropped`,
    [span, before],
  )
  return dropped.length
}

/** What has its own counts. */
export interface CountedValue {
  readonly dimension: string
  readonly value: string
}

export const countedValues = (database: Queryable, tenantId: string): Promise<CountedValue[]> =>
  database.query('select dimension, value from counted_value where tenant_hash = $1 order by dimension, value', [
    tenantHash(tenantId),
  ])

export const countedValuesAdd = (tenantId: string, values: readonly CountedValue[]): BatchStatement[] =>
  groupsOf(values).map((group) => ({
    sql: `insert into counted_value (tenant_hash, dimension, value) values ${valuesOf(group.length, 3)}
          on conflict (tenant_hash, dimension, value) do nothing`,
    params: group.flatMap(({ dimension, value }) => [tenantHash(tenantId), dimension, value]),
  }))

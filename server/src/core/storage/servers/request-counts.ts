// How many requests has a caller sent to all servers in this window? Servers lease slices of the limit before they need them.

import type { Queryable } from '../database.ts'

export interface Window {
  /** Requests per window. */
  readonly quota: number
  readonly windowMs: number
}

export interface LeaseRequest {
  /** Hexadecimal, of the key hash. */
  readonly key: string
  /** Requests that were admitted without a lease. They count, even above the quota. */
  readonly spent: number
  /** At most the quota. */
  readonly wanted: number
}

export interface Lease {
  readonly key: string
  readonly granted: number
  /** Counted in this window, this lease included. */
  readonly counted: number
  readonly msLeft: number
}

const now = 'cast(extract(epoch from statement_timestamp()) * 1000 as bigint)'
const ended = `c.window_ends_at <= ${now}`
const counted = `case when ${ended} then 0 else c.counted end`
const spent = 'excluded.counted - excluded.granted'
const grant = `least(excluded.granted, greatest(0, cast($2 as integer) - (${counted}) - (${spent})))`

/** PostgreSQL only. One statement for all callers of a limit; ordered, so that servers do not lock each other out. */
const leaseAll = `insert into request_count as c (key_hash, counted, granted, window_ends_at)
  select decode(r.key, 'hex'), r.spent + r.wanted, r.wanted, ${now} + cast($3 as bigint)
    from jsonb_to_recordset(cast($1 as jsonb)) as r (key text, spent integer, wanted integer) order by r.key
  on conflict (key_hash) do update set
    counted = (${counted}) + (${spent}) + ${grant},
    granted = ${grant},
    window_ends_at = case when ${ended} then excluded.window_ends_at else c.window_ends_at end
  returning encode(key_hash, 'hex') as key, granted, counted, window_ends_at - ${now} as "msLeft"`

/** Each key once. */
export function leaseRequests(
  database: Queryable,
  requests: readonly LeaseRequest[],
  { quota, windowMs }: Window,
): Promise<Lease[]> {
  return database.query<Lease>(leaseAll, [JSON.stringify(requests), quota, windowMs])
}

export async function dropRequestCountsBefore(database: Queryable, endedBefore: number): Promise<void> {
  await database.query('delete from request_count where window_ends_at <= $1', [endedBefore])
}

// Which events have been committed since a moment? Ids by the primary key first, then the rows that are new.

import type { Queryable } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import type { FoundEventRow } from './search.ts'

/** The ids from `from` on, oldest first; the newest ones when there are more than `limit`. */
export async function newestEventIds(
  database: Queryable,
  { tenantId, from }: { readonly tenantId: string; readonly from: Uint8Array },
  limit: number,
): Promise<Uint8Array[]> {
  const rows = await database.query<{ id: Uint8Array }>(
    `select id from event where tenant_hash = $1 and id >= $2 order by id desc limit ${limit}`,
    [tenantHash(tenantId), from],
  )
  return rows.map(({ id }) => id).reverse()
}

/** A statement has this many places, so that it is prepared once. */
const atOnce = 50
const places = Array.from({ length: atOnce }, (_, index) => `$${index + 2}`).join(', ')

/** In the order of their ids. What was deleted meanwhile is left out. */
export async function eventsById(
  database: Queryable,
  tenantId: string,
  ids: readonly Uint8Array[],
): Promise<FoundEventRow[]> {
  const found: FoundEventRow[] = []
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce)
    const padded = [...some, ...Array<Uint8Array>(atOnce - some.length).fill(some[0]!)]
    const rows = await database.query<FoundEventRow>(
      `select id, type, occurred_at as "occurredAt", order_key as "orderKey", outcome, sealed
         from event where tenant_hash = $1 and id in (${places}) order by id`,
      [tenantHash(tenantId), ...padded],
    )
    found.push(...rows)
  }
  return found
}

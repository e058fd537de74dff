// Which rows are about a user, phone number, email address or device, and how are they deleted? Found by keyed hashes, a page at a time.

import type { Queryable, SqlValue } from '../../../core/storage/database.ts'
import { dfrIdBytes, tenantHash } from '../../../core/storage/short-keys.ts'
import { uuidText } from '../../../core/storage/uuid.ts'
import type { StoredEvent } from '../../../events/store/events.ts'

/** The columns of `event` and `decision` that have the hash of a subject. */
export type SubjectColumn = 'user_hash' | 'number_hash' | 'email_hash' | 'device_hash'

/** Rows that are read and deleted together. */
export const rowsAtOnce = 100

/** The hashes of a row about a subject: which device saw which account and number. */
export interface SeenHashes {
  readonly deviceHash: Uint8Array | null
  readonly userHash: Uint8Array | null
  readonly numberHash: Uint8Array | null
}

const seenColumns = 'device_hash as "deviceHash", user_hash as "userHash", number_hash as "numberHash"'

export type EventOfSubject = StoredEvent & SeenHashes

export interface OfSubject {
  readonly tenantId: string
  readonly column: SubjectColumn
  readonly hash: Uint8Array
}

/** In their order. */
export const eachEvent = (database: Queryable, { tenantId, column, hash }: OfSubject): AsyncGenerator<EventOfSubject> =>
  eachRow(
    (after) =>
      database.query<EventOfSubject>(
        `select id, type, occurred_at as "occurredAt", order_key as "orderKey", sealed, ${seenColumns}
           from event where ${column} = $1 and id > $2 and tenant_hash = $3 order by id limit ${rowsAtOnce}`,
        [hash, after, tenantHash(tenantId)],
      ),
    ({ id }) => id,
  )

/** Ids of some events about a subject; those that are deleted make room for the next. */
export async function someEvents(database: Queryable, { tenantId, column, hash }: OfSubject): Promise<Uint8Array[]> {
  const rows = await database.query<{ id: Uint8Array }>(
    `select id from event where ${column} = $1 and tenant_hash = $2 order by id limit ${rowsAtOnce}`,
    [hash, tenantHash(tenantId)],
  )
  return rows.map(({ id }) => id)
}

/** Page after page: memory does not grow with their number. */
async function* eachRow<Row>(
  page: (after: Uint8Array) => Promise<Row[]>,
  idOf: (row: Row) => Uint8Array,
): AsyncGenerator<Row> {
  for (let after: Uint8Array = new Uint8Array(0); ; ) {
    const rows = await page(after)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < rowsAtOnce) return
    after = idOf(last)
  }
}

/** The same number of placeholders each time, so that there is one text to prepare: the last value is repeated. */
const repeated = (values: readonly SqlValue[]): SqlValue[] =>
  Array.from({ length: rowsAtOnce }, (_, i) => values[Math.min(i, values.length - 1)]!)
const places = (from: number) => Array.from({ length: rowsAtOnce }, (_, i) => `$${i + from}`).join(', ')

export interface DeletedEvents {
  readonly events: number
  readonly deliveries: number
  readonly attempts: number
}

/** Deletes at most `rowsAtOnce` events, what waits to be delivered of them, and the log of their deliveries. */
export async function deleteEvents(
  tx: Queryable,
  tenantId: string,
  ids: readonly Uint8Array[],
): Promise<DeletedEvents> {
  if (ids.length === 0) return { events: 0, deliveries: 0, attempts: 0 }
  const all = repeated(ids)
  const count = async (sql: string, tenant: SqlValue) => (await tx.query(sql, [tenant, ...all])).length
  return {
    deliveries: await count(
      `delete from event_delivery where tenant_id = $1 and event_id in (${places(2)}) returning due_at`,
      tenantId,
    ),
    attempts: await count(
      `delete from event_attempt where tenant_id = $1 and event_id in (${places(2)}) returning attempted_at`,
      tenantId,
    ),
    events: await count(
      `delete from event where tenant_hash = $1 and id in (${places(2)}) returning occurred_at`,
      tenantHash(tenantId),
    ),
  }
}

export interface DecisionLinks extends SeenHashes {
  readonly decisionId: string
  readonly id: Uint8Array
  /** 32 hex digits. */
  readonly dfrId: string | undefined
}

/** Some of the decisions about a subject after `after`; those that are deleted make room for the next. */
export async function someDecisions(
  database: Queryable,
  { tenantId, column, hash, after }: OfSubject & { readonly after: Uint8Array },
): Promise<DecisionLinks[]> {
  const rows = await database.query<{ id: Uint8Array; dfrId: Uint8Array | null } & SeenHashes>(
    `select decision_id as "id", dfr_id as "dfrId", ${seenColumns} from decision
      where ${column} = $1 and decision_id > $2 and tenant_hash = $3 order by decision_id limit ${rowsAtOnce}`,
    [hash, after, tenantHash(tenantId)],
  )
  return rows.map(({ id, dfrId, ...seen }) => ({
    id,
    decisionId: uuidText(id),
    dfrId: dfrId ? Buffer.from(dfrId).toString('hex') : undefined,
    ...seen,
  }))
}

/** In their order. */
export const eachDecision = (database: Queryable, of: OfSubject): AsyncGenerator<DecisionLinks> =>
  eachRow(
    (after) => someDecisions(database, { ...of, after }),
    ({ id }) => id,
  )

/** Deletes at most `rowsAtOnce` decisions. @returns how many */
export async function deleteDecisions(tx: Queryable, tenantId: string, ids: readonly Uint8Array[]): Promise<number> {
  if (ids.length === 0) return 0
  const deleted = await tx.query(
    `delete from decision where tenant_hash = $1 and decision_id in (${places(2)}) returning decided_at`,
    [tenantHash(tenantId), ...repeated(ids)],
  )
  return deleted.length
}

/** Deletes the labels of decisions and reports, at most `rowsAtOnce`. @returns how many */
export async function deleteLabels(tx: Queryable, tenantId: string, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const deleted = await tx.query(
    `delete from report_label where tenant_id = $1 and report_id in (${places(2)}) returning label`,
    [tenantId, ...repeated(ids)],
  )
  return deleted.length
}

export interface DeletedReport {
  readonly deviceHash: Uint8Array | null
  readonly labels: number
}

/** Deletes a device report, its visit, and what its label says of device and IP address. Undefined when there is none. */
export async function deleteReport(tx: Queryable, tenantId: string, dfrId: string): Promise<DeletedReport | undefined> {
  const [row] = await tx.query<{ deviceHash: Uint8Array | null; prefix: Uint8Array | null }>(
    `delete from device_analysis where tenant_hash = $1 and dfr_id = $2
     returning device_hash as "deviceHash", ip_prefix_hash as "prefix"`,
    [tenantHash(tenantId), dfrIdBytes(dfrId)],
  )
  if (!row) return undefined
  let labels = 0
  const drop = async (sql: string, hash: Uint8Array | null) => {
    if (hash) labels += (await tx.query(sql, [tenantId, hash, dfrId])).length
  }
  await drop(
    'delete from device_label where tenant_id = $1 and device_hash = $2 and dfr_id = $3 returning label',
    row.deviceHash,
  )
  await drop(
    'delete from ip_label where tenant_id = $1 and ip_prefix_hash = $2 and dfr_id = $3 returning label',
    row.prefix,
  )
  return { deviceHash: row.deviceHash, labels }
}

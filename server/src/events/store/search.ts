// Which events match a search? Read along one index, newest first, and never more rows than a request may cost.

import type { EventSubjectHashes } from '../../core/event-recorder.ts'
import type { Queryable, SqlValue } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import type { StoredEvent } from './events.ts'

/** A stored event that search returns. */
export type FoundEventRow = StoredEvent & { readonly outcome: string | null }

/** What events must have; an absent part is any. Ids are 16 bytes: from `from` on, and below `before`. */
export interface EventFilter {
  readonly tenantId: string
  readonly from: Uint8Array
  readonly before: Uint8Array
  /** Hashes of the subjects; null is any. */
  readonly subjects: EventSubjectHashes
  readonly types: readonly string[] | undefined
  readonly outcome: string | undefined
}

export interface FoundPage {
  readonly rows: readonly FoundEventRow[]
  /** The next page is below this id; absent when there is no more. */
  readonly next?: Uint8Array
}

/** How many rows are read for a page, of all its indexes together. A rare outcome among millions of events needs several pages. */
const mostScanned = 2000

const columnOf = {
  userHash: 'user_hash',
  numberHash: 'number_hash',
  deviceHash: 'device_hash',
  ipHash: 'ip_hash',
  emailHash: 'email_hash',
  requestHash: 'request_hash',
} as const satisfies Record<keyof EventSubjectHashes, string>
type Subject = keyof typeof columnOf
const subjectNames = ['requestHash', ...Object.keys(columnOf).filter((name) => name !== 'requestHash')] as Subject[]

/** An index, and the value that is read in it. */
type Source = { readonly column: string; readonly value: Uint8Array | string } | 'tenant'

/** The newest events that match, at most `limit`. */
export async function searchEvents(database: Queryable, filter: EventFilter, limit: number): Promise<FoundPage> {
  const sources = sourcesOf(filter)
  // With many types, a page would hold up the embedded engine for a third of a second.
  const share = Math.max(limit + 1, Math.ceil(mostScanned / sources.length))
  const parts = await Promise.all(sources.map((source) => scan(database, source, filter, { limit: limit + 1, share })))
  // Below the highest place where a scan ended, other events may be missing.
  const bound = parts.flatMap(({ scannedTo }) => scannedTo ?? []).reduce<Uint8Array | undefined>(higher, undefined)
  const rows = parts
    .flatMap((part) => part.rows)
    .filter(({ id }) => !bound || Buffer.compare(id, bound) >= 0)
    .sort((a, b) => Buffer.compare(b.id, a.id))
  const page = rows.slice(0, limit)
  const next = rows.length > limit ? page.at(-1)?.id : bound
  return { rows: page, ...(next && { next }) }
}

/** One subject's index, else one scan for each type, else the events of the tenant. */
function sourcesOf({ subjects, types }: EventFilter): readonly Source[] {
  const subject = subjectNames.find((name) => subjects[name] !== null)
  if (subject) return [{ column: columnOf[subject], value: subjects[subject]! }]
  return types ? types.map((value) => ({ column: 'type', value })) : ['tenant']
}

interface Scanned {
  readonly rows: readonly FoundEventRow[]
  /** Every match from this id on is in `rows`; absent when all are. */
  readonly scannedTo?: Uint8Array
}

/** `share`: how many rows this scan may read. */
async function scan(
  database: Queryable,
  source: Source,
  filter: EventFilter,
  { limit, share }: { readonly limit: number; readonly share: number },
): Promise<Scanned> {
  const params: SqlValue[] = []
  const param = (value: SqlValue) => `$${params.push(value)}`
  const isOfType = source !== 'tenant' && source.column === 'type'
  const isSubject = source !== 'tenant' && !isOfType
  const range = [
    // A subject's hash is keyed by the tenant. The tenant is checked outside, so that the index of the subject is read.
    ...(isSubject ? [] : [`tenant_hash = ${param(tenantHash(filter.tenantId))}`]),
    ...(source === 'tenant' ? [] : [`${source.column} = ${param(source.value)}`]),
    `id >= ${param(filter.from)}`,
    `id < ${param(filter.before)}`,
  ].join(' and ')
  const conditions = [
    ...(isSubject ? [`tenant_hash = ${param(tenantHash(filter.tenantId))}`] : []),
    ...subjectNames
      .filter((name) => filter.subjects[name] !== null && (source === 'tenant' || columnOf[name] !== source.column))
      .map((name) => `${columnOf[name]} = ${param(filter.subjects[name])}`),
    ...(filter.types && isSubject ? [`type in (${filter.types.map(param).join(', ')})`] : []),
    ...(filter.outcome === undefined ? [] : [`outcome = ${param(filter.outcome)}`]),
  ]
  const most = conditions.length > 0 ? share : limit
  const shown = 'id, type, occurred_at as "occurredAt", order_key as "orderKey", outcome, sealed'
  // Only a query of nothing but the id makes SQLite read the index of the type instead of the primary key.
  const from = isOfType
    ? `event where tenant_hash = $1 and id in (select id from event where ${range} order by id desc limit ${most})`
    : `(select * from event where ${range} order by id desc limit ${most}) as scanned where 1 = 1`
  const filters = conditions.map((condition) => ` and ${condition}`).join('')
  const rows = await database.query<FoundEventRow>(
    `select ${shown} from ${from}${filters} order by id desc limit ${limit}`,
    params,
  )
  if (rows.length === limit) return { rows, scannedTo: rows.at(-1)!.id }
  if (conditions.length === 0) return { rows }
  const rangeParams = params.slice(0, range.match(/\$/g)!.length)
  const [last] = await database.query<{ id: Uint8Array }>(
    `select id from event where ${range} order by id desc limit 1 offset ${share - 1}`,
    rangeParams,
  )
  return { rows, ...(last && { scannedTo: last.id }) }
}

const higher = (a: Uint8Array | undefined, b: Uint8Array): Uint8Array => (a && Buffer.compare(a, b) >= 0 ? a : b)

/** How many events of these types a tenant has from `from` on and below `before`. */
export async function countEvents(
  database: Queryable,
  { tenantId, from, before, types }: Pick<EventFilter, 'tenantId' | 'from' | 'before' | 'types'>,
): Promise<number> {
  const params: SqlValue[] = [tenantHash(tenantId), from, before, ...(types ?? [])]
  const ofType = types ? `and type in (${types.map((_, index) => `$${index + 4}`).join(', ')})` : ''
  const [row] = await database.query<{ events: number }>(
    `select cast(count(*) as integer) as events from event where tenant_hash = $1 and id >= $2 and id < $3 ${ofType}`,
    params,
  )
  return row?.events ?? 0
}

/** The subjects of an event. */
export type EventSubjects = { readonly [Name in 'userHash' | 'numberHash' | 'deviceHash']: Uint8Array | null }

/** The oldest events of these types with an id above `after` and below `before`, in order. */
export async function eventsAfter(
  database: Queryable,
  { tenantId, after, before, types }: Pick<EventFilter, 'tenantId' | 'before' | 'types'> & { after: Uint8Array },
  limit: number,
): Promise<(FoundEventRow & EventSubjects)[]> {
  const params: SqlValue[] = [tenantHash(tenantId), after, before, ...(types ?? [])]
  const ofType = types ? `and type in (${types.map((_, index) => `$${index + 4}`).join(', ')})` : ''
  return database.query<FoundEventRow & EventSubjects>(
    `select id, type, occurred_at as "occurredAt", order_key as "orderKey", outcome, sealed,
            user_hash as "userHash", number_hash as "numberHash", device_hash as "deviceHash"
       from event
      where tenant_hash = $1 and id > $2 and id < $3 ${ofType} order by id limit ${limit}`,
    params,
  )
}

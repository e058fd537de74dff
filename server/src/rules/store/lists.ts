// Which lists does a tenant have, and what changed in them since a version?

import type { ListKind, ListPurpose } from '@ringfence/contract'
import type { Queryable, SqlValue } from '../../core/storage/database.ts'
import { inSizes } from '../../core/storage/in-sizes.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'

export interface ListRow {
  /** 16 bytes. */
  readonly id: Uint8Array
  readonly name: string
  readonly kind: ListKind
  readonly purpose: ListPurpose
  readonly version: number
  readonly completeSince: number
  readonly entryCount: number
  readonly createdAt: number
  readonly changedAt: number
  readonly sealed: Uint8Array
}

export interface EntryRow {
  /** 8 bytes. */
  readonly valueHash: Uint8Array
  readonly version: number
  readonly addedAt: number
  readonly expiresAt: number | null
  /** 1 for an entry that was removed at `expiresAt`. */
  readonly removed: number
  readonly sealed: Uint8Array
}

const listColumns = `id, name, kind, purpose, version, complete_since as "completeSince", entry_count as "entryCount",
  created_at as "createdAt", changed_at as "changedAt", sealed`

/** By name. */
export async function listsOf(database: Queryable, tenantId: string): Promise<ListRow[]> {
  return database.query<ListRow>(
    `select ${listColumns} from value_list where tenant_id = $1 and deleted_at is null order by name`,
    [tenantId],
  )
}

export async function findList(database: Queryable, tenantId: string, name: string): Promise<ListRow | undefined> {
  const [row] = await database.query<ListRow>(
    `select ${listColumns} from value_list where tenant_id = $1 and name = $2 and deleted_at is null`,
    [tenantId, name],
  )
  return row
}

/** @throws UniqueViolation when the tenant has a list of this name */
export async function insertList(
  tx: Queryable,
  tenantId: string,
  {
    id,
    name,
    kind,
    purpose,
    createdAt,
    sealed,
  }: Omit<ListRow, 'version' | 'completeSince' | 'entryCount' | 'changedAt'>,
): Promise<void> {
  await tx.query(
    `insert into value_list (id, tenant_id, name, kind, purpose, version, complete_since, entry_count, created_at, changed_at, sealed)
     values ($1, $2, $3, $4, $5, 0, 0, 0, $6, $6, $7)`,
    [id, tenantId, name, kind, purpose, createdAt, sealed],
  )
}

/** The name is free at once; maintenance deletes the entries. @returns whether there was such a list */
export async function markListDeleted(
  database: Queryable,
  tenantId: string,
  list: ListRow,
  now: number,
): Promise<boolean> {
  const rows = await database.query(
    'update value_list set name = $1, deleted_at = $2 where tenant_id = $3 and id = $4 and deleted_at is null returning name',
    [`deleted ${Buffer.from(list.id).toString('hex')}`, now, tenantId, list.id],
  )
  return rows.length > 0
}

/** The next version of a list, in the transaction that writes it: concurrent writers wait for each other. */
export async function nextVersion(
  tx: Queryable,
  id: Uint8Array,
  { added, now }: { added: number; now: number },
): Promise<Pick<ListRow, 'version' | 'entryCount'> | undefined> {
  const [row] = await tx.query<Pick<ListRow, 'version' | 'entryCount'>>(
    `update value_list set version = version + 1, entry_count = entry_count + $1, changed_at = $2
      where id = $3 and deleted_at is null returning version, entry_count as "entryCount"`,
    [added, now, id],
  )
  return row
}

/** Statements have 64, 8 or 1 entries, so that few texts are prepared. */
const sizes = [64, 8, 1] as const

const places = (rows: number, columns: number, from: number) =>
  Array.from(
    { length: rows },
    (_, row) => `(${Array.from({ length: columns }, (_, column) => `$${from + row * columns + column}`).join(', ')})`,
  ).join(', ')

const entryColumns = `value_hash as "valueHash", version, added_at as "addedAt", expires_at as "expiresAt", removed, sealed`

const findTexts = new Map(
  sizes.map((size) => [
    size,
    `select ${entryColumns} from list_entry where list_id = $1 and value_hash in (${Array.from({ length: size }, (_, i) => `$${i + 2}`).join(', ')})`,
  ]),
)

/** The entries with these hashes, removed ones included, in any order. */
export async function findEntries(
  database: Queryable,
  id: Uint8Array,
  hashes: readonly Uint8Array[],
): Promise<EntryRow[]> {
  const found: EntryRow[] = []
  for (const part of inSizes(hashes, sizes)) {
    found.push(...(await database.query<EntryRow>(findTexts.get(part.length as 1)!, [id, ...part])))
  }
  return found
}

const putTexts = new Map(
  sizes.map((size) => [
    size,
    `insert into list_entry (list_id, value_hash, tenant_hash, version, added_at, expires_at, removed, sealed)
     values ${places(size, 8, 1)}
     on conflict (list_id, value_hash) do update
       set version = excluded.version, added_at = excluded.added_at, expires_at = excluded.expires_at,
           removed = excluded.removed, sealed = excluded.sealed`,
  ]),
)

/** Stores entries, each hash once. */
export async function putEntries(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: Uint8Array },
  entries: readonly EntryRow[],
): Promise<void> {
  const tenant = tenantHash(tenantId)
  for (const part of inSizes(entries, sizes)) {
    const values = part.flatMap<SqlValue>(({ valueHash, version, addedAt, expiresAt, removed, sealed }) => [
      ...[id, valueHash, tenant, version],
      ...[addedAt, expiresAt, removed, sealed],
    ])
    await tx.query(putTexts.get(part.length as 1)!, values)
  }
}

/** A place in the changes of a list. */
export interface FeedPosition {
  readonly version: number
  readonly valueHash: Uint8Array
}

export const feedStart: FeedPosition = { version: 0, valueHash: new Uint8Array(0) }

const feedText = (columns: string) =>
  `select ${columns} from list_entry
    where list_id = $1 and (version, value_hash) > ($2, $3) order by version, value_hash limit $4`
const changeTexts = {
  withContent: feedText(entryColumns),
  withoutContent: feedText(
    `value_hash as "valueHash", version, added_at as "addedAt", expires_at as "expiresAt", removed`,
  ),
}

/**
 * The next changes of a list, oldest first, removed entries included. An entry that changes meanwhile moves to the end, so no reader
 * misses it.
 */
export async function changesAfter(
  database: Queryable,
  id: Uint8Array,
  { version, valueHash }: FeedPosition,
  { limit, content }: { limit: number; content: boolean },
): Promise<(Omit<EntryRow, 'sealed'> & { sealed?: Uint8Array })[]> {
  const text = content ? changeTexts.withContent : changeTexts.withoutContent
  return database.query(text, [id, version, valueHash, limit])
}

/**
 * Deletes at most `limit` entries that expired or were removed before this time. A server that has not read the removal yet then reads
 * the list again. @returns how many
 */
export async function dropEntriesBefore(tx: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await tx.query<{ id: Uint8Array; version: number; removed: number }>(
    `delete from list_entry where (list_id, value_hash) in
       (select list_id, value_hash from list_entry where expires_at < $1 order by expires_at limit ${limit})
     returning list_id as id, version, removed`,
    [before],
  )
  const lists = Map.groupBy(dropped, ({ id }) => Buffer.from(id).toString('hex'))
  for (const rows of lists.values()) {
    const newest = Math.max(...rows.map(({ version }) => version))
    await tx.query(
      `update value_list set entry_count = entry_count - $1,
              complete_since = case when complete_since < $2 then $2 else complete_since end
        where id = $3`,
      [rows.filter(({ removed }) => removed === 0).length, newest, rows[0]!.id],
    )
  }
  return dropped.length
}

/** Deletes at most `limit` entries of one deleted list, and the list when it has none. @returns whether there is more to delete */
export async function dropDeletedList(tx: Queryable, limit: number): Promise<boolean> {
  const [list] = await tx.query<{ id: Uint8Array }>(
    'select id from value_list where deleted_at is not null order by deleted_at limit 1',
  )
  if (!list) return false
  const dropped = await tx.query(
    `delete from list_entry where (list_id, value_hash) in
       (select list_id, value_hash from list_entry where list_id = $1 limit ${limit}) returning version`,
    [list.id],
  )
  if (dropped.length < limit) await tx.query('delete from value_list where id = $1', [list.id])
  return true
}

// What does the event log say of each user, device and number? One row for each, and who was seen with what.

import type { BatchStatement, Queryable, SqlValue } from '../../core/storage/database.ts'
import { tenantHash } from '../../core/storage/short-keys.ts'
import { groupsOf, inGroups, rowPlaces, valuesOf } from './groups.ts'

const entityKinds = ['user', 'device', 'number'] as const
export type EntityKind = (typeof entityKinds)[number]

export interface EntityKey {
  readonly kind: EntityKind
  /** 8 bytes of a keyed hash, as in events. */
  readonly hash: Uint8Array
}

export interface EntityRow extends EntityKey {
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly decisions: number
  readonly refused: number
  readonly badLabels: number
  readonly goodLabels: number
  /** Users of a device or number, devices of a user. */
  readonly shared: number
  readonly risk: number
  readonly sealed: Uint8Array
}

/** Who was seen with a device or number. */
export interface EntityLink extends EntityKey {
  readonly userHash: Uint8Array
}

const columns = `kind, hash, first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt", decisions, refused,
            bad_labels as "badLabels", good_labels as "goodLabels", shared, risk, sealed`

const rowOf = (row: EntityRow): EntityRow => ({
  ...row,
  ...{ decisions: Number(row.decisions), refused: Number(row.refused), shared: Number(row.shared) },
  ...{ badLabels: Number(row.badLabels), goodLabels: Number(row.goodLabels), risk: Number(row.risk) },
  ...{ firstSeenAt: Number(row.firstSeenAt), lastSeenAt: Number(row.lastSeenAt) },
})

export async function findEntities(
  database: Queryable,
  tenantId: string,
  keys: readonly EntityKey[],
): Promise<EntityRow[]> {
  const rows = await inGroups(keys, (group) =>
    database.query<EntityRow & Record<string, SqlValue>>(
      `select ${columns} from entity where tenant_hash = $1 and (kind, hash) in (${rowPlaces(2, 2)})`,
      [tenantHash(tenantId), ...group.flatMap(({ kind, hash }) => [kind, hash])],
    ),
  )
  return rows.map(rowOf)
}

/** A row to put. */
export interface ChangedEntity extends EntityRow {
  /** It is known, and only its last time, its decisions and its content are new: fewer indexes change. */
  readonly isSeenAgain: boolean
}

const seenColumns = ['last_seen_at', 'decisions', 'sealed']
const changedColumns = ['first_seen_at', 'refused', 'bad_labels', 'good_labels', 'shared', 'risk', ...seenColumns]

/** Replaces the rows. */
export const entitiesPut = (tenantId: string, entities: readonly ChangedEntity[]): BatchStatement[] => [
  ...rowsPut(
    tenantId,
    entities.filter(({ isSeenAgain }) => !isSeenAgain),
    changedColumns,
  ),
  ...rowsPut(
    tenantId,
    entities.filter(({ isSeenAgain }) => isSeenAgain),
    seenColumns,
  ),
]

const rowsPut = (tenantId: string, entities: readonly EntityRow[], changed: readonly string[]): BatchStatement[] =>
  groupsOf(entities).map((group) => ({
    sql: `insert into entity (tenant_hash, kind, hash, first_seen_at, last_seen_at, decisions, refused, bad_labels,
                              good_labels, shared, risk, sealed)
          values ${valuesOf(group.length, 12)}
          on conflict (tenant_hash, kind, hash) do update
            set ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    params: group.flatMap((row) => [
      ...[tenantHash(tenantId), row.kind, row.hash, row.firstSeenAt, row.lastSeenAt, row.decisions, row.refused],
      ...[row.badLabels, row.goodLabels, row.shared, row.risk, row.sealed],
    ]),
  }))

/** Those of these links that are known. */
export const findLinks = (database: Queryable, tenantId: string, links: readonly EntityLink[]): Promise<EntityLink[]> =>
  inGroups(links, (group) =>
    database.query<{ kind: EntityKind; hash: Uint8Array; userHash: Uint8Array }>(
      `select kind, hash, user_hash as "userHash" from entity_link
        where tenant_hash = $1 and (kind, hash, user_hash) in (${rowPlaces(2, 3)})`,
      [tenantHash(tenantId), ...group.flatMap(({ kind, hash, userHash }) => [kind, hash, userHash])],
    ),
  )

export const linksAdd = (tenantId: string, links: readonly EntityLink[]): BatchStatement[] =>
  groupsOf(links).map((group) => ({
    sql: `insert into entity_link (tenant_hash, kind, hash, user_hash) values ${valuesOf(group.length, 4)}
          on conflict (tenant_hash, kind, hash, user_hash) do nothing`,
    params: group.flatMap(({ kind, hash, userHash }) => [tenantHash(tenantId), kind, hash, userHash]),
  }))

/** The users that were seen with a device. */
export async function usersOfDevice(database: Queryable, tenantId: string, hash: Uint8Array): Promise<Uint8Array[]> {
  const links = await database.query<{ userHash: Uint8Array }>(
    `select user_hash as "userHash" from entity_link where tenant_hash = $1 and kind = 'device' and hash = $2`,
    [tenantHash(tenantId), hash],
  )
  return links.map(({ userHash }) => userHash)
}

/** The row of a device and its links. */
export const deviceDelete = (tenantId: string, hash: Uint8Array): BatchStatement[] =>
  ['entity_link', 'entity'].map((table) => ({
    sql: `delete from ${table} where tenant_hash = $1 and kind = 'device' and hash = $2`,
    params: [tenantHash(tenantId), hash],
  }))

/** Each of these users has one device less, for each time that it is here. A batch must not change a row twice. */
export function fewerShared(tenantId: string, users: readonly Uint8Array[]): BatchStatement[] {
  const byUser = Map.groupBy(users, (hash) => Buffer.from(hash).toString('hex'))
  return [...byUser.values()].map((its) => ({
    sql: `update entity set shared = case when shared > cast($3 as bigint) then shared - cast($3 as bigint) else 0 end
           where tenant_hash = $1 and kind = 'user' and hash = $2`,
    params: [tenantHash(tenantId), its[0]!, its.length],
  }))
}

/** Deletes a row and its links; what it was seen with has one less. @param tenant the hash of its id @returns how many rows */
export async function deleteEntity(tx: Queryable, tenant: Uint8Array, { kind, hash }: EntityKey): Promise<number> {
  if (kind === 'user') {
    await tx.query(
      `update entity set shared = shared - 1 where tenant_hash = $1 and shared > 0 and (kind, hash) in
         (select kind, hash from entity_link where tenant_hash = $1 and user_hash = $2)`,
      [tenant, hash],
    )
    await tx.query('delete from entity_link where tenant_hash = $1 and user_hash = $2', [tenant, hash])
  } else {
    if (kind === 'device')
      await tx.query(
        `update entity set shared = shared - 1 where tenant_hash = $1 and kind = 'user' and shared > 0 and hash in
           (select user_hash from entity_link where tenant_hash = $1 and kind = 'device' and hash = $2)`,
        [tenant, hash],
      )
    await tx.query('delete from entity_link where tenant_hash = $1 and kind = $2 and hash = $3', [tenant, kind, hash])
  }
  const deleted = await tx.query(
    'delete from entity where tenant_hash = $1 and kind = $2 and hash = $3 returning last_seen_at',
    [tenant, kind, hash],
  )
  return deleted.length
}

/** At most `limit` that were last seen before this time. */
export async function entitiesBefore(
  database: Queryable,
  before: number,
  limit: number,
): Promise<(EntityKey & { readonly tenant: Uint8Array })[]> {
  return database.query(
    `select tenant_hash as tenant, kind, hash from entity where last_seen_at < $1 order by last_seen_at limit ${limit}`,
    [before],
  )
}

/** By which column a filter sorts, largest first. */
export type EntityOrder = 'risk' | 'firstSeenAt' | 'shared' | 'lastSeenAt'
const orderColumns: Readonly<Record<EntityOrder, string>> = {
  risk: 'risk',
  firstSeenAt: 'first_seen_at',
  shared: 'shared',
  lastSeenAt: 'last_seen_at',
}

export interface EntityPlace {
  readonly value: number
  readonly hash: Uint8Array
}

/** The next rows after a place. @param least rows with less are left out */
export async function listEntities(
  database: Queryable,
  tenantId: string,
  {
    kind,
    order,
    least,
    after,
    limit,
  }: {
    readonly kind: EntityKind
    readonly order: EntityOrder
    readonly least: number
    readonly after: EntityPlace | undefined
    readonly limit: number
  },
): Promise<EntityRow[]> {
  const column = orderColumns[order]
  const rows = await database.query<EntityRow & Record<string, SqlValue>>(
    `select ${columns} from entity
      where tenant_hash = $1 and kind = $2 and ${column} >= $3 ${after ? `and (${column}, hash) < ($4, $5)` : ''}
      order by ${column} desc, hash desc limit ${limit}`,
    [tenantHash(tenantId), kind, least, ...(after ? [after.value, after.hash] : [])],
  )
  return rows.map(rowOf)
}

/** What a search by the first characters reads of a row. */
export type SealedEntity = Pick<EntityRow, 'hash' | 'lastSeenAt' | 'sealed'>

/** Those that were seen last, by the index `entity_by_last_seen`. Only what a search needs: it reads thousands. */
export async function sealedEntities(
  database: Queryable,
  tenantId: string,
  {
    kind,
    after,
    limit,
  }: { readonly kind: EntityKind; readonly after: EntityPlace | undefined; readonly limit: number },
): Promise<SealedEntity[]> {
  const rows = await database.query<SealedEntity & Record<string, SqlValue>>(
    `select hash, last_seen_at as "lastSeenAt", sealed from entity
      where tenant_hash = $1 and kind = $2 ${after ? 'and (last_seen_at, hash) < ($3, $4)' : ''}
      order by last_seen_at desc, hash desc limit ${limit}`,
    [tenantHash(tenantId), kind, ...(after ? [after.value, after.hash] : [])],
  )
  return rows.map((row) => ({ ...row, lastSeenAt: Number(row.lastSeenAt) }))
}

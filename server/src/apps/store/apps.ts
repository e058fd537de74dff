// Which apps exist? Each with a public id, the names it is known by, and the settings of its owner.

import type { Queryable } from '../../core/storage/database.ts'

export interface AppRow {
  id: string
  tenantId: string
  name: string
  origins: readonly string[]
  bundleIds: readonly string[]
  packageNames: readonly string[]
  /** Only those that the owner has set (apps/app-settings.ts has the others). */
  settings: object
  createdAt: number
  disabledAt: number | null
  /** SDK sessions that began before this time are refused. Epoch milliseconds. */
  sessionsRevokedBefore: number | null
}

type Content = Omit<AppRow, 'tenantId' | 'createdAt' | 'disabledAt' | 'sessionsRevokedBefore'>

interface Row extends Omit<AppRow, 'origins' | 'bundleIds' | 'packageNames' | 'settings'> {
  origins: string
  bundleIds: string
  packageNames: string
  settings: string
}

const columns =
  'id, tenant_id as "tenantId", name, origins, bundle_ids as "bundleIds", package_names as "packageNames", settings, created_at as "createdAt", disabled_at as "disabledAt", sessions_revoked_before as "sessionsRevokedBefore"'

const parsed = (row: Row): AppRow => ({
  ...row,
  origins: JSON.parse(row.origins),
  bundleIds: JSON.parse(row.bundleIds),
  packageNames: JSON.parse(row.packageNames),
  settings: JSON.parse(row.settings),
})

/** Call it in a transaction: the app and the list of its origins change together. */
export async function insertApp(tx: Queryable, app: Content & Pick<AppRow, 'tenantId' | 'createdAt'>): Promise<void> {
  await tx.query(
    `insert into app (id, tenant_id, name, origins, bundle_ids, package_names, settings, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [app.id, app.tenantId, ...contentOf(app), app.createdAt],
  )
  await insertOrigins(tx, app)
}

/** Call it in a transaction, as `insertApp`. */
export async function replaceApp(tx: Queryable, app: Content): Promise<void> {
  await tx.query(
    'update app set name = $2, origins = $3, bundle_ids = $4, package_names = $5, settings = $6 where id = $1',
    [app.id, ...contentOf(app)],
  )
  await tx.query('delete from app_origin where app_id = $1', [app.id])
  await insertOrigins(tx, app)
}

const contentOf = ({ name, origins, bundleIds, packageNames, settings }: Content) => [
  name,
  ...[origins, bundleIds, packageNames, settings].map((part) => JSON.stringify(part)),
]

async function insertOrigins(tx: Queryable, { id, origins }: Pick<AppRow, 'id' | 'origins'>): Promise<void> {
  for (const origin of new Set(origins)) {
    await tx.query('insert into app_origin (origin, app_id) values ($1, $2)', [origin, id])
  }
}

export async function findAppRow(database: Queryable, id: string): Promise<AppRow | undefined> {
  const [row] = await database.query<Row>(`select ${columns} from app where id = $1`, [id])
  return row && parsed(row)
}

/** Whether the tenant has an app; disabled ones count. */
export async function hasApp(database: Queryable, tenantId: string): Promise<boolean> {
  const found = await database.query('select id from app where tenant_id = $1 limit 1', [tenantId])
  return found.length > 0
}

/** In the order of creation; without `tenantId`, the apps of every tenant. */
export async function listAppRows(database: Queryable, tenantId?: string): Promise<AppRow[]> {
  const order = 'order by created_at, id'
  const rows =
    tenantId === undefined
      ? await database.query<Row>(`select ${columns} from app ${order}`)
      : await database.query<Row>(`select ${columns} from app where tenant_id = $1 ${order}`, [tenantId])
  return rows.map(parsed)
}

export async function disableApp(database: Queryable, id: string, at: number): Promise<void> {
  await database.query('update app set disabled_at = $2 where id = $1 and disabled_at is null', [id, at])
}

/** Sessions that began before `before` are over. An earlier time changes nothing. */
export async function revokeSessions(database: Queryable, id: string, before: number): Promise<void> {
  await database.query(
    'update app set sessions_revoked_before = $2 where id = $1 and coalesce(sessions_revoked_before, 0) < $2',
    [id, before],
  )
}

/** Whether any app lists this origin, under either of its two keys (apps/package.ts). */
export async function isListedOrigin(
  database: Queryable,
  [key = '', other = key]: readonly string[],
): Promise<boolean> {
  const found = await database.query('select app_id from app_origin where origin = $1 or origin = $2 limit 1', [
    key,
    other,
  ])
  return found.length > 0
}

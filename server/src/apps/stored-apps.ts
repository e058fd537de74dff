// Which apps are stored? Each with all its settings: the owner's, and the default of every other one.

import type { Queryable } from '../core/storage/database.ts'
import type { App } from './app.ts'
import { appSettings } from './app-settings.ts'
import { type AppRow, findAppRow, listAppRows } from './store/apps.ts'

export interface StoredApp extends App {
  /** Epoch milliseconds. */
  createdAt: number
  disabledAt: number | null
  /** SDK sessions that began before this time are refused. Epoch milliseconds. */
  sessionsRevokedBefore: number | null
}

export async function findApp(database: Queryable, id: string): Promise<StoredApp | undefined> {
  const row = await findAppRow(database, id)
  return row && withAllSettings(row)
}

/** In the order of creation; without `tenantId`, the apps of every tenant. */
export async function listApps(database: Queryable, tenantId?: string): Promise<StoredApp[]> {
  return (await listAppRows(database, tenantId)).map(withAllSettings)
}

const withAllSettings = (row: AppRow): StoredApp => ({ ...row, settings: appSettings(row.settings) })

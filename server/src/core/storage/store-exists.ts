// Is there a store in this place? Asked before one is opened that nobody has created: the place may be mistyped.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { StorageUnavailable } from './database.ts'
import { isPostgresUrl } from './open-database.ts'
import { sqliteFileName } from './sqlite/sqlite.ts'

/** @throws StorageUnavailable when the folder cannot be searched, or PostgreSQL cannot be reached */
export async function storeExists(place: string): Promise<boolean> {
  if (!isPostgresUrl(place)) return fileExists(join(place, sqliteFileName))
  const { openPostgres } = await import('./postgres/postgres.ts')
  const database = await openPostgres(place)
  try {
    const [row] = await database.query<{ ledger: string | null }>(
      "select cast(to_regclass('schema_migration') as text) as ledger",
    )
    return typeof row?.ledger === 'string'
  } finally {
    await database.close()
  }
}

/** A folder that this user may not search is not an empty one: whoever creates a store there believes that the data is lost. */
function fileExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return false
    throw new StorageUnavailable(`Cannot open ${path}: ${message}`, { cause })
  }
}

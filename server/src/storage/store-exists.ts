// Is there a store in this place? Asked before one is opened that nobody has created: the place may be mistyped.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isPostgresUrl } from './open-database.ts'
import { openPostgres } from './postgres/postgres.ts'
import { sqliteFileName } from './sqlite/sqlite.ts'

/** @throws StorageUnavailable when PostgreSQL cannot be reached */
export async function storeExists(place: string): Promise<boolean> {
  if (!isPostgresUrl(place)) return existsSync(join(place, sqliteFileName))
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

// Can the workers of this configuration run, and does PostgreSQL have connections for them?

import { broken, type Finding, ok, unknown, warning } from '@ringfence/server/admin/doctor/finding.ts'
import type { Settings } from '@ringfence/server/core/config/settings.ts'
import { processesOf } from '@ringfence/server/core/servers/processes.ts'
import type { Database } from '@ringfence/server/core/storage/database.ts'

const subject = 'workers'
/** For Patroni, backups and people. */
const reserved = 20

/** None with one process. */
export async function workerFindings(database: Database, settings: Settings): Promise<Finding[]> {
  const { workers, databaseReadConnections, databaseWriteConnections } = settings
  if (workers === '1') return []
  if (database.engine === 'sqlite') {
    return [
      broken(subject, 'the embedded store has one process', 'use PostgreSQL (DATABASE_URL), or leave out WORKERS'),
    ]
  }
  const count = processesOf(settings)
  const [found] = await database
    .query<{ most: number }>("select cast(setting as integer) as most from pg_settings where name = 'max_connections'")
    .catch(() => [])
  if (!found) return [unknown(subject, 'PostgreSQL does not say how many connections it has')]
  const needed = count * (databaseReadConnections + databaseWriteConnections)
  const text = `${count} workers need ${needed} of ${found.most} connections`
  if (needed <= found.most - reserved) return [ok(subject, text)]
  const todo = `raise max_connections, or lower WORKERS, DATABASE_READ_CONNECTIONS or DATABASE_WRITE_CONNECTIONS: ${reserved} should be left`
  return [warning(subject, text, todo)]
}

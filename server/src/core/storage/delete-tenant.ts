// What goes with a tenant? Each row that names it, or one of its clients, apps, devices or receivers.

import type { Database } from './database.ts'
import { readMigrations } from './migrate.ts'
import { tenantHash } from './short-keys.ts'

/** Tables whose rows name something of the tenant, and what: their rows go before it. */
const children: readonly (readonly [parent: string, key: string, tables: readonly string[]])[] = [
  ['client', 'client_id', ['client_secret', 'client_public_key']],
  ['app', 'app_id', ['app_origin', 'stored_bytes', 'attested_key', 'keystore_key']],
  ['event_receiver', 'receiver_id', ['event_lease']],
]

/**
 * Deletes a tenant. May run again after it was interrupted, and on two servers at once. What only its keys can find, such as velocities,
 * stays until its retention ends.
 */
export async function deleteTenant(database: Database, tenantId: string): Promise<void> {
  const hash = tenantHash(tenantId)
  // Keys and apps go first, so that no further call adds rows.
  for (const [parent, key, tables] of children)
    for (const table of tables)
      await database.query(`delete from ${table} where ${key} in (select id from ${parent} where tenant_id = $1)`, [
        tenantId,
      ])
  for (const table of ['client', 'app']) await database.query(`delete from ${table} where tenant_id = $1`, [tenantId])
  // Without the installation, nothing would find them.
  for (const table of ['device_key', 'new_device_key', 'account_device'])
    await database.query(
      `delete from ${table} where device_id in (select device_id from installation where tenant_id = $1)`,
      [tenantId],
    )
  await database.query(
    'delete from device_history where device_hash in (select device_hash from device_analysis where tenant_hash = $1)',
    [hash],
  )
  for (const [table, column] of await tablesOfTenant())
    await database.query(`delete from ${table} where ${column} = $1`, [column === 'tenant_id' ? tenantId : hash])
  await database.query('delete from tenant where id = $1', [tenantId])
}

/** From the schema, so that a new table is among them. */
async function tablesOfTenant(): Promise<(readonly [table: string, column: string])[]> {
  const sql = (await readMigrations()).map((migration) => migration.sql.replaceAll(/--.*/g, '')).join('\n')
  return [...sql.matchAll(/create table (\w+) \(\n(.*?)\n\)/gs)].flatMap(([, table = '', body = '']) => {
    const column = /^ {2}(tenant_id|tenant_hash) /m.exec(body)?.[1]
    // A demo is a row of the tenant that it was made for.
    return column && table !== 'demo' ? [[table, column] as const] : []
  })
}

// Which versions do tests of upgrades have before one is released? This one, and two made-up later ones to which it is the earlier one.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMigrations } from '../core/storage/migrate.ts'
import type { Migration } from '../core/storage/upgrade/migration.ts'

export const thisVersion = await readMigrations()
const numberOf = (more: number) => String(thisVersion.length + more).padStart(4, '0')
/** The number of the migration that servers need after `versionAfterNext`. */
export const needed = numberOf(1)

/** Columns, a table and indexes for the tables that traffic writes most. */
const expand: Migration = {
  name: `${needed}-expand`,
  sql: `-- A row is made up. Found by id. Never deleted.
create table made_up (
  id text not null primary key
);
alter table installation add column made_up integer not null default 7;
alter table device_analysis add column made_up text;
alter table token add column made_up text;
create index /* postgres: concurrently */ token_by_made_up on token (made_up, tenant_id);
create index /* postgres: concurrently */ installation_by_made_up on installation (made_up, first_seen_at);
`,
}
const contract: Migration = {
  name: `${numberOf(2)}-contract`,
  sql: `-- contract: servers need ${needed}
drop index if exists token_by_made_up;
alter table token drop column made_up;
`,
}

export const nextVersion: readonly Migration[] = [...thisVersion, expand]
export const versionAfterNext: readonly Migration[] = [...nextVersion, contract]

/** Writes what `readMigrations` reads from a folder: all but the first, which is the schema. */
export async function writeMigrations(folder: string, migrations: readonly Migration[]): Promise<void> {
  for (const { name, sql } of migrations.slice(1)) await writeFile(join(folder, `${name}.sql`), sql)
}

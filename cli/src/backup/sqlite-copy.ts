// How is the embedded store copied while a server uses it, and how is a copy verified?

import { DatabaseSync } from 'node:sqlite'
import { CommandFailed } from '../failure.ts'
import { refuseOtherSchema } from './sqlite-schema.ts'

export interface StoreContent {
  migrations: string[]
  /** Rows of each table. */
  tables: Record<string, number>
}

/**
 * Copies a consistent state into a new file. It is one read transaction in this process: the server goes on reading and
 * writing, and only its log (`-wal`) grows meanwhile.
 */
export function copySqlite(from: string, to: string): void {
  const database = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
  try {
    database.prepare('vacuum into ?').run(to)
  } finally {
    database.close()
  }
}

/**
 * What a copy contains. Nothing in it runs before its schema is known to be ours.
 * @param migrations whose schema it must have. Default: those that it names, for a copy of the own store
 * @throws CommandFailed when its pages, indexes or references are damaged, or its schema is not ours
 */
export async function checkedSqlite(file: string, migrations?: readonly string[]): Promise<StoreContent> {
  const database = new DatabaseSync(file, { readOnly: true, defensive: true })
  try {
    database.exec('pragma trusted_schema = off; pragma cell_size_check = on')
    await refuseOtherSchema(database, migrations ?? migrationsOf(database))
    const problems = database
      .prepare('pragma integrity_check(5)')
      .all()
      .map(({ integrity_check }) => String(integrity_check))
    if (problems.join() !== 'ok')
      throw new CommandFailed(`the store is damaged: ${problems[0]}. Restore an earlier backup`)
    const [dangling] = database.prepare('pragma foreign_key_check').all()
    if (dangling) throw new CommandFailed(`the store is damaged: a row of ${String(dangling.table)} refers to nothing`)
    const names = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
      .all()
      .map(({ name }) => String(name))
    return {
      migrations: migrationsOf(database),
      tables: Object.fromEntries(
        names.map((name) => [name, Number(database.prepare(`select count(*) as n from "${name}"`).get()?.n)]),
      ),
    }
  } finally {
    database.close()
  }
}

const migrationsOf = (database: DatabaseSync): string[] =>
  database
    .prepare('select name from schema_migration order by name')
    .all()
    .map(({ name }) => String(name))

// How is the embedded store copied while a server uses it, and how is a copy verified?

import { DatabaseSync } from 'node:sqlite'
import { CommandFailed } from '../failure.ts'

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

/** A trigger in a store would run with each write of the server. */
export const notOurs = (type: string, name: string) =>
  `the store has a ${type} (${name}), which Ringfence never makes and which may change or copy data: remove it, or use another backup`

/** What a copy contains. @throws CommandFailed when its pages, indexes or references are damaged, or it has more than tables */
export function checkedSqlite(file: string): StoreContent {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const problems = database
      .prepare('pragma integrity_check(5)')
      .all()
      .map(({ integrity_check }) => String(integrity_check))
    if (problems.join() !== 'ok')
      throw new CommandFailed(`the store is damaged: ${problems[0]}. Restore an earlier backup`)
    const [dangling] = database.prepare('pragma foreign_key_check').all()
    if (dangling) throw new CommandFailed(`the store is damaged: a row of ${String(dangling.table)} refers to nothing`)
    const [foreign] = database
      .prepare("select type, name from sqlite_schema where type not in ('table', 'index') limit 1")
      .all()
    if (foreign) throw new CommandFailed(notOurs(String(foreign.type), String(foreign.name)))
    const names = database
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
      .all()
      .map(({ name }) => String(name))
    return {
      migrations: database
        .prepare('select name from schema_migration order by name')
        .all()
        .map(({ name }) => String(name)),
      tables: Object.fromEntries(
        names.map((name) => [name, Number(database.prepare(`select count(*) as n from "${name}"`).get()?.n)]),
      ),
    }
  } finally {
    database.close()
  }
}

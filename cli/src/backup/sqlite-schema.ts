// Does an embedded store have exactly the tables and indexes that our migrations make?

import { DatabaseSync } from 'node:sqlite'
import { readMigrations } from '@ringfence/server/core/storage/migrate.ts'
import { createLedger } from '@ringfence/server/core/storage/upgrade/ledger.ts'
import { type Migration, sqliteStatements } from '@ringfence/server/core/storage/upgrade/migration.ts'
import { CommandFailed } from '../failure.ts'

/** A trigger in a store would run with each write of the server. */
export const notOurs = (type: string, name: string) =>
  `the store has the ${type} ${name}, which Ringfence never makes and which may change or copy data: remove it, or use another backup`

/**
 * Compares the schema with the one that these migrations make. Defaults, checks, generated columns and expressions of indexes run
 * when rows are read or written, so this comes before any other statement. Migrations that only a newer version knows are left to it.
 * @throws CommandFailed that names the first difference
 */
export async function refuseOtherSchema(database: DatabaseSync, names: readonly string[]): Promise<void> {
  const migrations = await readMigrations()
  if (names.some((name) => migrations.every((known) => known.name !== name))) return
  const { required, allowed } = await ownSchema(migrations.slice(0, names.length))
  const found = schemaOf(database)
  for (const { type, name, key, sql } of found) {
    const own = allowed.find((each) => each.key === key)
    if (!own) throw new CommandFailed(notOurs(type, name))
    if (own.sql !== sql)
      throw new CommandFailed(
        `the ${type} ${name} of the store differs from the one that Ringfence makes, which may change or copy data: use another backup`,
      )
  }
  const missing = required.find(({ key }) => found.every((each) => each.key !== key))
  if (missing)
    throw new CommandFailed(`the store lacks the ${missing.type} ${missing.name} of its version: use another backup`)
}

/** Not required: a table that `createLedger` makes at a start, if an older version did not, and the statistics of `analyze`. */
async function ownSchema(migrations: readonly Migration[]) {
  const database = new DatabaseSync(':memory:')
  try {
    for (const statement of migrations.flatMap(sqliteStatements)) database.exec(statement)
    const required = schemaOf(database)
    await createLedger({ query: async <R>(sql: string) => database.prepare(sql).all() as R[] })
    database.exec('analyze')
    return { required, allowed: schemaOf(database) }
  } finally {
    database.close()
  }
}

const schemaOf = (database: DatabaseSync) =>
  database
    .prepare('select type, name, tbl_name, sql from sqlite_schema')
    .all()
    .map(({ type, name, tbl_name, sql }) => ({
      ...{ type: String(type), name: String(name), key: JSON.stringify([type, name, tbl_name]) },
      sql: normalised(String(sql ?? '')),
    }))

/** Strings and quoted names, which stay, and what SQLite skips. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|(?:--[^\n]*|\/\*[\s\S]*?\*\/|[ \t\n\f\r])+/g

/** Comments and white space differ between versions, since `checksumOf` ignores them. */
const normalised = (sql: string) => sql.replace(tokens, (token) => (/^['"`[]/.test(token) ? token : ' ')).trim()

// What does a migration change, and which of it may block or exclude a server that runs?

import { createHash } from 'node:crypto'
import { splitStatements } from '../statement.ts'

export interface Migration {
  /** `NNNN-what-it-adds`, the name of the file. */
  readonly name: string
  readonly sql: string
}

/** An index over a table that may be large. PostgreSQL builds it after the migration, while writes go on. */
export interface LaterIndex {
  readonly name: string
  readonly statement: string
}

/** This program must not use this database. The message says why, and what to do. */
export class MigrationRefused extends Error {
  override name = 'MigrationRefused'
  readonly reason: string
  readonly todo: string
  constructor(reason: string, todo: string) {
    super(`${reason}. ${todo}`)
    this.reason = reason
    this.todo = todo
  }
}

/** Ignores comments and white space, which may change later: `--` occurs in no text of a migration. */
export function checksumOf({ sql }: Migration): string {
  const statements = withoutComments(sql).replaceAll(/\s+/g, ' ').trim()
  return createHash('sha256').update(statements).digest('hex')
}

/**
 * From `-- contract: servers need 0012`: servers that know fewer migrations use what this one removes. Undefined: none does.
 * @throws Error when the line has another form, or names a migration that the servers of the previous version cannot know
 */
export function contractOf({ name, sql }: Migration): number | undefined {
  const line = /^-- contract:.*$/m.exec(sql)?.[0]
  if (line === undefined) return undefined
  const needed = Number(/^-- contract: servers need (\d{4})$/.exec(line)?.[1] ?? Number.NaN)
  if (needed < Number(name.slice(0, 4))) return needed
  throw new Error(
    `Migration ${name}: write \`-- contract: servers need NNNN\`, with an earlier migration, instead of \`${line}\``,
  )
}

/** The statements for SQLite. What only SQLite accepts is in a comment: `/* sqlite: without rowid *\/`. */
export function sqliteStatements({ sql }: Migration): string[] {
  return splitStatements(sql.replace(/\/\* sqlite: (.*?) \*\//g, '$1'))
}

/**
 * The statements of the transaction on PostgreSQL, and what is built after it: `create index /* postgres: concurrently *\/ …`. Any other text
 * in such a comment is what only PostgreSQL accepts.
 */
export function postgresStatements({ sql }: Migration): { now: string[]; later: LaterIndex[] } {
  const now: string[] = []
  const later: LaterIndex[] = []
  const ownText = sql.replace(/\/\* postgres: (?!concurrently)(.*?) \*\//g, '$1')
  for (const statement of splitStatements(ownText)) {
    const parts = /^(create (?:unique )?index) \/\* postgres: concurrently \*\/ (\w+) ([\s\S]+)$/.exec(
      withoutComments(statement).trim(),
    )
    if (!parts) now.push(statement)
    else later.push({ name: parts[2]!, statement: `${parts[1]} concurrently if not exists ${parts[2]} ${parts[3]}` })
  }
  return { now, later }
}

/** The indexes that the statements drop. */
export function droppedIndexes(statements: readonly string[]): string[] {
  return statements.flatMap((text) => /^drop index (?:if exists )?(\w+)/.exec(withoutComments(text).trim())?.[1] ?? [])
}

const withoutComments = (sql: string) => sql.replaceAll(/--.*/g, '')

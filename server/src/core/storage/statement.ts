// How does one SQL text run on both engines? Finds its placeholders and its end, and refuses what it must not contain.

import type { BatchStatement, Queryable, SqlValue } from './database.ts'

/** Strings, quoted names and comments, which are skipped, and placeholders and semicolons outside of them. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)|;/g

const transactionControl = /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release)\b/i

/** A statement that begins like this only reads. */
const reads = /^\s*select\b/i
/** Deletes, and inserts of rows that may exist: without `returning`, a second run changes and answers the same as the first. */
const repeatable = /^\s*(?:delete\s+from\b|insert\s+into\b[\s\S]*\bon\s+conflict\b[\s\S]*\bdo\s+nothing\s*$)/i

export interface Statement {
  /** The text with `?1 … ?n` in place of `$1 … $n`. */
  readonly sqliteText: string
  /** Number of values. */
  readonly parameters: number
  readonly reads: boolean
  /** Whether it may run twice, when nobody can say whether the first run was committed. */
  readonly repeatable: boolean
}

/**
 * Reads a statement before it is prepared.
 * @throws Error when the text has no statement, or several (SQLite would run only the first), or controls transactions, which only
 *   `transaction()` may do
 */
export function readStatement(sql: string): Statement {
  if (splitStatements(sql).length !== 1) throw new Error(`One statement per query: ${sql}`)
  if (transactionControl.test(withoutComments(sql))) throw new Error(`Use transaction() instead of: ${sql}`)
  let parameters = 0
  const sqliteText = sql.replace(tokens, (token, number?: string) => {
    if (number === undefined) return token
    parameters = Math.max(parameters, Number(number))
    return `?${number}`
  })
  const isRead = reads.test(sql)
  return {
    sqliteText,
    parameters,
    reads: isRead,
    repeatable: isRead || (repeatable.test(sql) && !/\breturning\b/i.test(sql)),
  }
}

/**
 * One statement of PostgreSQL that runs all of these or none, since a statement is atomic. It fails with a division by zero when a
 * required one returns no row.
 */
export function jointStatement(statements: readonly BatchStatement[]): string {
  let before = 0
  const parts = statements.map(({ sql }, place) => {
    const { parameters } = readStatement(sql)
    const text = sql.replace(tokens, (token, number?: string) => (number ? `$${Number(number) + before}` : token))
    before += parameters
    return `part${place} as (${text}\n)`
  })
  const checks = statements.flatMap(({ required }, place) =>
    required ? [`1 / (select count(*) from part${place})`] : [],
  )
  return `with ${parts.join(', ')} select ${['1', ...checks].join(', ')}`
}

/** The statements of a script, in order, without semicolons and without parts that are only comments. */
export function splitStatements(script: string): string[] {
  const ends = [...script.matchAll(tokens)].filter(([token]) => token === ';').map(({ index }) => index)
  return [...ends, script.length]
    .map((end, i) => script.slice(i === 0 ? 0 : ends[i - 1]! + 1, end).trim())
    .filter((statement) => withoutComments(statement).trim() !== '')
}

function withoutComments(sql: string): string {
  return sql.replace(tokens, (token) => (/^(?:--|\/\*)/.test(token) ? '' : token))
}

/**
 * Refuses values that the engines handle differently: SQLite binds a missing value as null, and stores NaN as null and text with
 * U+0000 unchanged; PostgreSQL refuses all of these.
 */
export function checkParameters(sql: string, { parameters }: Statement, values: readonly SqlValue[]): void {
  if (values.length !== parameters) throw new TypeError(`${parameters} values expected, ${values.length} given: ${sql}`)
  for (let i = 0; i < parameters; i++) {
    const value = values[i]
    if (typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'string' && value.includes('\0')) {
      throw new TypeError(`$${i + 1} is not finite or contains U+0000: ${sql}`)
    }
  }
}

/** How many rows a statement with `returning` touched. */
export const countRows = async (tx: Queryable, sql: string, params: readonly SqlValue[]): Promise<number> =>
  (await tx.query(sql, params)).length

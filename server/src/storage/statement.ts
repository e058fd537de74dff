// How does one SQL text read on both engines? Where its placeholders stand, where it ends, and what it must not hold.

import type { SqlValue } from './database.ts'

/** String, quoted name and comments are passed over; what remains are placeholders and the ends of statements. */
const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\d+)|;/g

const transactionControl = /^\s*(?:begin|start|commit|end|rollback|abort|savepoint|release)\b/i

export interface Statement {
  /** The text with `?1 … ?n` for `$1 … $n`, as SQLite counts its parameters. */
  readonly sqliteText: string
  /** How many values it takes. */
  readonly parameters: number
}

/**
 * Reads a statement once, before it is prepared and kept.
 * @throws Error when the text holds no or several statements (SQLite would run the first and forget the rest) or
 *   controls transactions, which `transaction()` alone does
 */
export function readStatement(sql: string): Statement {
  if (splitStatements(sql).length !== 1) throw new Error(`One statement per query, please: ${sql}`)
  if (transactionControl.test(withoutComments(sql))) throw new Error(`Use transaction() instead of: ${sql}`)
  let parameters = 0
  const sqliteText = sql.replace(tokens, (token, number?: string) => {
    if (number === undefined) return token
    parameters = Math.max(parameters, Number(number))
    return `?${number}`
  })
  return { sqliteText, parameters }
}

/** The statements of a script, in order, without the semicolons between them and without pure comment. */
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
 * Refuses values that the engines would take differently: SQLite binds a missing one as null, stores NaN as null and
 * text with U+0000 as it is; PostgreSQL takes none of these.
 */
export function checkParameters(sql: string, { parameters }: Statement, values: readonly SqlValue[]): void {
  if (values.length !== parameters) throw new TypeError(`${parameters} values wanted, ${values.length} given: ${sql}`)
  for (let i = 0; i < parameters; i++) {
    const value = values[i]
    if (typeof value === 'number' ? !Number.isFinite(value) : typeof value === 'string' && value.includes('\0')) {
      throw new TypeError(`$${i + 1} is not finite or holds U+0000: ${sql}`)
    }
  }
}

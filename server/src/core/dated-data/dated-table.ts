// Which tables change without a release? Each comes with the code, has a date, and gives way to a newer one.

import Type, { type Static, type TObject } from 'typebox'
import { compileOnUse } from '../json/compile-on-use.ts'

/** A table cannot be used. The message says why, as the end of a sentence that begins with the table. */
export class TableRefused extends Error {
  override name = 'TableRefused'
}

/** A day of ISO 8601. */
export const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })

export interface Dated {
  /** The day of the data, YYYY-MM-DD. */
  readonly asOf: string
}

export interface DatedTable<Content extends Dated = Dated> {
  readonly shipped: Content
  /** The table in use. The same object until it is replaced. */
  current(): Content
  /** Uses another table from now on, in the whole process. */
  use(content: Content): void
  /** The table in a text. Throws TableRefused. */
  read(text: string): Content
  /** The table without a date, if the text has the form in which others publish it. */
  published?(text: string): object | undefined
}

export interface TableDefinition<Schema extends TObject> {
  readonly schema: Schema
  readonly shipped: Static<Schema> & Dated
  /** Says what the schema cannot: why a table that fits it is not plausible. */
  implausible?(content: Static<Schema> & Dated): string | undefined
  readonly published?: DatedTable['published']
}

/**
 * A table of the process, as the code that it comes with: its readers are pure functions that are called everywhere
 * (docs/decisions/0088-dated-data.md).
 */
export function datedTable<Schema extends TObject>({
  schema,
  shipped,
  implausible,
  published,
}: TableDefinition<Schema>): DatedTable<Static<Schema> & Dated> {
  type Content = Static<Schema> & Dated
  const check = compileOnUse(schema)
  let inUse: Content = shipped
  return {
    shipped,
    ...(published && { published }),
    current: () => inUse,
    use(content) {
      inUse = content
    },
    read(text) {
      const found = parsed(text)
      if (!check.Check(found)) {
        const [{ instancePath = '', message = 'has another form' } = {}] = check.Errors(found)
        throw new TableRefused(`${instancePath || 'it'} ${message}`)
      }
      const content = found as Content
      if (Number.isNaN(Date.parse(content.asOf))) throw new TableRefused('/asOf is not a date such as 2026-11-01')
      const problem = implausible?.(content)
      if (problem) throw new TableRefused(problem)
      return content
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new TableRefused('it is not valid JSON', { cause })
  }
}

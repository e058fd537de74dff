// Which time limits end a statement here? Those of the program, unless a pooler in between drops them.

import type { Queryable } from '../database.ts'

/** Milliseconds; 0: no limit. */
export interface TimeLimits {
  readonly statement: number
  readonly lock: number
}

/** The limits of the role, the database or the pooler, when those of the program do not arrive. Otherwise undefined. */
export async function limitsOfOthers(database: Queryable): Promise<TimeLimits | undefined> {
  const limits = await database.query<{ name: string; ms: number; source: string }>(
    `select name, cast(setting as bigint) as ms, source from pg_settings
     where name in ('statement_timeout', 'lock_timeout')`,
  )
  // `client`: a start parameter of this connection.
  if (limits.every(({ source }) => source === 'client')) return undefined
  const limit = (name: string) => limits.find((each) => each.name === name)?.ms ?? 0
  return { statement: limit('statement_timeout'), lock: limit('lock_timeout') }
}

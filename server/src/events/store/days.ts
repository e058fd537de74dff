// Where are the events of a day? On PostgreSQL in a table for that day: its indexes are small, and it expires as a whole.

import type { Database } from '../../core/storage/database.ts'
import { lowestIdAt } from '../../core/storage/ids/event-id.ts'

const dayMs = 86_400_000
/** A search looks into each table: with a longer retention they are of several days. */
const mostTables = 60
/** A server that is down for less than this finds its tables there. */
const daysAhead = 3
/** A row of `event_other` is in the way, or a table of another span; or another server makes the same one. */
const notNow = new Set(['23514', '42P17', '42P07', '23505'])

/** Days since 1970. */
interface Span {
  readonly start: number
  readonly days: number
}

const nameOf = ({ start, days }: Span) =>
  `event_${new Date(start * dayMs).toISOString().slice(0, 10).replaceAll('-', '_')}_${days}`
const boundAt = (day: number) => `'\\x${Buffer.from(lowestIdAt(day * dayMs)).toString('hex')}'`

/**
 * Makes the tables of today and the days after it.
 * Events that came before the table of their day stay in `event_other`, with those of the rest of that day.
 * @throws LockTimeout while somebody reads events for long, such as a backup
 */
export async function makeEventDays(database: Database, now: number, eventDays: number): Promise<void> {
  if (database.engine !== 'postgres') return
  const existing = new Set((await spansOf(database)).map(nameOf))
  const days = Math.ceil(eventDays / mostTables)
  const today = Math.floor(now / dayMs)
  for (let start = today - (today % days); start <= today + daysAhead; start += days) {
    const name = nameOf({ start, days })
    if (existing.has(name) || (await hasOthers(database, start, start + days))) continue
    const statement = `create table if not exists ${name} partition of event for values from (${boundAt(start)}) to (${boundAt(start + days)})`
    try {
      await change(database, statement)
    } catch (error) {
      if (!notNow.has(codeOf(error))) throw error
    }
  }
}

/** Removes the tables whose days had ended at this moment. @throws LockTimeout while somebody reads one for long */
export async function dropEventDaysBefore(database: Database, since: number): Promise<void> {
  if (database.engine !== 'postgres') return
  for (const span of await spansOf(database)) {
    const hasEnded = (span.start + span.days) * dayMs <= since
    if (hasEnded) await change(database, `drop table if exists ${nameOf(span)}`)
  }
}

/** Whether events of these days are in `event_other`: to find out by making the table would hold up all others. */
async function hasOthers(database: Database, from: number, to: number): Promise<boolean> {
  const found = await database.query('select 1 as found from event_other where id >= $1 and id < $2 limit 1', [
    lowestIdAt(from * dayMs),
    lowestIdAt(to * dayMs),
  ])
  return found.length > 0
}

/** While it waits for a reader, each new event waits for it: so it gives up soon. */
const change = (database: Database, statement: string): Promise<unknown> =>
  database.transaction(async (tx) => {
    await tx.query("set local lock_timeout = '100ms'")
    await tx.query(statement)
  })

/** Those that have a table, in order. */
async function spansOf(database: Database): Promise<Span[]> {
  const tables = await database.query<{ name: string }>(
    `select cast(c.relname as text) as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = to_regclass('event') and c.relname <> 'event_other' order by 1`,
  )
  return tables.map(({ name }) => {
    const [year, month, day, days] = name.split('_').slice(1).map(Number) as [number, number, number, number]
    return { start: Date.UTC(year, month - 1, day) / dayMs, days }
  })
}

/** SQLSTATE, also of an error that the engine has a name for. */
function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code ?? ''
}

// Who holds what others wait for? As PostgreSQL shows it to a role: its own sessions in full, and that others exist.

import type { Queryable } from '../database.ts'

const described = `select pid, coalesce(nullif(application_name, ''), 'unnamed') || coalesce(' at ' || host(client_addr), '') as client,
    coalesce(state, 'of another role') as state,
    cast(extract(epoch from clock_timestamp() - coalesce(xact_start, backend_start)) as bigint) as seconds
  from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`

interface Session {
  readonly pid: number
  readonly client: string
  readonly state: string
  /** Null for a session of another role. */
  readonly seconds: number | null
}

const sentence = ({ pid, client, state, seconds }: Session) =>
  `process ${pid} of PostgreSQL (${client}; ${state}${seconds === null ? '' : `, for ${seconds} s`})`

/**
 * The transaction that uses tables and is open longest, the usual reason why a table cannot be changed. Those of other roles, whose
 * begin is hidden, come last. Undefined: none is open now.
 */
export async function oldestTransaction(database: Queryable): Promise<string | undefined> {
  const [oldest] = await database.query<Session>(
    `${described} and coalesce(backend_type, 'client backend') = 'client backend' and pid in (
       select pid from pg_locks where locktype = 'relation' and granted
         and database = (select oid from pg_database where datname = current_database()))
     order by xact_start limit 1`,
  )
  return oldest && sentence(oldest)
}

/** The session that holds an advisory lock. Undefined: nobody does now. */
export async function holderOfLock(database: Queryable, lock: number): Promise<string | undefined> {
  const [holder] = await database.query<Session>(
    `${described} and pid in (
       select pid from pg_locks where locktype = 'advisory' and granted and classid = 0 and objid = cast($1 as oid)
         and database = (select oid from pg_database where datname = current_database()))`,
    [lock],
  )
  return holder && sentence(holder)
}

/** The session that the build of an index waits for. */
export async function holderOfBuild(database: Queryable): Promise<string | undefined> {
  const [holder] = await database.query<Session>(
    `${described} and pid in (select current_locker_pid from pg_stat_progress_create_index where datname = current_database())`,
  )
  return holder && sentence(holder)
}

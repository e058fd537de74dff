// How is an index built while servers read and write? Outside of any transaction, by one server, and by another one if that dies.

import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { type Queryable, StorageUnavailable, UniqueViolation } from '../database.ts'
import { SerialisationConflict } from '../transaction.ts'
import type { LaterIndex } from '../upgrade/migration.ts'
import { holderOfBuild } from './activity.ts'

export interface IndexBuilder extends Queryable {
  /** Runs a statement outside of any transaction, on its own connection and without a time limit. */
  runAlone(sql: string): Promise<void>
}

/** A server that does not renew its claim within this time has died. */
const claimMs = 15_000
const renewEveryMs = 4_000
const pollMs = 250
const reportEveryMs = 10_000
/** A build may end in a deadlock with a transaction that writes. */
const mostAttempts = 5

const now = 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)'
const claimSql = `update schema_index set claimed_by = $2, claimed_until = ${now} + cast($3 as bigint)
  where name = $1 and (claimed_by = $2 or claimed_until <= ${now}) returning name`

/** A build whose server was killed goes on in PostgreSQL until it ends; then the index is valid, or nobody completes it. */
const stateSql = `select i.indisvalid as valid, (
    select phase from pg_stat_progress_create_index p where p.datname = current_database() and p.relid = i.indrelid limit 1
  ) as phase from pg_index i where i.indexrelid = to_regclass($1)`

/**
 * Returns when all of these indexes that the store lists are built, by this server or another one. A server waits for them, since
 * its statements may need them.
 */
export async function buildIndexes(
  database: IndexBuilder,
  indexes: readonly LaterIndex[],
  report: (progress: string) => void,
): Promise<void> {
  const ours = new Map(indexes.map((index) => [index.name, index]))
  if (ours.size === 0) return
  const builder = randomUUID()
  for (let reportAt = performance.now() + reportEveryMs; ; ) {
    const listed = await database.query<{ name: string }>('select name from schema_index order by name')
    const waiting = listed.flatMap(({ name }) => ours.get(name) ?? [])
    if (waiting.length === 0) return
    for (const index of waiting) {
      const claimed = await database.query(claimSql, [index.name, builder, claimMs])
      if (claimed.length === 1) await buildClaimed(database, index, builder, report)
    }
    if (performance.now() >= reportAt) {
      report(`Another server builds ${waiting.map(({ name }) => `index ${name}`).join(' and ')}; waiting for it`)
      reportAt += reportEveryMs
    }
    await after(pollMs)
  }
}

async function buildClaimed(
  database: IndexBuilder,
  index: LaterIndex,
  builder: string,
  report: (progress: string) => void,
): Promise<void> {
  const { name } = index
  const startedAt = performance.now()
  const renew = () => database.query(claimSql, [name, builder, claimMs]).catch(() => undefined)
  const renewing = setInterval(() => void renew(), renewEveryMs)
  const reporting = setInterval(() => void progressOf(database, name).then(report, () => undefined), reportEveryMs)
  try {
    report(`Building index ${name}; writes go on`)
    await untilValid(database, index)
    await database.query('delete from schema_index where name = $1', [name])
    report(`Built index ${name} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  } catch (error) {
    // The claim ends anyway, soon. The failure of the build is what the operator must read.
    const release = 'update schema_index set claimed_until = 0 where name = $1 and claimed_by = $2'
    await database.query(release, [name, builder]).catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewing)
    clearInterval(reporting)
  }
}

/** A build that was cut off leaves an index that is not valid and slows every write down. */
async function untilValid(database: IndexBuilder, { name, statement }: LaterIndex): Promise<void> {
  for (let attempts = 0; ; ) {
    const [state] = await database.query<{ valid: boolean | number; phase: string | null }>(stateSql, [name])
    if (state?.valid) return
    if (state && state.phase !== null) {
      await after(pollMs)
      continue
    }
    if (attempts++ === mostAttempts) {
      throw new Error(`Index ${name} is not there after ${mostAttempts} builds: is something else of that name?`)
    }
    try {
      if (state) await database.runAlone(`drop index concurrently if exists ${name}`)
      await database.runAlone(statement)
    } catch (error) {
      if (!(error instanceof SerialisationConflict)) throw explained(name, error)
    }
  }
}

function explained(name: string, error: unknown): unknown {
  if (error instanceof UniqueViolation) {
    return new UniqueViolation(
      `${error.message}: rows of its table have the same values. Leave one of them, then start again`,
      { cause: error },
    )
  }
  if (!(error instanceof StorageUnavailable) || error.reason !== 'time') return error
  return new StorageUnavailable(
    `${error.message}: index ${name} could not be built within the time limits of the role or of a pooler. ` +
      'Start once with the URL of PostgreSQL itself, instead of the URL of PgBouncer',
    { cause: error, reason: 'time' },
  )
}

async function progressOf(database: Queryable, name: string): Promise<string> {
  const [state] = await database.query<{ phase: string | null }>(stateSql, [name])
  const blocker = await holderOfBuild(database)
  return `Building index ${name}: ${state?.phase ?? 'starting'}${blocker ? `; waits for ${blocker}` : ''}`
}

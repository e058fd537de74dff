// Can a failover or a crash of PostgreSQL lose a write that Ringfence acknowledged?

import type { Queryable } from '../database.ts'

/** How PostgreSQL makes a commit durable. */
export interface Replication {
  /** Servers that stream from this one now: standbys, not logical subscribers or running backups. */
  readonly standbys: number
  /** Whether a commit waits for a standby. */
  readonly synchronous: boolean
  /** Whether a commit waits for the disk of the primary (`synchronous_commit`, `fsync`). */
  readonly durable: boolean
}

// Everyone sees the process ids of pg_stat_replication; only pg_monitor sees `state`, which is null for others.
const replicationQuery = `select
    (select count(*) from pg_stat_replication
      where coalesce(state, '') <> 'backup'
        and pid not in (select active_pid from pg_replication_slots where slot_type = 'logical' and active_pid is not null)
    ) as standbys,
    current_setting('synchronous_standby_names') as names,
    current_setting('synchronous_commit') as commits,
    current_setting('fsync') as fsync`

/**
 * Reads how the PostgreSQL behind `database` replicates. Needs no privilege.
 * @returns undefined when it is not known: the statement is refused, as some compatible databases do
 */
export async function replicationOf(database: Queryable): Promise<Replication | undefined> {
  try {
    const [row] = await database.query<{ standbys: number; names: string; commits: string; fsync: string }>(
      replicationQuery,
    )
    if (!row) return undefined
    const { standbys, names, commits, fsync } = row
    return {
      standbys,
      synchronous: names.trim() !== '' && !['off', 'local'].includes(commits),
      durable: commits !== 'off' && fsync === 'on',
    }
  } catch {
    return undefined
  }
}

/** What the operator should change, in one sentence; undefined when nothing is wrong or nothing is known. */
export function replicationWarning(replication: Replication | undefined): string | undefined {
  if (!replication) return undefined
  const { standbys, synchronous, durable } = replication
  if (!durable) {
    return 'PostgreSQL acknowledges commits before they are on disk: a crash loses acknowledged writes. Set synchronous_commit = on and fsync = on'
  }
  if (standbys === 0 || synchronous) return undefined
  return (
    `PostgreSQL replicates asynchronously to ${standbys === 1 ? 'its standby' : `its ${standbys} standbys`}: ` +
    'a failover loses acknowledged writes, revocations too. Set synchronous_standby_names (Patroni: synchronous_mode)'
  )
}

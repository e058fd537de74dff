// How does PostgreSQL write its log of changes? Keys that are hashes touch a page each, and after a checkpoint each page is logged whole.

import type { Queryable } from '../database.ts'

/** Settings of the server, as `pg_settings` has them. */
export interface LogSettings {
  /** Without whole pages, a crash may leave half of one. */
  readonly wholePages: boolean
  readonly compression: boolean
  readonly checkpointSeconds: number
  readonly maxWalMb: number
}

/** A page is logged whole once between two checkpoints. */
const leastCheckpointSeconds = 900
/** Below it, a busy store makes checkpoints by size, long before their time. */
const leastMaxWalMb = 4096

/** @returns undefined when a compatible database does not say */
export async function logSettingsOf(database: Queryable): Promise<LogSettings | undefined> {
  const rows = await database.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings
     where name in ('full_page_writes', 'wal_compression', 'checkpoint_timeout', 'max_wal_size')`,
  )
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]))
  if (settings.size < 4) return undefined
  return {
    wholePages: settings.get('full_page_writes') === 'on',
    compression: settings.get('wal_compression') !== 'off',
    checkpointSeconds: Number(settings.get('checkpoint_timeout')),
    maxWalMb: Number(settings.get('max_wal_size')),
  }
}

/** What to set, in the words of postgresql.conf; empty when it is well. */
export function logAdvice({ wholePages, compression, checkpointSeconds, maxWalMb }: LogSettings): string[] {
  return [
    ...(wholePages ? [] : ['full_page_writes = on']),
    ...(compression ? [] : ['wal_compression = on']),
    ...(checkpointSeconds < leastCheckpointSeconds ? [`checkpoint_timeout = ${leastCheckpointSeconds / 60}min`] : []),
    ...(maxWalMb < leastMaxWalMb ? [`max_wal_size = ${leastMaxWalMb / 1024}GB`] : []),
  ]
}

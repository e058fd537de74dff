// Which server may migrate? One of a database at a time. The others ask again and name the holder of the lock.

import { setTimeout as after } from 'node:timers/promises'
import { type Queryable, StorageUnavailable } from '../database.ts'
import type { Waiting } from '../migrate.ts'
import { holderOfLock } from './activity.ts'
import type { Connection } from './connection.ts'

/** Any number, but the same in every version. */
const migrationLock = 0x52494e47
const shortestPauseMs = 10
const longestPauseMs = 500
const reportEveryMs = 10_000
const callTimeoutMs = 12_000

/**
 * Takes the lock on this connection, until it ends. In a transaction, since a pooler may give the next transaction to another
 * connection; and by attempts, since a statement that waits has a snapshot, for which the build of an index would wait.
 * @throws StorageUnavailable when another server has it for too long
 */
export async function takeMigrationLock(
  connection: Connection,
  database: Queryable,
  { report, waitMs }: Waiting,
): Promise<void> {
  const startedAt = performance.now()
  let reportAt = startedAt
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const send = (text: string, values: readonly unknown[] = []) =>
      connection.send({ text, values: [...values] }, performance.now() + callTimeoutMs)
    await send('begin')
    await send('set local idle_in_transaction_session_timeout = 0')
    const [answer] = await send('select pg_try_advisory_xact_lock($1) as taken', [migrationLock])
    if (answer!.taken) return
    await send('rollback')
    const now = performance.now()
    if (now >= reportAt) {
      const holder = await holderOfLock(database, migrationLock)
      const waited = `${Math.round((now - startedAt) / 1000)} s`
      if (now - startedAt > waitMs) throw gaveUp(holder, waited)
      if (holder) report(`Another server migrates the store; waiting since ${waited} for ${holder}`)
      reportAt = Math.min(now + reportEveryMs, startedAt + waitMs)
    }
    await after(pauseMs)
  }
}

const gaveUp = (holder: string | undefined, waited: string) =>
  new StorageUnavailable(
    `Another server has held the lock for migrations for ${waited}: ${holder ?? 'it has ended by now'}. ` +
      'If it still works, start again later; if it is gone, end its session with pg_terminate_backend, then start again',
    { reason: 'time' },
  )

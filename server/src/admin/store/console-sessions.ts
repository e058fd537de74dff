// Which sessions of the console are live? Found by a hash of their token, which is nowhere stored.

import type { Queryable } from '../../core/storage/database.ts'

export interface ConsoleSessionRow {
  readonly tokenHash: Uint8Array
  readonly personId: string
  readonly startedAt: number
  readonly lastUsedAt: number
  readonly endsAt: number
  /** When the person proved last who they are: at the sign-in, or since. */
  readonly confirmedAt: number
}

const columns = `token_hash as "tokenHash", person_id as "personId", started_at as "startedAt", last_used_at as "lastUsedAt",
  ends_at as "endsAt", coalesce(confirmed_at, started_at) as "confirmedAt"`

export async function insertConsoleSession(tx: Queryable, row: Omit<ConsoleSessionRow, 'confirmedAt'>): Promise<void> {
  await tx.query(
    'insert into console_session (token_hash, person_id, started_at, last_used_at, ends_at) values ($1, $2, $3, $4, $5)',
    [row.tokenHash, row.personId, row.startedAt, row.lastUsedAt, row.endsAt],
  )
}

export async function findConsoleSession(
  database: Queryable,
  tokenHash: Uint8Array,
): Promise<ConsoleSessionRow | undefined> {
  const [row] = await database.query<ConsoleSessionRow>(
    `select ${columns} from console_session where token_hash = $1`,
    [tokenHash],
  )
  return row
}

/** Newest first. */
export async function sessionsOfPerson(database: Queryable, personId: string): Promise<ConsoleSessionRow[]> {
  return database.query<ConsoleSessionRow>(
    `select ${columns} from console_session where person_id = $1 order by started_at desc, token_hash`,
    [personId],
  )
}

export async function touchConsoleSession(database: Queryable, tokenHash: Uint8Array, at: number): Promise<void> {
  await database.query('update console_session set last_used_at = $2 where token_hash = $1', [tokenHash, at])
}

export async function putConfirmation(
  tx: Queryable,
  { tokenHash, at }: { tokenHash: Uint8Array; at: number },
): Promise<void> {
  await tx.query('update console_session set confirmed_at = $2 where token_hash = $1', [tokenHash, at])
}

/** False when it had ended. */
export async function endConsoleSession(database: Queryable, tokenHash: Uint8Array): Promise<boolean> {
  const ended = await database.query('delete from console_session where token_hash = $1 returning 1 as ended', [
    tokenHash,
  ])
  return ended.length > 0
}

export async function dropConsoleSessionsBefore(database: Queryable, at: number): Promise<void> {
  await database.query('delete from console_session where ends_at < $1', [at])
}

// What is stored about the habits of an account, and which accounts have a phone number?

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'

export interface KnowledgeRow {
  readonly accountHash: Uint8Array
  /** Epoch milliseconds. */
  readonly lastAt: number
  /** 1 for a new row; each write raises it by 1. */
  readonly version: number
  readonly sealed: Uint8Array
}

export async function findKnowledge(database: Queryable, accountHash: Uint8Array): Promise<KnowledgeRow | undefined> {
  const [row] = await database.query<KnowledgeRow & Record<string, never>>(
    `select account_hash as "accountHash", last_at as "lastAt", version, sealed
       from account_knowledge where account_hash = $1`,
    [accountHash],
  )
  return row
}

/** Writes a row. Does nothing when the stored one has another version than the one before this. */
export const knowledgeStatement = ({ accountHash, lastAt, version, sealed }: KnowledgeRow): BatchStatement => ({
  sql: `insert into account_knowledge (account_hash, last_at, version, sealed) values ($1, $2, $3, $4)
     on conflict (account_hash) do update
        set last_at = excluded.last_at, version = excluded.version, sealed = excluded.sealed
      where account_knowledge.version = excluded.version - 1`,
  params: [accountHash, lastAt, version, sealed],
})

export interface AccountNumber {
  /** Keyed hashes of 8 bytes. */
  readonly numberHash: Uint8Array
  readonly accountHash: Uint8Array
  /** Epoch milliseconds. */
  readonly lastAt: number
}

export const accountNumberStatement = ({ numberHash, accountHash, lastAt }: AccountNumber): BatchStatement => ({
  sql: `insert into account_number (number_hash, account_hash, last_at) values ($1, $2, $3)
     on conflict (number_hash, account_hash) do update set last_at = excluded.last_at
      where account_number.last_at < excluded.last_at`,
  params: [numberHash, accountHash, lastAt],
})

/** Accounts with a proven session with a number, as hex of their hashes; at most 20. */
export async function accountsOfNumber(
  database: Queryable,
  numberHash: Uint8Array,
  since: number,
): Promise<ReadonlySet<string>> {
  const found = await database.query<{ accountHash: Uint8Array }>(
    `select account_hash as "accountHash" from account_number
      where number_hash = $1 and last_at >= $2 order by account_hash limit 20`,
    [numberHash, since],
  )
  return new Set(found.map(({ accountHash }) => Buffer.from(accountHash).toString('hex')))
}

/** The numbers that proven sessions of an account had. */
export async function numbersOfAccount(
  database: Queryable,
  accountHash: Uint8Array,
): Promise<Pick<AccountNumber, 'numberHash' | 'lastAt'>[]> {
  return database.query<Pick<AccountNumber, 'numberHash' | 'lastAt'>>(
    'select number_hash as "numberHash", last_at as "lastAt" from account_number where account_hash = $1',
    [accountHash],
  )
}

/** An account does not have this number any more. */
export async function deleteAccountNumber(
  tx: Queryable,
  { numberHash, accountHash }: Pick<AccountNumber, 'numberHash' | 'accountHash'>,
): Promise<void> {
  await tx.query('delete from account_number where number_hash = $1 and account_hash = $2', [numberHash, accountHash])
}

/** Deletes everything about the habits of an account. */
export async function deleteKnowledge(tx: Queryable, accountHash: Uint8Array): Promise<void> {
  await tx.query('delete from account_knowledge where account_hash = $1', [accountHash])
  await tx.query('delete from account_number where account_hash = $1', [accountHash])
}

/** Deletes at most `limit` accounts without a proven session since this time. @returns how many */
export async function dropKnowledgeBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from account_knowledge where account_hash in
       (select account_hash from account_knowledge where last_at < $1 limit ${limit})
     returning version`,
    [before],
  )
  return dropped.length
}

/** Deletes at most `limit` numbers of accounts that no proven session has had since this time. @returns how many */
export async function dropAccountNumbersBefore(database: Queryable, before: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from account_number where (number_hash, account_hash) in
       (select number_hash, account_hash from account_number where last_at < $1 limit ${limit})
     returning last_at`,
    [before],
  )
  return dropped.length
}

/** All accounts with a proven session with a number. */
export async function accountsWithNumber(database: Queryable, numberHash: Uint8Array): Promise<Uint8Array[]> {
  const rows = await database.query<{ accountHash: Uint8Array }>(
    'select account_hash as "accountHash" from account_number where number_hash = $1',
    [numberHash],
  )
  return rows.map(({ accountHash }) => accountHash)
}

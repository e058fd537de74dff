// How does an account learn from a proven session, and unlearn a bad one? In the commit of what happened.

import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { BatchStatement, Queryable } from '../core/storage/database.ts'
import {
  accountNumberStatement,
  deleteAccountNumber,
  findKnowledge,
  type KnowledgeRow,
  knowledgeStatement,
} from '../device/store/account-knowledge.ts'
import { type Knowledge, learned, type Source, withdrawn } from './knowledge.ts'
import type { ShownSession } from './session.ts'
import { type Account, openKnowledge, sealKnowledge } from './stored-knowledge.ts'

/** What is stored of an account. */
export interface StoredKnowledge {
  readonly account: Account
  /** Undefined for an account without knowledge. */
  readonly row: KnowledgeRow | undefined
  readonly knowledge: Knowledge
}

export async function readKnowledge(database: Queryable, account: Account, keys: TenantKeys): Promise<StoredKnowledge> {
  const row = await findKnowledge(database, account.accountHash)
  return { account, row, knowledge: row ? openKnowledge(row, account, keys) : [] }
}

/**
 * What a proven session changes; nothing when it repeats one. The statements never fail a batch: of two concurrent sessions of an
 * account, the first is learned, and the other one when it is repeated.
 *
 * @param since what is older has expired; epoch milliseconds
 */
export function lesson(
  stored: StoredKnowledge,
  shown: ShownSession,
  keys: TenantKeys,
  since: number,
): BatchStatement[] {
  const knowledge = learned(stored.knowledge, shown, since)
  if (knowledge === stored.knowledge) return []
  const { accountHash } = stored.account
  const number = shown.number === undefined ? undefined : Buffer.from(shown.number, 'hex')
  return [
    written(stored, knowledge, shown.at, keys),
    ...(number ? [accountNumberStatement({ numberHash: number, accountHash, lastAt: shown.at })] : []),
  ]
}

/** Learns inside a transaction. */
export async function learnIn(
  tx: Queryable,
  account: Account,
  { shown, since }: { shown: ShownSession; since: number },
  keys: TenantKeys,
): Promise<void> {
  const stored = await readKnowledge(tx, account, keys)
  for (const { sql, params } of lesson(stored, shown, keys, since)) await tx.query(sql, params)
}

/** A source, or all sources that are one device. */
export type Withdrawn = { readonly source: string } | { readonly device: string }

/**
 * Removes what a session and all others of its source taught, because it was bad; or what a device taught that the account does not
 * trust any more. Their sessions from before `now` are not learned again.
 */
export const withdrawIn = (
  tx: Queryable,
  account: Account,
  of: Withdrawn,
  keys: TenantKeys,
  now: number,
): Promise<void> => changeIn(tx, account, keys, (knowledge) => withdrawn(knowledge, isOf(of), now))

/** Removes what a device taught, and that it did. */
export const forgetIn = (tx: Queryable, account: Account, of: Withdrawn, keys: TenantKeys): Promise<void> =>
  changeIn(tx, account, keys, (knowledge) => knowledge.filter((source) => !isOf(of)(source)))

const isOf = (of: Withdrawn) => (source: Source) =>
  'source' in of ? source.id === of.source : source.device === of.device

/** Numbers that no source shows any more are not the account's. */
async function changeIn(
  tx: Queryable,
  account: Account,
  keys: TenantKeys,
  change: (knowledge: Knowledge) => Knowledge,
): Promise<void> {
  const stored = await readKnowledge(tx, account, keys)
  const knowledge = change(stored.knowledge)
  if (!stored.row || knowledge === stored.knowledge) return
  const { sql, params } = written(stored, knowledge, stored.row.lastAt, keys)
  await tx.query(sql, params)
  const numbersOf = (sources: Knowledge) => new Set(sources.flatMap(({ values }) => [...values.number.keys()]))
  for (const number of numbersOf(stored.knowledge).difference(numbersOf(knowledge))) {
    await deleteAccountNumber(tx, { numberHash: Buffer.from(number, 'hex'), accountHash: account.accountHash })
  }
}

const written = (
  { account, row }: StoredKnowledge,
  knowledge: Knowledge,
  at: number,
  keys: TenantKeys,
): BatchStatement =>
  knowledgeStatement({
    accountHash: account.accountHash,
    lastAt: Math.max(at, row?.lastAt ?? at),
    version: (row?.version ?? 0) + 1,
    sealed: sealKnowledge(knowledge, account, keys),
  })

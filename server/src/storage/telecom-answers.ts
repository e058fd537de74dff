// Which answers of operators and portability sources are stored? They are sealed, and found by the keyed hash of the number.

import type { Queryable } from './database.ts'

export interface TelecomAnswer {
  tenantId: string
  numberHash: Uint8Array
  /** Check and parameters, for example `simSwap:240@acme`. */
  question: string
  sealed: Uint8Array
  answeredAt: number
  expiresAt: number
}

/**
 * The answer to a question about a number that is newer than `since` and has not expired. An answer from the future is ignored: it was
 * stored before the clock was set back, so its age is unknown.
 */
export async function findTelecomAnswer(
  database: Queryable,
  tenantId: string,
  numberHash: Uint8Array,
  question: string,
  { since, now }: { since: number; now: number },
): Promise<Pick<TelecomAnswer, 'sealed' | 'answeredAt'> | undefined> {
  const [answer] = await database.query<Pick<TelecomAnswer, 'sealed' | 'answeredAt'>>(
    `select sealed, answered_at as "answeredAt" from telecom_answer
      where tenant_id = $1 and number_hash = $2 and question = $3 and expires_at > $4 and answered_at <= $4
        and answered_at > $5`,
    [tenantId, numberHash, question, now, since],
  )
  return answer
}

/** A number has a few: one for each window and connector that was queried. */
const mostAnswers = 20

/** All answers about a number that have not expired, newest first. */
export async function telecomAnswersAbout(
  database: Queryable,
  tenantId: string,
  numberHash: Uint8Array,
  now: number,
): Promise<Pick<TelecomAnswer, 'question' | 'sealed' | 'answeredAt'>[]> {
  return database.query<Pick<TelecomAnswer, 'question' | 'sealed' | 'answeredAt'>>(
    `select question, sealed, answered_at as "answeredAt" from telecom_answer
      where tenant_id = $1 and number_hash = $2 and expires_at > $3 and answered_at <= $3
      order by answered_at desc limit ${mostAnswers}`,
    [tenantId, numberHash, now],
  )
}

/** Stores an answer in place of the one before. */
export async function keepTelecomAnswer(database: Queryable, answer: TelecomAnswer): Promise<void> {
  await database.query(
    `insert into telecom_answer (tenant_id, number_hash, question, sealed, answered_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, number_hash, question) do update
        set sealed = excluded.sealed, answered_at = excluded.answered_at, expires_at = excluded.expires_at`,
    [answer.tenantId, answer.numberHash, answer.question, answer.sealed, answer.answeredAt, answer.expiresAt],
  )
}

/** Deletes at most `limit` expired answers; other writes can run between such slices. @returns how many */
export async function dropExpiredTelecomAnswers(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from telecom_answer where (tenant_id, number_hash, question) in
       (select tenant_id, number_hash, question from telecom_answer where expires_at <= $1 limit ${limit})
     returning question`,
    [now],
  )
  return dropped.length
}

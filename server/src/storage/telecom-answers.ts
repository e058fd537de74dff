// Which answers of operators and portability sources are kept? Found by the keyed hash of the number, sealed.

import type { Queryable } from './database.ts'

export interface TelecomAnswer {
  tenantId: string
  numberHash: Uint8Array
  /** What was asked, e.g. `sim-swap:240`. */
  question: string
  sealed: Uint8Array
  answeredAt: number
  expiresAt: number
}

/**
 * The answer to a question about a number that was given after `since` and has not expired. One from the future was kept before
 * the clock was put back: nobody knows how old it is.
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

/** There are as many as windows and connectors that were asked for: a few. */
const mostAnswers = 20

/** All that was answered about a number and has not expired, the newest first. */
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

/** Keeps an answer in place of the one before. */
export async function keepTelecomAnswer(database: Queryable, answer: TelecomAnswer): Promise<void> {
  await database.query(
    `insert into telecom_answer (tenant_id, number_hash, question, sealed, answered_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (tenant_id, number_hash, question) do update
        set sealed = excluded.sealed, answered_at = excluded.answered_at, expires_at = excluded.expires_at`,
    [answer.tenantId, answer.numberHash, answer.question, answer.sealed, answer.answeredAt, answer.expiresAt],
  )
}

/** Drops at most `limit` expired answers, and says how many: short slices keep the writer free for others. */
export async function dropExpiredTelecomAnswers(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from telecom_answer where (tenant_id, number_hash, question) in
       (select tenant_id, number_hash, question from telecom_answer where expires_at <= $1 limit ${limit})
     returning question`,
    [now],
  )
  return dropped.length
}

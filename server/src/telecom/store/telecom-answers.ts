// Which answers of operators and portability sources are stored? They are sealed, and found by the keyed hash of the number.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { countRows } from '../../core/storage/statement.ts'

export interface TelecomAnswer {
  tenantId: string
  numberHash: Uint8Array
  /** Check and parameters, for example `simSwap:240@acme`. */
  question: string
  sealed: Uint8Array
  answeredAt: number
  expiresAt: number
}

export type StoredAnswer = Pick<TelecomAnswer, 'question' | 'sealed' | 'answeredAt'>

/** What is stored about some numbers, by their digits. A number without an answer has an empty list. */
export type StoredAnswers = ReadonlyMap<string, readonly StoredAnswer[]>

/**
 * The answers to these questions about a number that have not expired. An answer from the future is ignored: it was stored before the
 * clock was set back, so its age is unknown.
 */
export async function telecomAnswersTo(
  database: Queryable,
  tenantId: string,
  numberHash: Uint8Array,
  questions: readonly string[],
  now: number,
): Promise<StoredAnswer[]> {
  const places = questions.map((_, index) => `$${index + 4}`).join(', ')
  return database.query<StoredAnswer>(
    `select question, sealed, answered_at as "answeredAt" from telecom_answer
      where tenant_id = $1 and number_hash = $2 and expires_at > $3 and answered_at <= $3 and question in (${places})`,
    [tenantId, numberHash, now, ...questions],
  )
}

/** So many numbers are looked up in one statement. */
const numbersAtOnce = 100

/** The same about many numbers, whatever was asked. */
export async function telecomAnswersOfNumbers(
  database: Queryable,
  tenantId: string,
  hashes: readonly Uint8Array[],
  now: number,
): Promise<(StoredAnswer & { numberHash: Uint8Array })[]> {
  const found: (StoredAnswer & { numberHash: Uint8Array })[] = []
  for (let from = 0; from < hashes.length; from += numbersAtOnce) {
    const some = hashes.slice(from, from + numbersAtOnce)
    // Always the same statement, so that it stays prepared.
    const all = Array.from({ length: numbersAtOnce }, (_, place) => some[place] ?? some[0]!)
    found.push(...(await database.query<StoredAnswer & { numberHash: Uint8Array }>(ofNumbers, [tenantId, now, ...all])))
  }
  return found
}

const ofNumbers = `select number_hash as "numberHash", question, sealed, answered_at as "answeredAt" from telecom_answer
  where tenant_id = $1 and expires_at > $2 and answered_at <= $2
    and number_hash in (${Array.from({ length: numbersAtOnce }, (_, place) => `$${place + 3}`).join(', ')})`

/** So many answers of one check, for each window, connector and purpose that was queried, are read. */
const mostOfCheck = 200

/** So many letters tell the checks apart. */
const checkLetters = 6

export interface AnswersAbout {
  tenantId: string
  numberHash: Uint8Array
  now: number
  /** The end of the questions that are read; the empty text: those without a purpose. Absent: all. */
  purpose?: string | undefined
  /** Read whatever its purpose and age. */
  line: string
}

/** The answers about a number that have not expired, newest first: of each check the newest, so that no check hides another one. */
export async function telecomAnswersAbout(
  database: Queryable,
  { tenantId, numberHash, now, purpose, line }: AnswersAbout,
): Promise<StoredAnswer[]> {
  const ending = purpose === undefined ? '%' : purpose === '' ? '% for dpv:%' : `%${purpose.replace(/[%_!]/g, '!$&')}`
  return database.query<StoredAnswer>(
    `select question, sealed, "answeredAt" from (
       select question, sealed, answered_at as "answeredAt",
           row_number() over (partition by substr(question, 1, ${checkLetters}) order by answered_at desc) as place
         from telecom_answer
        where tenant_id = $1 and number_hash = $2 and expires_at > $3 and answered_at <= $3
          and (question = $4 or question ${purpose === '' ? 'not like' : 'like'} $5 escape '!')) as about
      where place <= ${mostOfCheck} order by "answeredAt" desc`,
    [tenantId, numberHash, now, line, ending],
  )
}

/** Stores answers to different questions in place of those before. A line is kept as it is, for as long as they. */
export function telecomAnswersToStore(
  answers: readonly TelecomAnswer[],
  lines: readonly TelecomAnswer[] = [],
): BatchStatement[] {
  return [...answers.map((answer) => put(answer, replace)), ...lines.map((line) => put(line, prolong))]
}

const replace = 'sealed = excluded.sealed, answered_at = excluded.answered_at, expires_at = excluded.expires_at'
const prolong = `expires_at = case when excluded.expires_at > telecom_answer.expires_at
     then excluded.expires_at else telecom_answer.expires_at end`

const put = (
  { tenantId, numberHash, question, sealed, answeredAt, expiresAt }: TelecomAnswer,
  update: string,
): BatchStatement => ({
  sql: `insert into telecom_answer (tenant_id, number_hash, question, sealed, answered_at, expires_at)
   values ($1, $2, $3, $4, $5, $6)
   on conflict (tenant_id, number_hash, question) do update set ${update}`,
  params: [tenantId, numberHash, question, sealed, answeredAt, expiresAt],
})

/**
 * Stores when the line of a number changed, for as long as answers about it are stored; without any, it stores nothing. `before`: what is
 * sealed in the row must be this, or there must be none that is in force. @returns whether it was stored
 */
export async function markTelecomLine(
  database: Queryable,
  { tenantId, numberHash, question, sealed, answeredAt }: Omit<TelecomAnswer, 'expiresAt'>,
  before: { readonly sealed: Uint8Array | undefined; readonly now: number } | 'any',
): Promise<boolean> {
  const { sealed: sealedBefore, now } = before === 'any' ? { sealed: undefined, now: Number.MAX_SAFE_INTEGER } : before
  const stored = await database.query(
    `insert into telecom_answer (tenant_id, number_hash, question, sealed, answered_at, expires_at)
     select $1, $2, $3, $4, cast($5 as bigint), max(expires_at) from telecom_answer
      where tenant_id = $1 and number_hash = $2 having count(*) > 0
     on conflict (tenant_id, number_hash, question) do update
        set sealed = excluded.sealed,
            answered_at = case when excluded.answered_at > telecom_answer.answered_at
              then excluded.answered_at else telecom_answer.answered_at end
      where telecom_answer.sealed = $6 or telecom_answer.expires_at <= $7
     returning question`,
    [tenantId, numberHash, question, sealed, answeredAt, sealedBefore ?? null, now],
  )
  return stored.length > 0
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

/** Deletes the stored answers of operators about a number. @returns how many */
export const deleteTelecomAnswers = (tx: Queryable, tenantId: string, numberHash: Uint8Array): Promise<number> =>
  countRows(tx, 'delete from telecom_answer where tenant_id = $1 and number_hash = $2 returning question', [
    tenantId,
    numberHash,
  ])

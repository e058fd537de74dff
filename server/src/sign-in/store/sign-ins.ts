// Which sign-ins are in progress? Each step is one statement, so that one of several simultaneous callers wins.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'
import { countRows } from '../../core/storage/statement.ts'

/** sending: the message is being sent. open: the gateway accepted it. proved: the person came back by a link or an identity provider. */
export type SignInState = 'sending' | 'open' | 'proved' | 'done' | 'failed'

export interface SignInRecord {
  idHash: Uint8Array
  tenantId: string
  appId: string
  startHash: Uint8Array | null
  channel: string
  method: string
  state: SignInState
  createdAt: number
  expiresAt: number
  resendAfter: number
  sent: number
  attempts: number
  otpHash: Uint8Array | null
  previousOtpHash: Uint8Array | null
  returnHash: Uint8Array | null
  codeHash: Uint8Array | null
  sealed: Uint8Array
  sealedProof: Uint8Array | null
}

const columns = `id_hash as "idHash", tenant_id as "tenantId", app_id as "appId", start_hash as "startHash", channel, method,
  state, created_at as "createdAt", expires_at as "expiresAt", resend_after as "resendAfter", sent, attempts,
  otp_hash as "otpHash", previous_otp_hash as "previousOtpHash", return_hash as "returnHash", code_hash as "codeHash",
  sealed, sealed_proof as "sealedProof"`

/** @throws UniqueViolation when a sign-in of the same start exists */
export function signInInsert(r: SignInRecord): BatchStatement {
  return {
    sql: `insert into sign_in (id_hash, tenant_id, app_id, start_hash, channel, method, state, created_at, expires_at, resend_after,
       sent, attempts, otp_hash, previous_otp_hash, return_hash, code_hash, sealed, sealed_proof)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    params: [
      ...[r.idHash, r.tenantId, r.appId, r.startHash, r.channel, r.method, r.state, r.createdAt, r.expiresAt],
      ...[r.resendAfter, r.sent, r.attempts, r.otpHash, r.previousOtpHash, r.returnHash, r.codeHash, r.sealed],
      r.sealedProof,
    ],
  }
}

export async function findSignIn(database: Queryable, idHash: Uint8Array): Promise<SignInRecord | undefined> {
  const [found] = await database.query<SignInRecord>(`select ${columns} from sign_in where id_hash = $1`, [idHash])
  return found
}

/** Also one that makes room for a new start. */
export async function findSignInByStart(
  database: Queryable,
  tenantId: string,
  startHash: Uint8Array,
): Promise<SignInRecord | undefined> {
  const [found] = await database.query<SignInRecord>(
    `select ${columns} from sign_in where tenant_id = $1 and start_hash = $2`,
    [tenantId, startHash],
  )
  return found
}

export interface StartToFind {
  tenantId: string
  startHash: Uint8Array
  now: number
  /** No attempt is left after this many. */
  attempts: number
}

/** A sign-in that may be resent by now, or has ended, makes room for a new start. */
const isReleased = "resend_after <= $3 or expires_at <= $3 or attempts >= $4 or state = 'done' or state = 'failed'"

/** The sign-in that a start would repeat. One that makes room for a new start is no longer found by its start. */
export async function findOpenStart(
  database: Queryable,
  { tenantId, startHash, now, attempts }: StartToFind,
): Promise<SignInRecord | undefined> {
  const params = [tenantId, startHash, now, attempts]
  const [found] = await database.query<SignInRecord & { isReleased: number }>(
    `select ${columns}, case when ${isReleased} then 1 else 0 end as "isReleased"
       from sign_in where tenant_id = $1 and start_hash = $2`,
    params,
  )
  if (!found?.isReleased) return found
  await database.query(
    `update sign_in set start_hash = null where tenant_id = $1 and start_hash = $2 and (${isReleased})`,
    params,
  )
  return findSignInByStart(database, tenantId, startHash)
}

/** Whether the gateway accepted the message of a start; `sealed` is then its content, if it changed. If not, a new start may follow at once. */
export function deliveryUpdate(idHash: Uint8Array, accepted: boolean, sealed?: Uint8Array): BatchStatement {
  if (!accepted) {
    return {
      sql: `update sign_in set state = 'failed', start_hash = null where id_hash = $1 and state = 'sending'`,
      params: [idHash],
    }
  }
  return sealed
    ? {
        sql: `update sign_in set state = 'open', sent = sent + 1, sealed = $2 where id_hash = $1 and state = 'sending'`,
        params: [idHash, sealed],
      }
    : {
        sql: `update sign_in set state = 'open', sent = sent + 1 where id_hash = $1 and state = 'sending'`,
        params: [idHash],
      }
}

export interface Ended {
  idHash: Uint8Array
  now: number
  /** A message that has been in flight since before this time never will be accepted. */
  sentBefore: number
  /** No attempt is left after this many. */
  attempts: number
}

/** Deletes a sign-in that has ended: it is done, expired, without attempts, or its message was not accepted. */
export async function dropEnded(database: Queryable, { idHash, now, sentBefore, attempts }: Ended): Promise<void> {
  await database.query(
    `delete from sign_in where id_hash = $1 and (state = 'failed' or state = 'done' or expires_at <= $2 or attempts >= $3
       or (state = 'sending' and created_at <= $4))`,
    [idHash, now, attempts, sentBefore],
  )
}

export interface ResendTurn {
  idHash: Uint8Array
  now: number
  nextAfter: number
  messages: number
  /** Null for a magic link, which stays the same. */
  otpHash: Uint8Array | null
}

/**
 * Claims the next resend; one of several simultaneous callers gets it. From now on the OTP of the new message is accepted, and that of
 * the message before. `recordResend` counts it.
 */
export async function claimResend(
  database: Queryable,
  { idHash, now, nextAfter, messages, otpHash }: ResendTurn,
): Promise<boolean> {
  const claimed = await database.query(
    `update sign_in set resend_after = $3, previous_otp_hash = otp_hash, otp_hash = $5
      where id_hash = $1 and state = 'open' and expires_at > $2 and resend_after <= $2 and sent < $4 returning sent`,
    [idHash, now, nextAfter, messages, otpHash],
  )
  return claimed.length === 1
}

/** Counts a resend that the gateway accepted; `sealed` is then its content. Otherwise another resend may follow at once. */
export const resendUpdate = (
  idHash: Uint8Array,
  { resendAfter, sealed }: { resendAfter: number; sealed?: Uint8Array },
): BatchStatement =>
  sealed
    ? {
        sql: 'update sign_in set sent = sent + 1, resend_after = $2, sealed = $3 where id_hash = $1',
        params: [idHash, resendAfter, sealed],
      }
    : {
        // The OTP that was not sent is replaced by the one before.
        sql: `update sign_in set resend_after = $2, otp_hash = previous_otp_hash, previous_otp_hash = null where id_hash = $1`,
        params: [idHash, resendAfter],
      }

/** Counts an attempt before it is checked, so that simultaneous ones do not exceed `limit`. Undefined when none is left. */
export async function claimAttempt(
  database: Queryable,
  idHash: Uint8Array,
  now: number,
  limit: number,
): Promise<SignInRecord | undefined> {
  const [claimed] = await database.query<SignInRecord>(
    `update sign_in set attempts = attempts + 1
      where id_hash = $1 and state = 'open' and expires_at > $2 and attempts < $3 returning ${columns}`,
    [idHash, now, limit],
  )
  return claimed
}

/** Takes an attempt back that could not be checked. Of each sign-in at most `limit` are taken back; others count. */
export async function returnAttempt(database: Queryable, idHash: Uint8Array, limit: number): Promise<void> {
  await database.query(
    `update sign_in set attempts = attempts - 1, returned = returned + 1
      where id_hash = $1 and attempts > 0 and returned < $2`,
    [idHash, limit],
  )
}

/** Replaces the content, unless another call has replaced it since it was read. */
export async function replaceContent(
  database: Queryable,
  { idHash, sealed }: Pick<SignInRecord, 'idHash' | 'sealed'>,
  replacement: Uint8Array,
): Promise<void> {
  await database.query('update sign_in set sealed = $3 where id_hash = $1 and sealed = $2', [
    idHash,
    sealed,
    replacement,
  ])
}

export const contentUpdate = (idHash: Uint8Array, sealed: Uint8Array): BatchStatement => ({
  sql: 'update sign_in set sealed = $2 where id_hash = $1',
  params: [idHash, sealed],
})

/** Moves a sign-in to `done`. One of several simultaneous callers, on any server, gets true. */
export async function claimDone(
  database: Queryable,
  idHash: Uint8Array,
  from: SignInState,
  now: number,
): Promise<boolean> {
  const claimed = await database.query(
    `update sign_in set state = 'done', start_hash = null, sealed_proof = null
      where id_hash = $1 and state = $2 and expires_at > $3 returning id_hash`,
    [idHash, from, now],
  )
  return claimed.length === 1
}

/** Records the proof of a person who came back. One of several simultaneous callers gets true. */
export async function claimProved(
  database: Queryable,
  idHash: Uint8Array,
  codeHash: Uint8Array,
  sealedProof: Uint8Array,
  now: number,
): Promise<boolean> {
  const claimed = await database.query(
    `update sign_in set state = 'proved', code_hash = $2, sealed_proof = $3
      where id_hash = $1 and state = 'open' and expires_at > $4 returning id_hash`,
    [idHash, codeHash, sealedProof, now],
  )
  return claimed.length === 1
}

/** An identity provider refused, or the return proved nothing. */
export const failureUpdate = (idHash: Uint8Array): BatchStatement => ({
  sql: `update sign_in set state = 'failed', start_hash = null where id_hash = $1 and state = 'open'`,
  params: [idHash],
})

/** Deletes at most `limit` sign-ins that expired before this time. @returns how many */
export async function dropSignInsBefore(database: Queryable, endedBefore: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from sign_in where id_hash in (select id_hash from sign_in where expires_at <= $1 limit ${limit})
     returning id_hash`,
    [endedBefore],
  )
  return dropped.length
}

/** The next sign-ins of a tenant after this one. They live an hour. */
export async function signInsAfter(
  database: Queryable,
  tenantId: string,
  after: Uint8Array,
): Promise<{ idHash: Uint8Array; sealed: Uint8Array; sealedProof: Uint8Array | null }[]> {
  return database.query(
    `select id_hash as "idHash", sealed, sealed_proof as "sealedProof" from sign_in
      where tenant_id = $1 and id_hash > $2 order by id_hash limit 500`,
    [tenantId, after],
  )
}

export const deleteSignIn = (tx: Queryable, idHash: Uint8Array): Promise<number> =>
  countRows(tx, 'delete from sign_in where id_hash = $1 returning state', [idHash])

// Which rows of sign-in, telecom checks and accounts are about a person, and how are they deleted?

import type { Queryable, SqlValue } from '../database.ts'

const count = async (tx: Queryable, sql: string, params: readonly SqlValue[]) => (await tx.query(sql, params)).length

/** Deletes the stored answers of operators about a number. @returns how many */
export const deleteTelecomAnswers = (tx: Queryable, tenantId: string, numberHash: Uint8Array): Promise<number> =>
  count(tx, 'delete from telecom_answer where tenant_id = $1 and number_hash = $2 returning question', [
    tenantId,
    numberHash,
  ])

/** Deletes the Number Verifications of a number that are in progress. @returns how many */
export const deleteVerifications = (tx: Queryable, tenantId: string, numberHash: Uint8Array): Promise<number> =>
  count(tx, 'delete from number_verification where tenant_id = $1 and number_hash = $2 returning id_hash', [
    tenantId,
    numberHash,
  ])

/** Deletes how many messages went to a subject. @returns how many periods */
export const deleteMessageCounts = (tx: Queryable, tenantId: string, subjectHash: Uint8Array): Promise<number> =>
  count(tx, 'delete from message_count where tenant_id = $1 and subject_hash = $2 returning count', [
    tenantId,
    subjectHash,
  ])

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
  count(tx, 'delete from sign_in where id_hash = $1 returning state', [idHash])

/** Deletes a user with all identities. @returns how many rows */
export async function deleteUser(
  tx: Queryable,
  tenantId: string,
  userId: string,
): Promise<{ users: number; identities: number }> {
  return {
    identities: await count(tx, 'delete from identity where tenant_id = $1 and user_id = $2 returning created_at', [
      tenantId,
      userId,
    ]),
    users: await count(tx, 'delete from app_user where tenant_id = $1 and id = $2 returning created_at', [
      tenantId,
      userId,
    ]),
  }
}

/** Deletes users without identities who signed in last before this time, at most `limit`. @returns their ids */
export async function usersIdleSince(
  database: Queryable,
  { before, limit }: { before: number; limit: number },
): Promise<{ tenantId: string; id: string }[]> {
  return database.query(`select tenant_id as "tenantId", id from app_user where last_sign_in_at < $1 limit ${limit}`, [
    before,
  ])
}

export async function findUser(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<{ createdAt: number; lastSignInAt: number } | undefined> {
  const [user] = await database.query<{ createdAt: number; lastSignInAt: number }>(
    'select created_at as "createdAt", last_sign_in_at as "lastSignInAt" from app_user where tenant_id = $1 and id = $2',
    [tenantId, id],
  )
  return user
}

/** All accounts with a proven session with a number. */
export async function accountsWithNumber(database: Queryable, numberHash: Uint8Array): Promise<Uint8Array[]> {
  const rows = await database.query<{ accountHash: Uint8Array }>(
    'select account_hash as "accountHash" from account_number where number_hash = $1',
    [numberHash],
  )
  return rows.map(({ accountHash }) => accountHash)
}

export interface HistoryOfDevice {
  readonly installationHash: Uint8Array
  readonly seen: Uint8Array
}

export const historiesOf = (database: Queryable, deviceHash: Uint8Array): Promise<HistoryOfDevice[]> =>
  database.query('select installation_hash as "installationHash", seen from device_history where device_hash = $1', [
    deviceHash,
  ])

export async function replaceSeen(
  tx: Queryable,
  { deviceHash, installationHash, seen }: HistoryOfDevice & { deviceHash: Uint8Array },
): Promise<void> {
  await tx.query(
    'update device_history set seen = $3, version = version + 1 where device_hash = $1 and installation_hash = $2',
    [deviceHash, installationHash, seen],
  )
}

/** Deletes the stored answers of changes through the admin API: any of them may be about the person. @returns how many */
export const forgetAdminAnswers = (tx: Queryable, tenantId: string): Promise<number> =>
  count(tx, 'update admin_call set sealed = null where tenant_id = $1 and sealed is not null returning ends_at', [
    tenantId,
  ])

// Which SDK sessions exist? They are found by a hash of their session token.

import type { DevicePlatform } from '@ringfence/contract'
import type { Queryable } from '../../core/storage/database.ts'

export interface StoredSession {
  /** The first 16 bytes of SHA-256 of the session token. */
  hash: Uint8Array
  id: string
  appId: string
  platform: DevicePlatform
  packageName: string
  expiresAt: number
}

export async function insertSession(database: Queryable, session: StoredSession): Promise<void> {
  const { hash, id, appId, platform, packageName, expiresAt } = session
  await database.query(
    `insert into sdk_session (token_hash, id, app_id, platform, package_name, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [hash, id, appId, platform, packageName, expiresAt],
  )
}

export async function findSession(
  database: Queryable,
  hash: Uint8Array,
): Promise<Omit<StoredSession, 'hash'> | undefined> {
  const [session] = await database.query<Omit<StoredSession, 'hash'>>(
    `select id, app_id as "appId", platform, package_name as "packageName", expires_at as "expiresAt"
       from sdk_session where token_hash = $1`,
    [hash],
  )
  return session
}

/** Deletes at most `limit` expired sessions. @returns how many */
export async function dropExpiredSessions(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from sdk_session where token_hash in (select token_hash from sdk_session where expires_at <= $1 limit ${limit})
     returning id`,
    [now],
  )
  return dropped.length
}

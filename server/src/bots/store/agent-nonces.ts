// Which nonces did agents that sign their requests use? A nonce counts for one session only.

import type { Queryable } from '../../core/storage/database.ts'

export interface AgentNonce {
  /** Of key and nonce. */
  readonly nonceHash: Uint8Array
  readonly sessionHash: Uint8Array
  /** Epoch milliseconds, from which the signature is not valid any more. */
  readonly expiresAt: number
}

/** @returns whether the session is the first one that uses the nonce */
export async function claimNonce(
  database: Queryable,
  { nonceHash, sessionHash, expiresAt }: AgentNonce,
): Promise<boolean> {
  const claimed = await database.query(
    `insert into agent_nonce (nonce_hash, session_hash, expires_at) values ($1, $2, $3)
     on conflict (nonce_hash) do update set session_hash = agent_nonce.session_hash where agent_nonce.session_hash = $2
     returning nonce_hash`,
    [nonceHash, sessionHash, expiresAt],
  )
  return claimed.length === 1
}

/** @returns the number of deleted rows, at most `limit` */
export async function dropNoncesBefore(database: Queryable, now: number, limit: number): Promise<number> {
  const dropped = await database.query(
    `delete from agent_nonce where nonce_hash in
       (select nonce_hash from agent_nonce where expires_at <= $1 order by expires_at limit ${limit})
     returning nonce_hash`,
    [now],
  )
  return dropped.length
}

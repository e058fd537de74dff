// Which server is starting this sign-in? One of several simultaneous equal starts gets the claim.

import type { Queryable } from './database.ts'

export interface StartClaim {
  readonly startHash: Uint8Array
  readonly claimedUntil: number
}

/** @returns whether the caller has the claim now */
export async function claimStart(
  database: Queryable,
  { startHash, claimedUntil }: StartClaim,
  now: number,
): Promise<boolean> {
  const claimed = await database.query(
    `insert into start_claim (start_hash, claimed_until) values ($1, $2)
     on conflict (start_hash) do update set claimed_until = excluded.claimed_until where start_claim.claimed_until <= $3
     returning start_hash`,
    [startHash, claimedUntil, now],
  )
  return claimed.length === 1
}

/** Ends a claim that the caller has. */
export async function dropStartClaim(database: Queryable, { startHash, claimedUntil }: StartClaim): Promise<void> {
  await database.query('delete from start_claim where start_hash = $1 and claimed_until = $2', [
    startHash,
    claimedUntil,
  ])
}

/** Deletes what servers left that died. Only those leave any, so the table is small. */
export async function dropStartClaimsBefore(database: Queryable, now: number): Promise<void> {
  await database.query('delete from start_claim where claimed_until <= $1', [now])
}

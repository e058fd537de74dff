// Which passkeys do people have, and which challenges were answered?

import type { Queryable } from '../../core/storage/database.ts'

export interface PasskeyRow {
  readonly credentialHash: Uint8Array
  readonly personId: string
  readonly sealed: Uint8Array
  readonly counter: number
  readonly createdAt: number
  readonly lastUsedAt: number | null
}

const columns = `credential_hash as "credentialHash", person_id as "personId", sealed, counter,
  created_at as "createdAt", last_used_at as "lastUsedAt"`

export async function findPasskey(database: Queryable, credentialHash: Uint8Array): Promise<PasskeyRow | undefined> {
  const [row] = await database.query<PasskeyRow>(`select ${columns} from passkey where credential_hash = $1`, [
    credentialHash,
  ])
  return row
}

/** In the order in which they were added. */
export async function passkeysOf(database: Queryable, personId: string): Promise<PasskeyRow[]> {
  return database.query<PasskeyRow>(
    `select ${columns} from passkey where person_id = $1 order by created_at, credential_hash`,
    [personId],
  )
}

/** Of every person, for key rotation. */
export async function listPasskeys(database: Queryable): Promise<PasskeyRow[]> {
  return database.query<PasskeyRow>(`select ${columns} from passkey order by created_at, credential_hash`)
}

/** False when the credential is stored already, for whomever. */
export async function insertPasskey(tx: Queryable, row: Omit<PasskeyRow, 'lastUsedAt'>): Promise<boolean> {
  const inserted = await tx.query(
    `insert into passkey (credential_hash, person_id, sealed, counter, created_at) values ($1, $2, $3, $4, $5)
     on conflict (credential_hash) do nothing returning 1 as inserted`,
    [row.credentialHash, row.personId, row.sealed, row.counter, row.createdAt],
  )
  return inserted.length > 0
}

/**
 * False when the passkey was removed meanwhile, or has signed with this counter or a higher one: then there are two of it
 * (Web Authentication, 6.1.1). A passkey that does not count always says 0.
 */
export async function usePasskey(
  tx: Queryable,
  { credentialHash, counter, at }: { credentialHash: Uint8Array; counter: number; at: number },
): Promise<boolean> {
  const used = await tx.query(
    `update passkey set counter = $2, last_used_at = $3
      where credential_hash = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning 1 as used`,
    [credentialHash, counter, at],
  )
  return used.length > 0
}

/** Does nothing when the passkey has changed since it was read. */
export async function replaceSealedPasskey(
  database: Queryable,
  { credentialHash, sealed: before }: Pick<PasskeyRow, 'credentialHash' | 'sealed'>,
  sealed: Uint8Array,
): Promise<boolean> {
  const replaced = await database.query(
    'update passkey set sealed = $1 where credential_hash = $2 and sealed = $3 returning 1 as replaced',
    [sealed, credentialHash, before],
  )
  return replaced.length > 0
}

/** False when there is none. */
export async function deletePasskey(tx: Queryable, credentialHash: Uint8Array): Promise<boolean> {
  const deleted = await tx.query('delete from passkey where credential_hash = $1 returning 1 as deleted', [
    credentialHash,
  ])
  return deleted.length > 0
}

/** False when somebody has answered it before. */
export async function useChallenge(tx: Queryable, challengeHash: Uint8Array, endsAt: number): Promise<boolean> {
  const used = await tx.query(
    `insert into used_challenge (challenge_hash, ends_at) values ($1, $2)
     on conflict (challenge_hash) do nothing returning 1 as used`,
    [challengeHash, endsAt],
  )
  return used.length > 0
}

export async function dropChallengesBefore(database: Queryable, at: number): Promise<void> {
  await database.query('delete from used_challenge where ends_at < $1', [at])
}

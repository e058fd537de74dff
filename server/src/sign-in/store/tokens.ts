// Which tokens exist? Their key and the key of their content follow from the text of the token, which is not stored.

import type { BatchStatement, Queryable } from '../../core/storage/database.ts'

/** The key of a token (tokens/token.ts derives it). */
export interface TokenKey {
  shard: number
  /** The ten minutes since the Unix epoch in which it expires. */
  bucket: number
  /** The first 16 bytes of its SHA-256. */
  hash: Uint8Array
}

export interface TokenRecord extends TokenKey {
  tenantId: string
  expiresAt: number
  /** Each view is accepted once. */
  singleUse: boolean
  sealedLogin: Uint8Array | null
  sealedDevice: Uint8Array | null
}

/** login: the answer of token verification. device: the answer of secure info. */
export type TokenView = 'login' | 'device'

export interface FoundToken {
  expiresAt: number
  revokedAt: number | null
  singleUse: 1 | null
  /** When a server accepted this view, once and never again. */
  usedAt: number | null
  /** When a decision was made with it first. */
  decidedAt: number | null
  sealed: Uint8Array | null
}

/** Another tenant does not find the token. */
const itsKey = 'shard = $1 and bucket = $2 and hash = $3 and tenant_id = $4'
const keyOf = ({ shard, bucket, hash }: TokenKey, tenantId: string) => [shard, bucket, hash, tenantId]

export const tokenInsert = (token: TokenRecord): BatchStatement => {
  const { shard, bucket, hash, tenantId, expiresAt, singleUse, sealedLogin, sealedDevice } = token
  return {
    sql: `insert into token (shard, bucket, hash, tenant_id, expires_at, single_use, sealed_login, sealed_device)
          values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    params: [shard, bucket, hash, tenantId, expiresAt, singleUse ? 1 : null, sealedLogin, sealedDevice],
  }
}

const find: Record<TokenView, string> = { login: findView('login'), device: findView('device') }

function findView(view: TokenView): string {
  return `select expires_at as "expiresAt", revoked_at as "revokedAt", single_use as "singleUse", ${view}_used_at as "usedAt",
            decided_at as "decidedAt", sealed_${view} as sealed from token where ${itsKey}`
}

/** Reads one row, and only the content of this view. */
export async function findToken(
  database: Queryable,
  key: TokenKey,
  tenantId: string,
  view: TokenView,
): Promise<FoundToken | undefined> {
  const [token] = await database.query<FoundToken>(find[view], keyOf(key, tenantId))
  return token
}

const claims: Record<TokenView, string> = {
  login: `update token set login_used_at = $5 where ${itsKey} and login_used_at is null and revoked_at is null returning shard`,
  device: `update token set device_used_at = $5 where ${itsKey} and device_used_at is null and revoked_at is null returning shard`,
}

/** Records the first use. A condition: succeeds for one of several simultaneous callers, on any server. */
export const tokenClaim = (key: TokenKey, tenantId: string, view: TokenView, at: number): BatchStatement => ({
  sql: claims[view],
  params: [...keyOf(key, tenantId), at],
  required: true,
})

export interface TokenUse {
  /** It is accepted once, for whatever it is used. */
  readonly isSingleUse: boolean
  readonly at: number
}

/** Records the first decision. A condition: fails when another decision was made with it, when it was revoked or used up. */
export const tokenDecides = (key: TokenKey, tenantId: string, use: TokenUse): BatchStatement =>
  firstUse('decided_at', key, tenantId, use)

/** A condition: fails when the token passed a challenge before, was revoked, or was used where it is accepted once. */
export const tokenPassesChallenge = (key: TokenKey, tenantId: string, use: TokenUse): BatchStatement =>
  firstUse('challenge_used_at', key, tenantId, use)

function firstUse(
  column: 'decided_at' | 'challenge_used_at',
  key: TokenKey,
  tenantId: string,
  { isSingleUse, at }: TokenUse,
): BatchStatement {
  const [use, unused] = isSingleUse ? [', login_used_at = $5', 'and login_used_at is null'] : ['', '']
  return {
    sql: `update token set ${column} = $5${use}
           where ${itsKey} and ${column} is null ${unused} and revoked_at is null returning shard`,
    params: [...keyOf(key, tenantId), at],
    required: true,
  }
}

/** Revokes a token. Returns no row when the tenant does not have it, and one when it was revoked before. */
export const tokenRevocation = (key: TokenKey, tenantId: string, at: number): BatchStatement => ({
  sql: `update token set revoked_at = coalesce(revoked_at, $5) where ${itsKey} returning shard`,
  params: [...keyOf(key, tenantId), at],
})

export type InShard = Pick<TokenKey, 'bucket' | 'hash'>

/**
 * Deletes the first tokens of a shard from buckets earlier than this one, in their order, after one of them: until a vacuum, PostgreSQL
 * would read all that were deleted before.
 * @returns the deleted ones
 */
export function dropTokensBefore(
  database: Queryable,
  { shard, bucket, after }: { shard: number; bucket: number; after: InShard },
  limit: number,
): Promise<InShard[]> {
  return database.query<InShard & Record<string, never>>(
    `delete from token where (shard, bucket, hash) in
       (select shard, bucket, hash from token
         where shard = $1 and bucket < $2 and (bucket, hash) > ($3, $4) order by bucket, hash limit ${limit})
     returning bucket, hash`,
    [shard, bucket, after.bucket, after.hash],
  )
}

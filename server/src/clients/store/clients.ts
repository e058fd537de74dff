// Which clients exist, and which secrets do they have? Secrets are stored as keyed hashes.

import type { Queryable } from '../../core/storage/database.ts'

/** What a client may do, and from where. Null: no restriction. */
export interface ClientRestrictions {
  /** Names separated by spaces. */
  scopes: string | null
  /** IP addresses and CIDR blocks separated by spaces. */
  allowedIps: string | null
  expiresAt: number | null
  /** What it may do through the admin API; null: nothing. */
  role: string | null
}

export interface Client extends ClientRestrictions {
  id: string
  tenantId: string
  name: string
  createdAt: number
  revokedAt: number | null
  lastUsedAt: number | null
}

export interface ClientSecret {
  clientId: string
  secretId: string
  secretHash: Uint8Array
  createdAt: number
  revokedAt: number | null
}

const clientColumns =
  'id, tenant_id as "tenantId", name, created_at as "createdAt", revoked_at as "revokedAt", last_used_at as "lastUsedAt", scopes, allowed_ips as "allowedIps", expires_at as "expiresAt", role'

export async function insertClient(
  database: Queryable,
  { id, tenantId, name, createdAt }: Pick<Client, 'id' | 'tenantId' | 'name' | 'createdAt'>,
): Promise<void> {
  await database.query('insert into client (id, tenant_id, name, created_at) values ($1, $2, $3, $4)', [
    id,
    tenantId,
    name,
    createdAt,
  ])
}

export async function findClient(database: Queryable, id: string): Promise<Client | undefined> {
  const [client] = await database.query<Client>(`select ${clientColumns} from client where id = $1`, [id])
  return client
}

/** In the order of creation; without `tenantId`, the clients of every tenant. */
export async function listClients(database: Queryable, tenantId?: string): Promise<Client[]> {
  const order = 'order by created_at, id'
  return tenantId === undefined
    ? database.query<Client>(`select ${clientColumns} from client ${order}`)
    : database.query<Client>(`select ${clientColumns} from client where tenant_id = $1 ${order}`, [tenantId])
}

export async function revokeClient(database: Queryable, id: string, at: number): Promise<void> {
  await database.query('update client set revoked_at = $2 where id = $1 and revoked_at is null', [id, at])
}

export async function restrictClient(database: Queryable, id: string, to: ClientRestrictions): Promise<void> {
  await database.query('update client set scopes = $2, allowed_ips = $3, expires_at = $4, role = $5 where id = $1', [
    id,
    to.scopes,
    to.allowedIps,
    to.expiresAt,
    to.role,
  ])
}

export async function recordClientUse(database: Queryable, id: string, at: number): Promise<void> {
  await database.query('update client set last_used_at = $2 where id = $1', [id, at])
}

export async function insertSecret(
  database: Queryable,
  { clientId, secretId, secretHash, createdAt }: Omit<ClientSecret, 'revokedAt'>,
): Promise<void> {
  await database.query(
    'insert into client_secret (client_id, secret_id, secret_hash, created_at) values ($1, $2, $3, $4)',
    [clientId, secretId, secretHash, createdAt],
  )
}

/** Newest first; revoked ones are included. */
export async function listSecrets(database: Queryable, clientId: string): Promise<ClientSecret[]> {
  return database.query<ClientSecret>(
    `select client_id as "clientId", secret_id as "secretId", secret_hash as "secretHash",
            created_at as "createdAt", revoked_at as "revokedAt"
       from client_secret where client_id = $1 order by created_at desc, secret_id desc`,
    [clientId],
  )
}

/** By client id; clients without one are absent. */
export async function countLiveSecrets(database: Queryable, tenantId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await database.query<{ clientId: string; count: number }>(
    `select s.client_id as "clientId", count(*) as "count" from client c join client_secret s on s.client_id = c.id
      where c.tenant_id = $1 and s.revoked_at is null group by s.client_id`,
    [tenantId],
  )
  return new Map(rows.map(({ clientId, count }) => [clientId, Number(count)]))
}

export async function revokeSecret(database: Queryable, clientId: string, secretId: string, at: number): Promise<void> {
  await database.query(
    'update client_secret set revoked_at = $3 where client_id = $1 and secret_id = $2 and revoked_at is null',
    [clientId, secretId, at],
  )
}

/** Those of the clients that were used or made last. */
export async function listLiveSecrets(
  database: Queryable,
  most: number,
): Promise<Pick<ClientSecret, 'clientId' | 'secretHash'>[]> {
  return database.query(
    `select s.client_id as "clientId", s.secret_hash as "secretHash"
       from client_secret s join client c on c.id = s.client_id
      where s.revoked_at is null and c.revoked_at is null
      order by coalesce(c.last_used_at, s.created_at) desc limit $1`,
    [most],
  )
}

/** The client of a valid secret. */
export interface LiveCredential extends ClientRestrictions {
  clientId: string
  tenantId: string
  lastUsedAt: number | null
}

/**
 * The client of a valid secret. It is found by the keyed hash alone, which an attacker cannot choose: an unknown client and a wrong
 * secret take the same steps, and so the same time.
 */
export async function findLiveCredential(
  database: Queryable,
  secretHash: Uint8Array,
): Promise<LiveCredential | undefined> {
  const [credential] = await database.query<LiveCredential>(
    `select c.id as "clientId", c.tenant_id as "tenantId", c.last_used_at as "lastUsedAt",
            c.scopes, c.allowed_ips as "allowedIps", c.expires_at as "expiresAt", c.role
       from client_secret s join client c on c.id = s.client_id
      where s.secret_hash = $1 and s.revoked_at is null and c.revoked_at is null`,
    [secretHash],
  )
  return credential
}

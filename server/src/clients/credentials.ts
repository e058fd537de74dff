// Which clients may call? Creates, rotates, revokes and verifies their credentials.

import { hash, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { makeApiKey } from '../crypto/api-key.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { Refusal } from '../errors.ts'
import { ExpiringMap } from '../expiring-map.ts'
import {
  type ClientRestrictions,
  findClient,
  findLiveCredential,
  insertClient,
  insertSecret,
  type LiveCredential,
  listSecrets,
  recordClientUse,
  restrictClient,
  revokeClient,
  revokeSecret,
} from '../storage/clients.ts'
import type { Database } from '../storage/database.ts'
import { liveSecrets } from './live-secrets.ts'
import { type Restrictions, restrictionsOf } from './restrictions.ts'

/** A client whose credentials were verified. */
export interface Caller {
  clientId: string
  tenantId: string
  /** Absent for a client that may do everything. */
  restrictions?: Restrictions
  /** What it may do through the admin API; absent: nothing. */
  role?: string
}

/** Shown once: the store has only a keyed hash of the secret. */
export interface IssuedCredentials {
  clientId: string
  clientSecret: string
}

/** A client may have two valid secrets: the one in use, and the next one during a rotation. */
const validSecrets = 2
/** Verified credentials are remembered for this long, so other servers notice a revocation within it. */
const rememberMs = 1000
const rememberedPairs = 10_000
/** Credentials that were right are verified, whoever guesses at their IP address, for this long. */
const trustMs = 24 * 3_600_000
const lastUsedPrecisionMs = 60_000

/** Limits wrong credentials and app ids; see http/admission.ts. */
export interface GuessLimit {
  /** The network of the caller, whose guesses are counted together. */
  network(): string
  /** Refuses before a secret or id is looked up that was not right before. */
  refuseIfSpent(): void
  countWrong(): Promise<void>
}

/** A key that has as many secrets as it may, is revoked or unknown. The message says what to do on the command line. */
export class ClientChangeRefused extends Error {
  override name = 'ClientChangeRefused'
  readonly reason: 'unknown' | 'revoked' | 'twoSecrets'

  constructor(reason: ClientChangeRefused['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export interface Credentials {
  /** Creates a client of a tenant. */
  createClient(tenantId: string, name: string, restrictions?: ClientRestrictions): Promise<IssuedCredentials>
  /** Replaces the restrictions of a client, for all of its secrets. */
  restrict(clientId: string, restrictions: ClientRestrictions): Promise<void>
  /**
   * Creates another secret. The previous one stays valid until `revoke(…, { olderOnly: true })`. When two are valid, callers may still
   * use the older one, so a rotation is refused unless `endOlder` is set, which revokes it.
   */
  rotate(clientId: string, options?: { endOlder?: boolean }): Promise<IssuedCredentials>
  /** Revokes the client; with `olderOnly`, revokes all secrets but the newest. */
  revoke(clientId: string, options?: { olderOnly?: boolean }): Promise<void>
  /**
   * The client with these credentials (specification 5).
   * Refuses with `credentialsMissing` when one is absent or empty, with `credentialsInvalid` when they are wrong, and with `clientExpired`.
   * An unknown client costs the same time as a wrong secret. Beyond `limit`, only credentials that
   * were right before are verified, and those that are right as far as this process knows (`live-secrets.ts`).
   */
  verify(clientId: string | undefined, clientSecret: string | undefined, limit?: GuessLimit): Promise<Caller>
  /** The client of an access token; undefined when it is revoked or unknown. Refuses with `clientExpired`. */
  live(clientId: string): Promise<Caller | undefined>
}

export interface CredentialsResources {
  database: Database
  keyring: Keyring
  clock: Clock
  log: Logger
}

export function credentials({ database, keyring, clock, log }: CredentialsResources): Credentials {
  /** Recently verified credentials, by a hash that only this process can compute. */
  const remembered = new ExpiringMap<string, Caller>({ clock, ttlMs: rememberMs, most: rememberedPairs })
  /** Clients of access tokens, for as long. */
  const alive = new ExpiringMap<string, Caller>({ clock, ttlMs: rememberMs, most: rememberedPairs })
  const wereRight = new ExpiringMap<string, true>({ clock, ttlMs: trustMs, most: rememberedPairs })
  const rightSecrets = liveSecrets({ database, clock })
  const salt = randomBytes(32).toString('base64')

  async function existingClient(clientId: string) {
    const client = await findClient(database, clientId)
    if (!client)
      throw new ClientChangeRefused('unknown', `there is no client ${clientId}; list all with: ringfence clients list`)
    if (client.revokedAt !== null)
      throw new ClientChangeRefused('revoked', `client ${clientId} is revoked; create another one`)
    return client
  }

  function unlessExpired(caller: Caller): Caller {
    const { expiresAt } = caller.restrictions ?? {}
    if (expiresAt !== undefined && expiresAt <= clock.now()) throw new Refusal('clientExpired')
    return caller
  }

  function forget(clientId: string): void {
    rightSecrets.forget()
    remembered.deleteWhere((caller) => caller.clientId === clientId)
    alive.deleteWhere((caller) => caller.clientId === clientId)
  }

  /** Guesses cost no query: a secret that is not known as right is refused here. */
  async function refuseBeyond(limit: GuessLimit, clientId: string, secretHash: Uint8Array): Promise<void> {
    try {
      limit.refuseIfSpent()
    } catch (refusal) {
      if (!(await rightSecrets.isRight(clientId, secretHash))) throw refusal
    }
  }

  function recordUse({ clientId, lastUsedAt }: LiveCredential): void {
    const now = clock.now()
    if (lastUsedAt !== null && now - lastUsedAt < lastUsedPrecisionMs) return
    recordClientUse(database, clientId, now).catch((error) =>
      log.warn({ err: error, clientId }, 'could not record the last use of a client'),
    )
  }

  return {
    async createClient(tenantId, name, restrictions) {
      const clientId = makeApiKey('rfc')
      const clientSecret = makeApiKey('rfs')
      const createdAt = clock.now()
      await database.transaction(async (tx) => {
        await insertClient(tx, { id: clientId, tenantId, name, createdAt })
        await insertSecret(tx, { clientId, secretId: '1', secretHash: keyring.hashSecret(clientSecret), createdAt })
        if (restrictions) await restrictClient(tx, clientId, restrictions)
      })
      rightSecrets.forget()
      return { clientId, clientSecret }
    },

    async restrict(clientId, restrictions) {
      await existingClient(clientId)
      await restrictClient(database, clientId, restrictions)
      forget(clientId)
    },

    async rotate(clientId, { endOlder = false } = {}) {
      await existingClient(clientId)
      const clientSecret = makeApiKey('rfs')
      const createdAt = clock.now()
      await database.transaction(async (tx) => {
        const secrets = await listSecrets(tx, clientId)
        const live = secrets.filter((secret) => secret.revokedAt === null).sort(newestFirst)
        if (live.length >= validSecrets && !endOlder) {
          throw new ClientChangeRefused(
            'twoSecrets',
            `client ${clientId} already has ${validSecrets} valid secrets. When its callers use the newer one, revoke the older one (ringfence clients revoke ${clientId} --older-secrets), then rotate again`,
          )
        }
        for (const { secretId } of live.slice(validSecrets - 1)) await revokeSecret(tx, clientId, secretId, createdAt)
        const secretId = String(1 + Math.max(0, ...secrets.map((secret) => Number(secret.secretId))))
        await insertSecret(tx, { clientId, secretId, secretHash: keyring.hashSecret(clientSecret), createdAt })
      })
      rightSecrets.forget()
      return { clientId, clientSecret }
    },

    async revoke(clientId, { olderOnly = false } = {}) {
      await existingClient(clientId)
      const now = clock.now()
      await database.transaction(async (tx) => {
        if (!olderOnly) return revokeClient(tx, clientId, now)
        const live = (await listSecrets(tx, clientId)).filter((secret) => secret.revokedAt === null).sort(newestFirst)
        for (const { secretId } of live.slice(1)) await revokeSecret(tx, clientId, secretId, now)
      })
      forget(clientId)
    },

    async verify(clientId, clientSecret, limit) {
      if (!clientId || !clientSecret) throw new Refusal('credentialsMissing')
      const pair = hash('sha256', `${salt}${clientId}\n${clientSecret}`, 'base64')
      const known = remembered.get(pair)
      if (known) return unlessExpired(known)
      const secretHash = keyring.hashSecret(clientSecret)
      if (limit && !wereRight.get(pair)) await refuseBeyond(limit, clientId, secretHash)

      const since = clock.now()
      const match = await findLiveCredential(database, secretHash)
      if (match?.clientId !== clientId) {
        wereRight.delete(pair)
        await limit?.countWrong()
        throw new Refusal('credentialsInvalid')
      }
      recordUse(match)
      const caller = callerOf(match)
      remembered.set(pair, caller, { since })
      wereRight.set(pair, true)
      return unlessExpired(caller)
    },

    async live(clientId) {
      const known = alive.get(clientId)
      if (known) return unlessExpired(known)
      const since = clock.now()
      const client = await findClient(database, clientId)
      if (!client || client.revokedAt !== null) return undefined
      const found = { ...client, clientId: client.id }
      recordUse(found)
      const caller = callerOf(found)
      alive.set(clientId, caller, { since })
      return unlessExpired(caller)
    },
  }
}

function callerOf(client: LiveCredential): Caller {
  const restrictions = restrictionsOf(client)
  return {
    clientId: client.clientId,
    tenantId: client.tenantId,
    ...(restrictions && { restrictions }),
    ...(client.role !== null && { role: client.role }),
  }
}

const newestFirst = (a: { secretId: string }, b: { secretId: string }) => Number(b.secretId) - Number(a.secretId)

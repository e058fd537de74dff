// Which clients may call? Creates, rotates, revokes and verifies their credentials.

import { hash, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { GuessLimit } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import { makeApiKey } from '../core/crypto/api-key.ts'
import type { Keyring } from '../core/crypto/keyring.ts'
import { Refusal } from '../core/errors.ts'
import { ExpiringMap } from '../core/expiring-map.ts'
import type { Database } from '../core/storage/database.ts'
import { type LiveSecrets, liveSecrets } from './live-secrets.ts'
import { type Restrictions, restrictionsOf } from './restrictions.ts'
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
} from './store/clients.ts'

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

/** A key that has as many secrets as it may, is revoked or unknown. The message says what to do on the command line. */
export class ClientChangeRefused extends Error {
  override name = 'ClientChangeRefused'
  readonly reason: 'unknown' | 'revoked' | 'twoSecrets'

  constructor(reason: ClientChangeRefused['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export interface CredentialsResources {
  database: Database
  keyring: Keyring
  clock: Clock
  log: Logger
}

export class Credentials {
  readonly #resources: CredentialsResources
  /** Recently verified credentials, by a hash that only this process can compute. */
  readonly #remembered: ExpiringMap<string, Caller>
  /** Clients of access tokens, for as long. */
  readonly #alive: ExpiringMap<string, Caller>
  readonly #wereRight: ExpiringMap<string, true>
  readonly #rightSecrets: LiveSecrets
  readonly #salt = randomBytes(32).toString('base64')

  constructor(resources: CredentialsResources) {
    const { clock } = resources
    this.#resources = resources
    this.#remembered = new ExpiringMap({ clock, ttlMs: rememberMs, most: rememberedPairs })
    this.#alive = new ExpiringMap({ clock, ttlMs: rememberMs, most: rememberedPairs })
    this.#wereRight = new ExpiringMap({ clock, ttlMs: trustMs, most: rememberedPairs })
    this.#rightSecrets = liveSecrets(resources)
  }

  /** Creates a client of a tenant. */
  async createClient(tenantId: string, name: string, restrictions?: ClientRestrictions): Promise<IssuedCredentials> {
    const { database, keyring, clock } = this.#resources
    const clientId = makeApiKey('rfc')
    const clientSecret = makeApiKey('rfs')
    const createdAt = clock.now()
    await database.transaction(async (tx) => {
      await insertClient(tx, { id: clientId, tenantId, name, createdAt })
      await insertSecret(tx, { clientId, secretId: '1', secretHash: keyring.hashSecret(clientSecret), createdAt })
      if (restrictions) await restrictClient(tx, clientId, restrictions)
    })
    this.#rightSecrets.forget()
    return { clientId, clientSecret }
  }

  /** Replaces the restrictions of a client, for all of its secrets. */
  async restrict(clientId: string, restrictions: ClientRestrictions): Promise<void> {
    await this.#existingClient(clientId)
    await restrictClient(this.#resources.database, clientId, restrictions)
    this.#forget(clientId)
  }

  /**
   * Creates another secret. The previous one stays valid until `revoke(…, { olderOnly: true })`. When two are valid, callers may still
   * use the older one, so a rotation is refused unless `endOlder` is set, which revokes it.
   */
  async rotate(clientId: string, { endOlder = false }: { endOlder?: boolean } = {}): Promise<IssuedCredentials> {
    const { database, keyring, clock } = this.#resources
    await this.#existingClient(clientId)
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
    this.#rightSecrets.forget()
    return { clientId, clientSecret }
  }

  /** Revokes the client; with `olderOnly`, revokes all secrets but the newest. */
  async revoke(clientId: string, { olderOnly = false }: { olderOnly?: boolean } = {}): Promise<void> {
    const { database, clock } = this.#resources
    await this.#existingClient(clientId)
    const now = clock.now()
    await database.transaction(async (tx) => {
      if (!olderOnly) return revokeClient(tx, clientId, now)
      const live = (await listSecrets(tx, clientId)).filter((secret) => secret.revokedAt === null).sort(newestFirst)
      for (const { secretId } of live.slice(1)) await revokeSecret(tx, clientId, secretId, now)
    })
    this.#forget(clientId)
  }

  async #existingClient(clientId: string): Promise<void> {
    const client = await findClient(this.#resources.database, clientId)
    if (!client)
      throw new ClientChangeRefused('unknown', `there is no client ${clientId}; list all with: ringfence clients list`)
    if (client.revokedAt !== null)
      throw new ClientChangeRefused('revoked', `client ${clientId} is revoked; create another one`)
  }

  #forget(clientId: string): void {
    this.#rightSecrets.forget()
    this.#remembered.deleteWhere((caller) => caller.clientId === clientId)
    this.#alive.deleteWhere((caller) => caller.clientId === clientId)
  }

  /**
   * The client with these credentials (specification 5).
   * Refuses with `credentialsMissing` when one is absent or empty, with `credentialsInvalid` when they are wrong, and with `clientExpired`.
   * An unknown client costs the same time as a wrong secret. Beyond `limit`, only credentials that
   * were right before are verified, and those that are right as far as this process knows (`live-secrets.ts`).
   */
  async verify(clientId: string | undefined, clientSecret: string | undefined, limit?: GuessLimit): Promise<Caller> {
    const { database, keyring, clock } = this.#resources
    if (!clientId || !clientSecret) throw new Refusal('credentialsMissing')
    const pair = hash('sha256', `${this.#salt}${clientId}\n${clientSecret}`, 'base64')
    const known = this.#remembered.get(pair)
    if (known) return this.#unlessExpired(known)
    const secretHash = keyring.hashSecret(clientSecret)
    if (limit && !this.#wereRight.get(pair)) await this.#refuseBeyond(limit, clientId, secretHash)

    const since = clock.now()
    const match = await findLiveCredential(database, secretHash)
    if (match?.clientId !== clientId) {
      this.#wereRight.delete(pair)
      await limit?.countWrong()
      throw new Refusal('credentialsInvalid')
    }
    this.#recordUse(match)
    const caller = callerOf(match)
    this.#remembered.set(pair, caller, { since })
    this.#wereRight.set(pair, true)
    return this.#unlessExpired(caller)
  }

  /** Guesses cost no query: a secret that is not known as right is refused here. */
  async #refuseBeyond(limit: GuessLimit, clientId: string, secretHash: Uint8Array): Promise<void> {
    try {
      limit.refuseIfSpent()
    } catch (refusal) {
      if (!(await this.#rightSecrets.isRight(clientId, secretHash))) throw refusal
    }
  }

  /** The client of an access token; undefined when it is revoked or unknown. Refuses with `clientExpired`. */
  async live(clientId: string): Promise<Caller | undefined> {
    const known = this.#alive.get(clientId)
    if (known) return this.#unlessExpired(known)
    const since = this.#resources.clock.now()
    const client = await findClient(this.#resources.database, clientId)
    if (!client || client.revokedAt !== null) return undefined
    const found = { ...client, clientId: client.id }
    this.#recordUse(found)
    const caller = callerOf(found)
    this.#alive.set(clientId, caller, { since })
    return this.#unlessExpired(caller)
  }

  #unlessExpired(caller: Caller): Caller {
    const { expiresAt } = caller.restrictions ?? {}
    if (expiresAt !== undefined && expiresAt <= this.#resources.clock.now()) throw new Refusal('clientExpired')
    return caller
  }

  #recordUse({ clientId, lastUsedAt }: LiveCredential): void {
    const { database, clock, log } = this.#resources
    const now = clock.now()
    if (lastUsedAt !== null && now - lastUsedAt < lastUsedPrecisionMs) return
    recordClientUse(database, clientId, now).catch((error) =>
      log.warn({ err: error, clientId }, 'could not record the last use of a client'),
    )
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

// Who may call? Clients of a tenant by clientId and clientSecret: made, rotated, revoked, verified.

import { hash, randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { makeApiKey } from '../crypto/api-key.ts'
import type { Keyring } from '../crypto/keyring.ts'
import { Refusal } from '../errors.ts'
import { ExpiringMap } from '../expiring-map.ts'
import {
  findClient,
  findLiveCredential,
  insertClient,
  insertSecret,
  type LiveCredential,
  listSecrets,
  recordClientUse,
  revokeClient,
  revokeSecret,
} from '../storage/clients.ts'
import type { Database } from '../storage/database.ts'

/** A caller whose credentials were verified. */
export interface Caller {
  clientId: string
  tenantId: string
}

/** Shown once; only the keyed hash of the secret is kept. */
export interface IssuedCredentials {
  clientId: string
  clientSecret: string
}

/** Live secrets a client may have at once: the one in use, and the next while callers change over. */
const liveSecrets = 2
/** A verified pair is not read again for this long, which bounds how late a revocation reaches a running server. */
const rememberMs = 1000
const rememberedPairs = 10_000
const lastUsedPrecisionMs = 60_000

export interface Credentials {
  /** A new client of a tenant. */
  createClient(tenantId: string, name: string): Promise<IssuedCredentials>
  /**
   * A further secret for a client; the one before it stays live until `revoke(…, { olderOnly: true })`. While two live, the
   * older is the one that callers still use, as often as not: it ends only with `endOlder`, and the rotation is refused without.
   */
  rotate(clientId: string, options?: { endOlder?: boolean }): Promise<IssuedCredentials>
  /** Revokes the client with every secret, or with `olderOnly` every secret but the newest. */
  revoke(clientId: string, options?: { olderOnly?: boolean }): Promise<void>
  /**
   * The caller whom these headers stand for (specification 5).
   * Refuses with `credentialsMissing` when either is absent or empty, with `credentialsInvalid` otherwise.
   * An unknown client costs the same time as a wrong secret.
   */
  verify(clientId: string | undefined, clientSecret: string | undefined): Promise<Caller>
}

export interface CredentialsResources {
  database: Database
  keyring: Keyring
  clock: Clock
  log: Logger
}

export function credentials({ database, keyring, clock, log }: CredentialsResources): Credentials {
  /** Pairs that were verified a moment ago, by a hash that only this process can make. */
  const remembered = new ExpiringMap<string, Caller>({ clock, ttlMs: rememberMs, most: rememberedPairs })
  const salt = randomBytes(32).toString('base64')

  async function existingClient(clientId: string) {
    const client = await findClient(database, clientId)
    if (!client) throw new Error(`there is no client ${clientId}; ringfence clients list shows all`)
    if (client.revokedAt !== null) throw new Error(`client ${clientId} is revoked; make another one`)
    return client
  }

  function recordUse({ clientId, lastUsedAt }: LiveCredential): void {
    const now = clock.now()
    if (lastUsedAt !== null && now - lastUsedAt < lastUsedPrecisionMs) return
    recordClientUse(database, clientId, now).catch((error) =>
      log.warn({ err: error, clientId }, 'last use not recorded'),
    )
  }

  return {
    async createClient(tenantId, name) {
      const clientId = makeApiKey('rfc')
      const clientSecret = makeApiKey('rfs')
      const createdAt = clock.now()
      await database.transaction(async (tx) => {
        await insertClient(tx, { id: clientId, tenantId, name, createdAt })
        await insertSecret(tx, { clientId, secretId: '1', secretHash: keyring.hashSecret(clientSecret), createdAt })
      })
      return { clientId, clientSecret }
    },

    async rotate(clientId, { endOlder = false } = {}) {
      await existingClient(clientId)
      const clientSecret = makeApiKey('rfs')
      const createdAt = clock.now()
      await database.transaction(async (tx) => {
        const secrets = await listSecrets(tx, clientId)
        const live = secrets.filter((secret) => secret.revokedAt === null).sort(newestFirst)
        if (live.length >= liveSecrets && !endOlder) {
          throw new Error(
            `client ${clientId} has ${liveSecrets} live secrets already: once its callers use the newer one, end the older (ringfence clients revoke ${clientId} --older-secrets), then rotate`,
          )
        }
        for (const { secretId } of live.slice(liveSecrets - 1)) await revokeSecret(tx, clientId, secretId, createdAt)
        const secretId = String(1 + Math.max(0, ...secrets.map((secret) => Number(secret.secretId))))
        await insertSecret(tx, { clientId, secretId, secretHash: keyring.hashSecret(clientSecret), createdAt })
      })
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
      remembered.deleteWhere((caller) => caller.clientId === clientId)
    },

    async verify(clientId, clientSecret) {
      if (!clientId || !clientSecret) throw new Refusal('credentialsMissing')
      const pair = hash('sha256', `${salt}${clientId}\n${clientSecret}`, 'base64')
      const known = remembered.get(pair)
      if (known) return known

      const since = clock.now()
      const match = await findLiveCredential(database, keyring.hashSecret(clientSecret))
      if (match?.clientId !== clientId) throw new Refusal('credentialsInvalid')
      recordUse(match)
      const caller = { clientId: match.clientId, tenantId: match.tenantId }
      remembered.set(pair, caller, { since })
      return caller
    },
  }
}

const newestFirst = (a: { secretId: string }, b: { secretId: string }) => Number(b.secretId) - Number(a.secretId)

// Which SDK session is this? It lasts minutes and is found by the hash of its bearer token.

import { hash } from 'node:crypto'
import type { DevicePlatform } from '@ringfence/contract'
import type { Clock } from '../core/clock.ts'
import { isApiKey, makeApiKey } from '../core/crypto/api-key.ts'
import type { TenantKeyring } from '../core/crypto/tenant-keyring.ts'
import { Refusal } from '../core/errors.ts'
import type { Database } from '../core/storage/database.ts'
import type { App, SdkSession } from './app.ts'
import type { Apps } from './apps.ts'
import { challengeAfter } from './challenge.ts'
import { newSessionId } from './session-id.ts'
import { dropExpiredSessions as dropBatch, findSession, insertSession } from './store/sdk-sessions.ts'

export interface NewSession {
  id: string
  /** Returned once. Only its hash is stored. */
  token: string
  challenge: string
  expiresAt: number
}

interface Resources {
  database: Database
  clock: Clock
}

const lifetimeMs = 15 * 60_000

/** Epoch milliseconds. */
export const startOf = ({ expiresAt }: Pick<SdkSession, 'expiresAt'>): number => expiresAt - lifetimeMs

/** Returns after the session is durable, so that every server knows it. */
export async function startSession(
  app: App,
  platform: DevicePlatform,
  packageName: string,
  { database, clock, tenantKeyring }: Resources & { tenantKeyring: TenantKeyring },
): Promise<NewSession> {
  const now = clock.now()
  const id = newSessionId(now)
  const token = makeApiKey('rfb')
  const challenge = challengeAfter(id, id, await tenantKeyring.keysOf(app.tenantId))
  const expiresAt = now + lifetimeMs
  await insertSession(database, {
    hash: sessionKey(token),
    id,
    appId: app.id,
    platform,
    packageName,
    expiresAt,
  })
  return { id, token, challenge, expiresAt }
}

/**
 * The live session of an Authorization header (RFC 6750). Refuses with `sessionInvalid`, and as
 * `apps.named` does.
 */
export async function sessionOfBearer(
  authorization: string | undefined,
  { database, clock, apps }: Resources & { apps: Apps },
): Promise<SdkSession> {
  const [, token = ''] = /^Bearer +([0-9A-Za-z_]+)$/i.exec(authorization ?? '') ?? []
  if (!isApiKey(token, 'rfb')) throw new Refusal('sessionInvalid')
  const key = sessionKey(token)
  const found = await findSession(database, key)
  if (!found || clock.now() >= found.expiresAt) throw new Refusal('sessionInvalid')
  const { id, appId, platform, packageName, expiresAt } = found
  return { id, key, app: await apps.named(appId), platform, packageName, expiresAt }
}

const sessionKey = (token: string): Uint8Array => hash('sha256', token, 'buffer').subarray(0, 16)

/** Small enough that other writes do not wait. */
const batchSize = 500

/** Deletes expired sessions, in batches. */
export async function dropExpiredSessions({ database, clock }: Resources): Promise<void> {
  while ((await dropBatch(database, clock.now(), batchSize)) === batchSize);
}

// Which SDK session is this? It lasts minutes, and its bearer token holds all of it: nothing of a session is stored.

import type { SdkConfigQuery } from '@ringfence/contract'
import type { Clock } from '../core/clock.ts'
import { UnknownKeyVersion } from '../core/crypto/keyring.ts'
import type { TenantKeyring } from '../core/crypto/tenant-keyring.ts'
import { Refusal } from '../core/errors.ts'
import type { App, SdkSession } from './app.ts'
import type { Apps } from './apps.ts'
import { challengeAfter } from './challenge.ts'
import { newSessionId } from './session-id.ts'
import { appIdOf, makeToken, type SealedSession, sealedPart, sessionOf } from './session-token.ts'

export interface NewSession {
  id: string
  token: string
  challenge: string
  expiresAt: number
}

interface Resources {
  clock: Clock
  tenantKeyring: TenantKeyring
}

const lifetimeMs = 15 * 60_000

/** Epoch milliseconds. */
export const startOf = ({ expiresAt }: Pick<SdkSession, 'expiresAt'>): number => expiresAt - lifetimeMs

/** Stores nothing: every server that has the keys of the tenant knows the session. */
export async function startSession(
  app: App,
  phone: SdkConfigQuery,
  { clock, tenantKeyring }: Resources,
): Promise<NewSession> {
  const now = clock.now()
  const id = newSessionId(now)
  const keys = await tenantKeyring.keysOf(app.tenantId)
  const expiresAt = now + lifetimeMs
  const token = makeToken(app.id, { ...phone, id, expiresAt }, keys)
  return { id, token, challenge: challengeAfter(id, { appId: app.id, sessionId: id }, keys), expiresAt }
}

/**
 * The live session of an Authorization header (RFC 6750). Refuses with `sessionInvalid`, also when the app has revoked it, and with
 * `appDisabled`.
 */
export async function sessionOfBearer(
  authorization: string | undefined,
  { clock, apps, tenantKeyring }: Resources & { apps: Apps },
): Promise<SdkSession> {
  const [, token = ''] = /^Bearer +([\w-]+)$/i.exec(authorization ?? '') ?? []
  const appId = appIdOf(token)
  if (appId === undefined) throw new Refusal('sessionInvalid')
  const app = await apps.named(appId).catch((error) => {
    throw error instanceof Refusal && error.failure === 'appUnknown' ? new Refusal('sessionInvalid') : error
  })
  const session = await opened(token, app, tenantKeyring)
  const isOver = clock.now() >= session.expiresAt || startOf(session) < (app.sessionsRevokedBefore ?? 0)
  if (isOver) throw new Refusal('sessionInvalid')
  return { app, ...session }
}

async function opened(token: string, app: App, tenantKeyring: TenantKeyring): Promise<SealedSession> {
  const sealed = sealedPart(token)
  // Twice: an unknown version makes the keyring read its keys again, once a second, since another server may have a newer one.
  for (const _ of ['as known', 'as read again']) {
    const keys = await tenantKeyring.keysOf(app.tenantId)
    try {
      return sessionOf(sealed, app.id, keys)
    } catch (error) {
      if (!(error instanceof UnknownKeyVersion)) break
    }
  }
  throw new Refusal('sessionInvalid')
}

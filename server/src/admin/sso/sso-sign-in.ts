// /admin/v1/sso/start and finish: how does a person sign in with the identity provider of their tenant?
//
// What belongs to a sign-in in progress is in a sealed cookie of the browser that began it. So nothing is stored for strangers, and
// nobody can finish it in another browser.

import { createHash, timingSafeEqual } from 'node:crypto'
import {
  type FinishedSso,
  type FinishSsoRequest,
  type NoFields,
  type SsoConnections,
  type StartedSso,
  type StartSsoRequest,
  ssoCallbackPath,
} from '@ringfence/contract'
import { randomState } from 'openid-client'
import { Refusal } from '../../core/errors.ts'
import { cameBackTo } from '../../upstream/oauth/callback-url.ts'
import type { AdminCall } from '../call.ts'
import { meOf } from '../calls/me.ts'
import { isOnThisMachine } from '../passkeys/relying-party.ts'
import type { AdminNeeds } from '../room.ts'
import { markSsoDone } from '../store/single-sign-on.ts'
import { connectionById, listedConnections, redirectUriOf, type SsoConnection } from './connection.ts'
import type { BegunSso } from './provider.ts'
import { admitPerson } from './sso-person.ts'

const attemptMs = 600_000
const context = 'single sign-on in progress'

interface Attempt extends BegunSso {
  readonly ssoId: string
  readonly issuer: string
  readonly returnTo: string
  readonly expiresAt: number
}

export async function adminListSsoConnections(_: NoFields, __: AdminCall, needs: AdminNeeds): Promise<SsoConnections> {
  const found = await listedConnections(needs)
  return { connections: found.map(({ id, name }) => ({ ssoId: id, name })) }
}

export async function adminStartSso(
  { ssoId, returnTo = '/console', loopback }: StartSsoRequest,
  { response }: AdminCall,
  needs: AdminNeeds,
): Promise<StartedSso> {
  const connection = await enabledConnection(ssoId, needs)
  const { issuer } = connection
  const redirectUri = redirectUriOf(ssoId, needs)
  const request = { state: randomState() + wayBack(loopback, redirectUri), redirectUri }
  const { url: authorizationUrl, secrets } = await needs.admin.sso.begin(connection, request)
  const expiresAt = needs.clock.now() + attemptMs
  const attempt: Attempt = { ...request, secrets, ssoId, issuer, returnTo, expiresAt }
  const sealed = needs.keyring.service.seal(JSON.stringify(attempt), context)
  response.ssoToken = Buffer.from(sealed).toString('base64url')
  return { authorizationUrl }
}

export async function adminFinishSso(
  { ssoId, ...answer }: FinishSsoRequest,
  call: AdminCall,
  needs: AdminNeeds,
): Promise<FinishedSso> {
  const {
    clock,
    admin: { sso },
  } = needs
  const { state } = answer
  const attempt = attemptIn(call.ssoToken, needs)
  if (!attempt || attempt.expiresAt <= clock.now() || !isSame(state, attempt.state)) throw new Refusal('ssoExpired')
  // Before anything is sent: the code of one provider must not be taken to another one.
  if (!cameBackTo(attempt.redirectUri, ssoId, ssoCallbackPath)) throw new Refusal('ssoElsewhere')
  const connection = await enabledConnection(attempt.ssoId, needs)
  // The tenant has configured another provider meanwhile.
  if (connection.issuer !== attempt.issuer) throw new Refusal('ssoExpired')
  const claims = await sso.claims(connection, attempt, answer)
  const stateHash = createHash('sha256').update(state).digest()
  const { token, actor } = await admitPerson(connection, claims, call, needs, async (tx) => {
    if (!(await markSsoDone(tx, stateHash, attempt.expiresAt))) throw new Refusal('ssoExpired')
  })
  call.response.sessionToken = token
  call.response.ssoToken = null
  return { returnTo: attempt.returnTo, me: await meOf(actor, needs) }
}

/** Browsers keep a cookie for one name of this machine only, and the provider returns to one. A service elsewhere is never left. */
function wayBack(loopback: StartSsoRequest['loopback'], redirectUri: string): string {
  return loopback !== undefined && isOnThisMachine(redirectUri) ? `_at_${loopback}` : ''
}

async function enabledConnection(ssoId: string, needs: AdminNeeds): Promise<SsoConnection> {
  const connection = await connectionById(ssoId, needs)
  if (connection?.enabled !== 1) throw new Refusal('ssoUnknown')
  return connection
}

function attemptIn(token: string | undefined, { keyring }: AdminNeeds): Attempt | undefined {
  if (token === undefined || token === '') return undefined
  try {
    return JSON.parse(keyring.service.open(Buffer.from(token, 'base64url'), context))
  } catch {
    return undefined
  }
}

function isSame(sent: string, expected: string): boolean {
  const [a, b] = [Buffer.from(sent), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

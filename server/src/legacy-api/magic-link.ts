// How does a backend send a magic link itself? The legacy API of existing server SDKs.

import type { MagicLinkRequest, MagicLinkSent, SignInStartRequest } from '@ringfence/contract'
import type { App } from '../apps/app.ts'
import { listApps } from '../apps/stored-apps.ts'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import type { SignInContext } from '../sign-in/authentication/sign-in-context.ts'
import { startByMessage } from '../sign-in/authentication/start-by-message.ts'
import { contextOfApp } from './app-context.ts'
import type { LegacyApiNeeds } from './room.ts'

/**
 * GET /auth/v1/authorize. The link leads to `redirect_uri` with a code that only this client can exchange. A repeated call returns the
 * same id and sends nothing until a message may be sent again. Refuses with redirectUrlRefused, and as a sign-in by magic link does.
 */
export async function sendMagicLink(body: MagicLinkRequest, call: Call, needs: LegacyApiNeeds): Promise<MagicLinkSent> {
  const { redirect_uri: redirectUrl, channel: method } = body
  const identity = identityOf(body)
  const { clientId: codeClient } = call.caller
  const app = await appOf(redirectUrl, call, needs)
  const request = {
    channel: 'MAGIC_LINK' as const,
    identity,
    redirectUrl,
    ...(method && { method: method.toUpperCase() }),
    ...challengeOf(body),
  }
  const order = { numberField: 'mobile_number', codeClient }
  const { transactionId } = await startByMessage(request, onlyLinks(contextOfApp(app, call)), needs, order)
  return { requestIds: [{ type: identity.type, value: transactionId }] }
}

/** Without its method, a challenge is its verifier in plain text (RFC 7636, 4.3), and a method alone protects nothing. */
function challengeOf({ code_challenge: codeChallenge, code_challenge_method: method }: MagicLinkRequest) {
  if ((codeChallenge === undefined) !== (method === undefined))
    throw new Refusal('fieldInvalid', { mistake: 'send code_challenge and code_challenge_method=S256, or neither' })
  return codeChallenge === undefined ? {} : { codeChallenge }
}

/** The oldest app of the tenant that lists the URL and lets the client exchange its codes. */
async function appOf(redirectUrl: string, { caller }: Call, { database }: LegacyApiNeeds): Promise<App> {
  const { clientId, tenantId } = caller
  const app = (await listApps(database, tenantId)).find(
    ({ disabledAt, settings: { redirectUrls, codeClients } }) =>
      disabledAt === null && redirectUrls.includes(redirectUrl) && codeClients?.includes(clientId) !== false,
  )
  if (!app) throw new Refusal('redirectUrlRefused')
  return app
}

/** A step-up of the telecom gate can only be another link: a backend has no page for an OTP or an identity provider. */
function onlyLinks(context: SignInContext): SignInContext {
  const { gate } = context.settings
  if (!gate?.stepUp || gate.stepUp.channel === 'MAGIC_LINK') return context
  const { stepUp: _, ...rest } = gate
  return { ...context, settings: { ...context.settings, gate: rest } }
}

function identityOf({ email, mobile_number }: MagicLinkRequest): NonNullable<SignInStartRequest['identity']> {
  if (Boolean(email) === Boolean(mobile_number)) {
    throw new Refusal('fieldInvalid', { mistake: 'send either email or mobile_number' })
  }
  if (email) return { type: 'EMAIL', value: email }
  // A plus sign that the caller did not encode arrives as a space.
  return { type: 'MOBILE', value: mobile_number!.replace(/^[+ ]/, '') }
}

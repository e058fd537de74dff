// How does a sign-in start with an identity provider? The person is sent there and comes back to callback.ts.

import type { SignInStartRequest, SignInTransaction } from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { callbackUrl } from '../../upstream/oauth/callback-url.ts'
import { signInInsert } from '../store/sign-ins.ts'
import { ChannelFailed } from './channel.ts'
import type { GateFindings } from './gate.ts'
import { readRedirectUrl } from './redirect-url.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import { isFingerprinted, plainDevice } from './sign-in-device.ts'
import { started } from './sign-in-events.ts'
import {
  idHashOf,
  newReturnCode,
  newTransactionId,
  returningRecord,
  type SignInContent,
  sealContent,
} from './transaction.ts'

/** With the name of the channel behind it: where its identity provider redirects people to. */
export const callbackPath = '/auth/v1/oauth/callback'

/** Time to sign in at the identity provider, or even to sign up there. */
const lifetimeMs = 15 * 60_000

export async function startByRedirect(
  request: SignInStartRequest,
  context: SignInContext,
  needs: SignInNeeds,
  gate?: GateFindings,
): Promise<SignInTransaction> {
  const { method, identity, redirectUrl, codeChallenge, locale, dfrId } = request
  const { tenantId, appId, appName, sessionId, signal, requestId } = context
  const channel = needs.signIn.channels.forRedirect(context, method)
  if (redirectUrl === undefined) throw new Refusal('redirectUrlRefused')
  const now = needs.clock.now()
  const transactionId = newTransactionId()
  const idHash = idHashOf(transactionId)
  const state = newReturnCode(idHash)
  const redirectUri = callbackUrl(needs.addresses.auth() + callbackPath, channel.name)
  const returnUrl = readRedirectUrl(redirectUrl, context)
  const { authorizationUrl, secrets } = await channel
    .start(
      {
        state,
        callbackUrl: redirectUri,
        ...(identity && { loginHint: identity.value }),
        ...(locale !== undefined && { locale }),
      },
      signal,
    )
    .catch((error) => {
      throw providerFailure(error, channel.name, requestId, needs)
    })
  const deviceInfo = plainDevice(request, context)
  const content: SignInContent = {
    transactionId,
    ...(sessionId !== undefined && { sessionId }),
    appName,
    redirectUrl: returnUrl,
    ...(codeChallenge !== undefined && { codeChallenge }),
    redirect: { channel: channel.name, secrets, callbackUrl: redirectUri },
    ...(deviceInfo && { deviceInfo }),
    ...(dfrId !== undefined && { dfrId }),
    ...(isFingerprinted(request) && { isFingerprinted: true }),
    ...(context.addsTo && { addsTo: context.addsTo }),
    ...(gate && { gate }),
  }
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const opened = { idHash, tenantId, appId, channel: 'OAUTH', method: channel.method, createdAt: now }
  const sealed = sealContent(keys, idHash, content)
  const insert = signInInsert(returningRecord({ ...opened, expiresAt: now + lifetimeMs, sealed }, state))
  const { ipAddress } = context
  const place = { idHash, appId, channel: 'OAUTH', method: channel.method, ipAddress, requestId }
  const statements = [insert, ...(await needs.events.statements(tenantId, [started(place)]))]
  needs.apps.storageBudget.take(appId, ipAddress, statements)
  await needs.database.batch(statements)
  needs.metrics.count('signInSteps', 'started', 'OAUTH')
  return {
    transactionId,
    channel: 'OAUTH',
    method: channel.method,
    expiresAt: new Date(now + lifetimeMs).toISOString(),
    authorizationUrl,
  }
}

function providerFailure(error: unknown, channel: string, requestId: string, { log }: SignInNeeds): unknown {
  if (!(error instanceof ChannelFailed)) return error
  log.warn(
    { channel, requestId, reason: error.reason, cause: error.message },
    'the identity provider cannot be reached',
  )
  return new Refusal('providerFailed', { retryAfterSeconds: 5 })
}

// Which person came back with this code? The token endpoint, for backends that exchange the code instead of an SDK.

import type { CodeExchangeAnswer, CodeExchangeRequest } from '@ringfence/contract'
import type { App } from '../apps/app.ts'
import { completeSignIn } from '../authentication/complete.ts'
import type { SignInContext } from '../authentication/sign-in-context.ts'
import { openProof, signInOfCode } from '../authentication/transaction.ts'
import type { Call } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'

/**
 * POST /auth/v1/oauth/token (RFC 6749, 4.1.3). `code` is the `ringfence_code` of a magic link or of
 * a sign-in with an identity provider, in the caller's tenant. It is accepted once, by this call or
 * by an SDK's verify. Refuses with `codeInvalid`.
 */
export async function exchangeCode(
  { code }: CodeExchangeRequest,
  call: Call,
  platform: Platform,
): Promise<CodeExchangeAnswer> {
  const { clientId, tenantId } = call.caller
  const signIn = await signInOfCode(code, platform)
  if (!signIn || signIn.record.tenantId !== tenantId) throw new Refusal('codeInvalid')
  const { record } = signIn
  if (record.state !== 'proved' || record.expiresAt <= platform.clock.now()) throw new Refusal('codeInvalid')
  try {
    const app = await platform.apps.named(record.appId)
    const proof = openProof(await platform.tenantKeyring.keysOf(tenantId), record)
    const user = await completeSignIn({ signIn, from: 'proved', proof, device: {} }, contextOf(app, call), platform)
    const { userId, identities, timestamp, token } = user
    const idToken = await platform.idTokens.sign({
      appId: app.id,
      clientId,
      userId,
      identities,
      signedInAt: Date.parse(timestamp),
      ...(proof.profile && { profile: proof.profile }),
    })
    const lifetime = platform.settings.tokenLifetimeSeconds
    return { id_token: idToken, access_token: token, token_type: 'Bearer', expires_in: lifetime }
  } catch (error) {
    // Another call was faster, or the app has been disabled.
    if (error instanceof Refusal) throw new Refusal('codeInvalid', { cause: error })
    throw error
  }
}

/** No session, IP address or headers: those of a backend say nothing about the person. */
function contextOf(app: App, { requestId, correlator, signal, provenance }: Call): SignInContext {
  return {
    requestId,
    correlator,
    signal,
    provenance,
    tenantId: app.tenantId,
    appId: app.id,
    appName: app.name,
    settings: app.settings,
    origins: app.origins,
  }
}

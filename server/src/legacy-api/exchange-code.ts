// The token endpoint: which person came back with this code? A backend exchanges it, where no SDK does.

import type { CodeExchangeAnswer, CodeExchangeRequest } from '@ringfence/contract'
import type { App } from '../apps/app.ts'
import { completeSignIn } from '../authentication/complete.ts'
import { openProof, type SignIn, signInOfCode } from '../authentication/transaction.ts'
import type { Call, SessionCall } from '../call.ts'
import { Refusal } from '../errors.ts'
import type { Platform } from '../platform.ts'

/**
 * POST /auth/v1/oauth/token (RFC 6749, 4.1.3). `code` is the `ringfence_code` of a sign-in by a provider or a magic link, of the
 * caller's tenant; whoever comes first, this call or an SDK's verify, gets the person. Refuses with `codeInvalid`.
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
    const user = await completeSignIn(
      { signIn, from: 'proved', proof, device: {} },
      callOf(signIn, app, call),
      platform,
    )
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
    // Another one was faster, or the app is disabled by now.
    if (error instanceof Refusal) throw new Refusal('codeInvalid', { cause: error })
    throw error
  }
}

/** The call that completes the sign-in; where a backend stands says nothing of the person. */
function callOf({ record, content }: SignIn, app: App, call: Call): SessionCall {
  const { requestId, correlator, signal, provenance } = call
  const { sessionId: id } = content
  const session = {
    id,
    key: record.idHash,
    app,
    platform: 'WEB',
    packageName: '',
    expiresAt: record.expiresAt,
  } as const
  return {
    requestId,
    correlator,
    signal,
    provenance,
    address: undefined,
    headers: {},
    deviceCookie: { token: undefined },
    app,
    session,
  }
}

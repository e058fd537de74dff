// Which person came back with this code? The token endpoint, for backends that exchange the code instead of an SDK.

import type { CodeExchangeAnswer, CodeExchangeRequest } from '@ringfence/contract'
import type { Call } from '../clients/call.ts'
import { Refusal } from '../core/errors.ts'
import { completeSignIn } from '../sign-in/authentication/complete.ts'
import { isVerifierOf, openProof, signInOfCode } from '../sign-in/authentication/transaction.ts'
import { contextOfApp } from './app-context.ts'
import type { LegacyApiNeeds } from './room.ts'

/**
 * POST /auth/v1/oauth/token (RFC 6749, 4.1.3). `code` is the `ringfence_code` (or `code`) of a magic link or of
 * a sign-in with an identity provider, in the caller's tenant. It is accepted once, by this call or
 * by an SDK's verify. `redirect_uri` and `transaction_id` must be those of the sign-in, and `code_verifier` that of its code challenge; the
 * app may name its clients. Refuses with `codeInvalid`.
 */
export async function exchangeCode(
  { code, redirect_uri, code_verifier, transaction_id }: CodeExchangeRequest,
  call: Call,
  needs: LegacyApiNeeds,
): Promise<CodeExchangeAnswer> {
  const { clientId, tenantId } = call.caller
  const signIn = await signInOfCode(code, needs)
  if (!signIn || signIn.record.tenantId !== tenantId) throw new Refusal('codeInvalid')
  const { record, content } = signIn
  if (content.codeClient !== undefined && content.codeClient !== clientId) throw new Refusal('codeInvalid')
  if (redirect_uri !== undefined && redirect_uri !== content.redirectUrl) throw new Refusal('codeInvalid')
  if (transaction_id !== undefined && transaction_id !== content.transactionId) throw new Refusal('codeInvalid')
  if (!isVerifierOf(content.codeChallenge, code_verifier)) throw new Refusal('codeInvalid')
  if (record.state !== 'proved' || record.expiresAt <= needs.clock.now()) throw new Refusal('codeInvalid')
  try {
    const app = await needs.apps.named(record.appId)
    if (app.settings.codeClients?.includes(clientId) === false) throw new Refusal('codeInvalid')
    const proof = openProof(await needs.tenantKeyring.keysOf(tenantId), record)
    const user = await completeSignIn({ signIn, from: 'proved', proof, device: {} }, contextOfApp(app, call), needs)
    const { userId, identities, timestamp, token } = user
    const idToken = await needs.idTokens.sign({
      appId: app.id,
      clientId,
      userId,
      identities,
      signedInAt: Date.parse(timestamp),
      ...(proof.profile && { profile: proof.profile }),
    })
    const lifetime = needs.settings.tokenLifetimeSeconds
    return { id_token: idToken, access_token: token, token_type: 'Bearer', expires_in: lifetime }
  } catch (error) {
    // Another call was faster, or the app has been disabled.
    if (error instanceof Refusal) throw new Refusal('codeInvalid', { cause: error })
    throw error
  }
}

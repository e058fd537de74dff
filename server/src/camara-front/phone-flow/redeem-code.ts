// Which access token does a client get for the code of a phone? One for one call about that phone. (RFC 6749, 4.1.3; RFC 7636)

import { createHash, hash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { AccessTokenAnswer, AccessTokenRequest } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import { phoneTokenSeconds } from '../access-tokens.ts'
import type { CamaraFrontNeeds } from '../room.ts'
import { readScope } from '../scope.ts'
import { openStep, takeStep } from './steps.ts'

/** Used up by the first attempt of its client, also a wrong one. Refuses with `codeInvalid`. */
export async function redeemCode(
  { code = '', redirect_uri, code_verifier = '' }: AccessTokenRequest,
  { caller: { clientId, tenantId } }: Call,
  needs: CamaraFrontNeeds,
): Promise<AccessTokenAnswer> {
  const phone = hash('sha256', `access token of ${code}`, 'base64url')
  const step = await takeStep('code', code, needs, clientId)
  if (!step) {
    // Perhaps somebody has used it before: his token ends (RFC 6749, 4.1.2).
    await takeStep('token', phone, needs, clientId)
    throw new Refusal('codeInvalid')
  }
  const { begun, returned, request } = step.content
  if (step.tenantId !== tenantId || request.redirectUri !== redirect_uri || !fits(code_verifier, request.challenge))
    throw new Refusal('codeInvalid')
  const content = { begun, returned, asks: request.asks }
  await openStep('token', phone, { tenantId, clientId, content, lifetimeMs: phoneTokenSeconds * 1000 }, needs)
  const scope = readScope(request.scope)
  const subject = randomUUID()
  const [accessToken, idToken] = await Promise.all([
    needs.camaraFront.accessTokens.issue({ clientId, scope, phone }, subject),
    needs.camaraFront.accessTokens.identify(clientId, subject, request.nonce),
  ])
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: phoneTokenSeconds,
    scope: `openid ${request.scope}`,
    id_token: idToken,
  }
}

function fits(verifier: string, challenge: string): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false
  return timingSafeEqual(createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url'))
}

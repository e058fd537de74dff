// POST /camara/oauth2/token: which access token does a CAMARA client get for its credentials? (RFC 6749, 4.4)

import type { AccessTokenAnswer, AccessTokenRequest } from '@ringfence/contract'
import type { Call } from '../call.ts'
import type { Platform } from '../platform.ts'
import { accessTokenSeconds } from './access-tokens.ts'
import { readScope, scopeText } from './scope.ts'

/** The credentials were verified before. Refuses with scopeInvalid. */
export async function issueAccessToken(
  { scope: text }: AccessTokenRequest,
  { caller }: Call,
  platform: Platform,
): Promise<AccessTokenAnswer> {
  const scope = readScope(text)
  const accessToken = await platform.accessTokens.issue({ clientId: caller.clientId, scope })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    scope: scopeText(scope),
  }
}

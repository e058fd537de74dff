// POST /camara/oauth2/token: which access token does a CAMARA client get? For its credentials (RFC 6749, 4.4), or for the code of a phone.

import type { AccessTokenAnswer, AccessTokenRequest } from '@ringfence/contract'
import type { Call } from '../clients/call.ts'
import { clientTokenSeconds } from './access-tokens.ts'
import { redeemCode } from './phone-flow/redeem-code.ts'
import type { CamaraFrontNeeds } from './room.ts'
import { readScope, scopeText } from './scope.ts'

/** The credentials were verified before. Refuses with scopeInvalid and codeInvalid. */
export async function issueAccessToken(
  request: AccessTokenRequest,
  call: Call,
  needs: CamaraFrontNeeds,
): Promise<AccessTokenAnswer> {
  if (request.grant_type === 'authorization_code') return redeemCode(request, call, needs)
  const scope = readScope(request.scope ?? '')
  const accessToken = await needs.camaraFront.accessTokens.issue({ clientId: call.caller.clientId, scope })
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: clientTokenSeconds,
    scope: scopeText(scope),
  }
}

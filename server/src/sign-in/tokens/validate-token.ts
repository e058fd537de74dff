// 4.4 Verify frontend token: which user does this token belong to?

import type { TokenVerification, ValidateTokenRequest } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { Refusal } from '../../core/errors.ts'
import { JsonText } from '../../core/json/json-text.ts'
import { exchange } from './exchange.ts'
import type { TokensNeeds } from './room.ts'

/** The object of 2.4. Refuses as `exchange` does, and with `tokenInvalid` for a token without a login. */
export async function validateToken(
  { token }: ValidateTokenRequest,
  call: Call,
  needs: TokensNeeds,
): Promise<JsonText<TokenVerification>> {
  const { text: login } = await exchange(token, 'login', call, needs)
  if (login === undefined) throw new Refusal('tokenInvalid')
  // The token is stored nowhere, so it is added here. Its digits need no escaping.
  return new JsonText(`{"token":"${token}",${login.slice(1)}`)
}

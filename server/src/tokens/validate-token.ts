// 4.4 Verify frontend token: which user does this token belong to?

import type { TokenVerification, ValidateTokenRequest } from '@ringfence/contract'
import type { Call } from '../call.ts'
import { Refusal } from '../errors.ts'
import { JsonText } from '../json/json-text.ts'
import type { Platform } from '../platform.ts'
import { exchange } from './exchange.ts'

/** The object of 2.4. Refuses as `exchange` does, and with `tokenInvalid` for a token without a login. */
export async function validateToken(
  { token }: ValidateTokenRequest,
  call: Call,
  platform: Platform,
): Promise<JsonText<TokenVerification>> {
  const login = await exchange(token, 'login', call, platform)
  if (login === undefined) throw new Refusal('tokenInvalid')
  // The token is stored nowhere, so it is added here. Its digits need no escaping.
  return new JsonText(`{"token":"${token}",${login.slice(1)}`)
}

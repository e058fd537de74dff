// 4.5 Secure info: what do we know about the device and network of this token?

import type { SecureInfoRequest, SecureInfoResult } from '@ringfence/contract'
import type { Call } from '../../clients/call.ts'
import { JsonText } from '../../core/json/json-text.ts'
import { exchange } from './exchange.ts'
import type { TokensNeeds } from './room.ts'

/**
 * The object of 2.5, for tokens with and without a login. Only `status` when nothing was collected.
 * Refuses as `exchange` does.
 */
export async function secureInfo(
  { token }: SecureInfoRequest,
  call: Call,
  needs: TokensNeeds,
): Promise<SecureInfoResult | JsonText<SecureInfoResult>> {
  const { text: device } = await exchange(token, 'device', call, needs)
  return device === undefined ? { status: 'SUCCESS' } : new JsonText(device)
}

// What is told of the device and network of a sign-in, to the app and for its token?

import type {
  Network,
  SecureInfoResult,
  SignedInUser,
  SignInVerifyRequest,
  TokenVerification,
} from '@ringfence/contract'
import type { SessionCall } from '../call.ts'
import type { Platform } from '../platform.ts'

export interface DeviceViews {
  /** For token verification. */
  login: Pick<TokenVerification, 'network' | 'deviceInfo' | 'secureInfo'>
  /** For secure info; absent when nothing was collected. */
  secure?: Omit<SecureInfoResult, 'status'>
  /** For the user object. */
  shown: Pick<SignedInUser, 'network' | 'deviceInfo' | 'dfrId'>
}

/** Never fails: a sign-in goes on without what cannot be told. */
export async function deviceOf(
  _device: Pick<SignInVerifyRequest, 'facts' | 'dfrId'>,
  call: SessionCall,
  platform: Platform,
): Promise<DeviceViews> {
  const network = await networkOf(call, platform)
  if (!network) return { login: {}, shown: {} }
  return { login: { network }, secure: { network_info: network }, shown: { network } }
}

async function networkOf({ address, requestId }: SessionCall, { ip, log }: Platform): Promise<Network | undefined> {
  if (address === undefined) return undefined
  return ip.networkOf(address).catch((error) => {
    log.warn({ err: error, requestId }, 'network of a sign-in not told')
    return undefined
  })
}

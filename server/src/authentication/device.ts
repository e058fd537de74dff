// What is told of the device and network of a sign-in, to the app and for its token?

import type {
  DeviceInfoDetail,
  Network,
  SecureInfoResult,
  SignedInUser,
  SignInVerifyRequest,
  TokenVerification,
} from '@ringfence/contract'
import type { Analysis } from '../device/analysis/analyse.ts'
import { deviceInfoDetail, withoutDetail } from '../device/analysis/device-info.ts'
import { readFacts } from '../device/analysis/read-facts.ts'
import { collected } from '../device/analysis/views.ts'
import { analysisOf } from '../device/store/find-record.ts'
import type { Platform } from '../platform.ts'
import type { SignInContext } from './sign-in-context.ts'
import type { SignInContent } from './transaction.ts'

/** What an SDK says of its device, at the start or at the end of a sign-in. */
export type DeviceSaid = Pick<SignInVerifyRequest, 'facts' | 'dfrId'>

export interface DeviceViews {
  /** For token verification. */
  login: Pick<TokenVerification, 'network' | 'deviceInfo' | 'secureInfo'>
  /** For secure info. */
  secure: Omit<SecureInfoResult, 'status'>
  /** For the user object. */
  shown: Pick<SignedInUser, 'network' | 'deviceInfo' | 'dfrId'>
}

/**
 * What was said last counts; of a sign-in that is completed without facts, what was said at its start. Verdicts are told where
 * the facts were analysed in the session of the sign-in. Never fails: a sign-in goes on without what cannot be told.
 */
export async function deviceOf(
  { facts, dfrId }: DeviceSaid,
  started: SignInContent,
  context: SignInContext,
  platform: Platform,
): Promise<DeviceViews> {
  const said = dfrId ?? started.dfrId
  const [network, analysis] = await Promise.all([
    networkOf(context, platform),
    said === undefined ? undefined : analysisInSession(said, started, context, platform),
  ])
  const ofNetwork = network && { network }
  if (analysis && said !== undefined) {
    const { login, device } = collected(analysis)
    const shown = { ...ofNetwork, ...(login.deviceInfo && { deviceInfo: login.deviceInfo }), dfrId: said }
    return {
      login: { ...login, ...ofNetwork },
      secure: { ...device, ...(network && { network_info: network }) },
      shown,
    }
  }
  const detail =
    facts === undefined ? (started.deviceInfo ?? plainDevice({}, context)) : plainDevice({ facts }, context)
  const login = { ...ofNetwork, ...(detail && { deviceInfo: withoutDetail(detail) }) }
  const secure = { ...(network && { network_info: network }), ...(detail && { device_info: detail }) }
  return { login, secure, shown: login }
}

/** What facts that were not analysed, and headers, say of the device. Undefined when a backend calls. */
export function plainDevice(
  { facts = {} }: Pick<DeviceSaid, 'facts'>,
  { headers = {}, platform }: Pick<SignInContext, 'headers' | 'platform'>,
): DeviceInfoDetail | undefined {
  return platform && deviceInfoDetail({ platform, facts: readFacts(facts, platform).facts, headers })
}

/** Another app's, or one of another session, is none: it tells nothing of this device. */
async function analysisInSession(
  dfrId: string,
  started: SignInContent,
  { tenantId, appId, sessionId, requestId }: SignInContext,
  platform: Platform,
): Promise<Analysis | undefined> {
  try {
    const analysis = await analysisOf({ dfrId }, { tenantId, appId }, platform)
    if (analysis && [started.sessionId, sessionId].includes(analysis.sessionId)) return analysis
    platform.log.warn({ requestId, appId }, 'a sign-in named a dfrId that is not of its session')
  } catch (error) {
    platform.log.warn({ err: error, requestId }, 'device analysis of a sign-in not read')
  }
  return undefined
}

async function networkOf({ ipAddress, requestId }: SignInContext, { ip, log }: Platform): Promise<Network | undefined> {
  if (ipAddress === undefined) return undefined
  return ip.networkOf(ipAddress).catch((error) => {
    log.warn({ err: error, requestId }, 'network of a sign-in not told')
    return undefined
  })
}

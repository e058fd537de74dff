// What do we know about the device and network of a sign-in, for the app and for its token?

import type {
  DeviceInfoDetail,
  SecureInfoResult,
  SignedInUser,
  SignInStartRequest,
  SignInVerifyRequest,
  TokenVerification,
} from '@ringfence/contract'
import { addressEvidence } from '../../device/analysis/address-evidence.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { deviceInfoDetail, withoutDetail } from '../../device/analysis/device-info.ts'
import type { Evidence } from '../../device/analysis/evidence.ts'
import { readFacts } from '../../device/analysis/read-facts.ts'
import { collected } from '../../device/analysis/views.ts'
import { analysisOf, latestAnalysisOf } from '../../device/store/find-analysis.ts'
import type { SignInNeeds } from './room.ts'
import type { SignInContext } from './sign-in-context.ts'
import type { SignInContent } from './transaction.ts'

/** What an SDK sends about its device, at the start or at the end of a sign-in. */
export type DeviceInput = Pick<SignInVerifyRequest, 'facts' | 'dfrId'>

export interface DeviceViews {
  /** For token verification. */
  login: Pick<TokenVerification, 'network' | 'deviceInfo' | 'secureInfo'>
  /** For secure info. */
  secure: Omit<SecureInfoResult, 'status'>
  /** For the user object. */
  user: Pick<SignedInUser, 'network' | 'deviceInfo' | 'dfrId'>
  /** The analysis of the session, which confirms the device for the user. */
  analysis?: Analysis
  /** What is known about the IP address. */
  address?: Pick<Evidence, 'network' | 'anonymity'>
}

/** Whether a start asks for the fingerprint. (specification 4.7, rule 5) */
export const isFingerprinted = ({
  deviceFingerprintMode = 'NONE',
}: Pick<SignInStartRequest, 'deviceFingerprintMode'>) => deviceFingerprintMode !== 'NONE'

/**
 * Facts sent at the end replace those sent at the start. Verdicts are included if the facts were
 * analysed in the session of the sign-in. Never throws: the sign-in continues without the parts
 * that are not available.
 */
export async function describeDevice(
  { facts, dfrId }: DeviceInput,
  started: SignInContent,
  context: SignInContext,
  needs: SignInNeeds,
): Promise<DeviceViews> {
  const [address, analysed] = await Promise.all([
    addressOf(context, needs),
    analysisOfSignIn(dfrId ?? started.dfrId, started, context, needs),
  ])
  const network = address?.network
  const networkPart = network && { network }
  const addressPart = address && { address }
  if (analysed) {
    const { login, device } = collected(analysed.analysis)
    const ofReport = analysed.dfrId !== undefined && { dfrId: analysed.dfrId }
    const user = { ...networkPart, ...(login.deviceInfo && { deviceInfo: login.deviceInfo }), ...ofReport }
    return {
      login: { ...login, ...networkPart },
      secure: { ...device, ...(network && { network_info: network }) },
      user,
      analysis: analysed.analysis,
      ...addressPart,
    }
  }
  const detail =
    facts === undefined ? (started.deviceInfo ?? plainDevice({}, context)) : plainDevice({ facts }, context)
  const login = { ...networkPart, ...(detail && { deviceInfo: withoutDetail(detail) }) }
  const secure = { ...(network && { network_info: network }), ...(detail && { device_info: detail }) }
  return { login, secure, user: login, ...addressPart }
}

/** Device info from headers and from facts that were not analysed. Undefined when a backend calls. */
export function plainDevice(
  { facts = {} }: Pick<DeviceInput, 'facts'>,
  { headers = {}, platform }: Pick<SignInContext, 'headers' | 'platform'>,
): DeviceInfoDetail | undefined {
  return platform && deviceInfoDetail({ platform, facts: readFacts(facts, platform).facts, headers })
}

interface Analysed {
  readonly analysis: Analysis
  /** Absent before the push. */
  readonly dfrId?: string
}

/**
 * The analysis whose dfrId the SDK sent; without one, the latest of the session that completes the sign-in, or of the one that
 * started it: an ASYNC fingerprint may finish after its page is gone. An analysis of another app or session says nothing about
 * this device.
 */
async function analysisOfSignIn(
  dfrId: string | undefined,
  started: SignInContent,
  { tenantId, appId, sessionId, requestId }: SignInContext,
  needs: SignInNeeds,
): Promise<Analysed | undefined> {
  const owner = { tenantId, appId }
  const sessions = [...new Set([sessionId, started.sessionId])].filter((id) => id !== undefined)
  try {
    const analysis = dfrId === undefined ? undefined : await analysisOf({ dfrId }, owner, needs)
    if (analysis && sessions.includes(analysis.sessionId)) return { analysis, dfrId: dfrId! }
    if (dfrId !== undefined) needs.log.warn({ requestId, appId }, 'a sign-in sent a dfrId of another session')
    if (!started.isFingerprinted) return undefined
    for (const session of sessions) {
      const latest = await latestAnalysisOf(session, owner, needs)
      if (latest) return latest
    }
  } catch (error) {
    needs.log.warn({ err: error, requestId }, 'could not read the device analysis of a sign-in')
  }
  return undefined
}

async function addressOf(
  { ipAddress, requestId }: SignInContext,
  needs: SignInNeeds,
): Promise<Pick<Evidence, 'network' | 'anonymity'> | undefined> {
  if (ipAddress === undefined) return undefined
  return addressEvidence(ipAddress, [], needs).catch((error) => {
    needs.log.warn({ err: error, requestId }, 'could not look up the network of a sign-in')
    return undefined
  })
}

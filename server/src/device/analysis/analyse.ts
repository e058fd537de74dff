// What is this device, at this moment? Facts + headers + network → evidence → verdicts, and what views tell.

import type { DeviceInfoDetail, DeviceReport, IntelligenceRequest, Network, SecureInfo } from '@ringfence/contract'
import type { DevicePlatform } from '../../apps/app.ts'
import type { SessionCall } from '../../call.ts'
import type { Platform } from '../../platform.ts'
import { type KeyChange, prove } from '../attestation/prove.ts'
import { readUpdateInfo, type UpdateInfo } from '../calls/update-info.ts'
import { identify } from '../identity/identify.ts'
import { type Judgement, judgeAll } from '../signals/judge.ts'
import { addressEvidence } from './address-evidence.ts'
import { deviceInfoDetail } from './device-info.ts'
import { deviceMetaOf, gpsLocationOf } from './device-meta.ts'
import type { Evidence, KeptEvidence } from './evidence.ts'
import { readFacts } from './read-facts.ts'

/** What was made of everything that is known of a device at one moment; kept as it is, sealed. */
export interface Analysis {
  readonly requestId: string
  readonly appId: string
  readonly sessionId: string
  readonly platform: DevicePlatform
  /** Bundle id, package name or origin. */
  readonly packageName: string
  readonly sdkVersion: string
  readonly evidence: KeptEvidence
  readonly judgement: Judgement
  /** Absent where nothing tells the device from others. */
  readonly deviceId?: string
  /** Absent where only its visits tell. */
  readonly newDevice?: boolean
  /** That `deviceId` is right. */
  readonly confidence?: NonNullable<SecureInfo['confidence']>
  readonly deviceInfo: DeviceInfoDetail
  readonly deviceMeta: DeviceReport['deviceMeta']
  /** Where the device says that it is. */
  readonly gpsLocation: DeviceReport['gpsLocation']
  readonly network?: Network
  readonly updateInfo: UpdateInfo
  /** The app tells verdicts (its setting `secure`, at that moment). */
  readonly tellsVerdicts: boolean
}

/** Analyses a device for a call of its SDK, and remembers what it showed of itself. */
export async function analyse(
  body: IntelligenceRequest,
  call: SessionCall,
  platform: Platform,
): Promise<{ analysis: Analysis; keyChange: KeyChange | undefined }> {
  const { app, session, address, connection, headers } = call
  const { facts: read, malformedFacts } = readFacts(body.facts, session.platform)
  const { deviceToken: broughtFact, ...facts } = read
  const brought = [call.deviceCookie.token, broughtFact]
  const userAgents = session.platform === 'WEB' ? [headers['user-agent'], facts.userAgent] : []
  const [identity, ofAddress, proof] = await Promise.all([
    identify({ facts, brought, installation: body.inId }, call, platform),
    addressEvidence(address, userAgents, platform),
    prove(body, call, platform),
  ])
  const { network } = ofAddress
  const evidence: Evidence = {
    platform: session.platform,
    facts,
    malformedFacts,
    ...(identity.brought && { deviceToken: identity.brought }),
    headers,
    ...ofAddress,
    ...(connection && { connection }),
    ...(proof && { attestation: proof.result }),
    packageName: session.packageName,
    expectedCertificates: app.settings.androidCertificates,
    now: platform.clock.now(),
  }
  const { deviceId, newDevice, confidence } = identity
  const deviceInfo = deviceInfoDetail(evidence, deviceId)
  const analysis: Analysis = {
    requestId: body.requestId,
    appId: app.id,
    sessionId: session.id,
    platform: session.platform,
    packageName: session.packageName,
    sdkVersion: body.sdkVersion,
    evidence: keptOf(evidence),
    judgement: judgeAll(evidence),
    ...(deviceId !== undefined && { deviceId }),
    ...(newDevice !== undefined && { newDevice }),
    ...(confidence && { confidence }),
    deviceInfo,
    deviceMeta: deviceMetaOf(session.platform, facts, deviceInfo),
    gpsLocation: gpsLocationOf(facts),
    ...(network && { network }),
    updateInfo: readUpdateInfo(body.updateInfo ?? {}),
    tellsVerdicts: app.settings.secure,
  }
  return { analysis, keyChange: proof?.change }
}

const keptOf = ({ malformedFacts, deviceToken, anonymity, crawler, attestation, now }: Evidence): KeptEvidence => ({
  malformedFacts,
  ...(deviceToken && { deviceToken }),
  ...(anonymity && { anonymity }),
  ...(crawler && { crawler }),
  ...(attestation && { attestation }),
  now,
})

// What is this device, at this moment? Facts + headers + network → evidence → verdicts, kept together.

import type { DeviceInfoDetail, IntelligenceRequest, Network } from '@ringfence/contract'
import type { DevicePlatform } from '../apps/app.ts'
import type { SessionCall } from '../call.ts'
import type { Platform } from '../platform.ts'
import { deviceInfoDetail } from './device-info.ts'
import { type DeviceToken, makeDeviceToken, readDeviceToken } from './device-token.ts'
import type { Evidence } from './evidence.ts'
import { readFacts } from './read-facts.ts'
import { type Judgement, judgeAll } from './signals/index.ts'
import { readUpdateInfo, type UpdateInfo } from './update-info.ts'

/** Everything that is known of a device at one moment, and what was made of it; kept as it is, sealed. */
export interface Analysis {
  readonly requestId: string
  readonly appId: string
  readonly sessionId: string
  /** `inId`, the installation. */
  readonly installationId: string
  readonly platform: DevicePlatform
  /** Bundle id, package name or origin. */
  readonly packageName: string
  readonly sdkVersion: string
  readonly evidence: Evidence
  readonly judgement: Judgement
  /** Absent where the device has none yet. */
  readonly deviceId?: string
  readonly deviceInfo: DeviceInfoDetail
  readonly network?: Network
  readonly updateInfo: UpdateInfo
  /** As the SDK sent it; not judged yet. */
  readonly attestation?: Readonly<Record<string, unknown>>
  /** The app tells verdicts (its setting `secure`, at that moment). */
  readonly tellsVerdicts: boolean
}

/** Analyses a device for a call of its SDK; nothing is stored. `deviceToken`: what its browser shall keep, for WEB only. */
export async function analyse(
  body: IntelligenceRequest,
  call: SessionCall,
  platform: Platform,
): Promise<{ analysis: Analysis; deviceToken: string | undefined }> {
  const { app, session, address, headers } = call
  const { facts: read, malformedFacts } = readFacts(body.facts, session.platform)
  const { deviceToken: brought, ...facts } = read
  const token =
    session.platform === 'WEB' ? await deviceTokenOf([call.deviceCookie.token, brought], call, platform) : {}
  const network = address === undefined ? undefined : await platform.ip.networkOf(address)
  const evidence: Evidence = {
    platform: session.platform,
    facts,
    malformedFacts,
    ...(token.brought && { deviceToken: token.brought }),
    headers,
    network,
    now: platform.clock.now(),
  }
  const deviceId = token.kept?.deviceId
  const analysis: Analysis = {
    requestId: body.requestId,
    appId: app.id,
    sessionId: session.id,
    installationId: body.inId,
    platform: session.platform,
    packageName: session.packageName,
    sdkVersion: body.sdkVersion,
    evidence,
    judgement: judgeAll(evidence),
    ...(deviceId !== undefined && { deviceId }),
    deviceInfo: deviceInfoDetail(evidence, deviceId),
    ...(network && { network }),
    updateInfo: readUpdateInfo(body.updateInfo ?? {}),
    ...(body.attestation && { attestation: body.attestation }),
    tellsVerdicts: app.settings.secure,
  }
  return { analysis, deviceToken: token.kept?.text }
}

interface KeptToken {
  readonly kept?: DeviceToken
  readonly brought?: NonNullable<Evidence['deviceToken']>
}

/** The first of those brought that is ours, or a new one. One that is not ours is noticed even beside one that is. */
async function deviceTokenOf(
  brought: readonly (string | undefined)[],
  { app }: SessionCall,
  { tenantKeyring }: Platform,
): Promise<KeptToken> {
  const keys = await tenantKeyring.keysOf(app.tenantId)
  const texts = brought.filter((text) => text !== undefined)
  const known = texts.map((text) => readDeviceToken(text, keys))
  const kept = known.find((token) => token !== undefined) ?? makeDeviceToken(keys)
  if (texts.length === 0) return { kept }
  return { kept, brought: known.includes(undefined) ? 'forged' : 'known' }
}

// What is this device, at this moment? Facts + headers + network → evidence → verdicts, and what the views show.

import type { DeviceInfoDetail, DevicePlatform, DeviceReport, Network, SecureInfo } from '@ringfence/contract'
import { attestationPolicyOf } from '../../apps/app-settings.ts'
import type { SessionCall } from '../../apps/call.ts'
import { startOf } from '../../apps/session.ts'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import type { Identification } from '../identity/identification.ts'
import { type IdentifiedCall, identify } from '../identity/identify.ts'
import { identifyPhone } from '../identity/phone.ts'
import type { DeviceNeeds } from '../room.ts'
import { type Judgement, judgeAll } from '../signals/judge.ts'
import { addressEvidence } from './address-evidence.ts'
import type { Changes } from './changes.ts'
import { deviceInfoDetail } from './device-info.ts'
import { deviceMetaOf, gpsLocationOf } from './device-meta.ts'
import type { Evidence, StoredEvidence } from './evidence.ts'
import { owedFacts } from './owed-facts.ts'
import { owedSwitches } from './owed-switches.ts'
import { readFacts } from './read-facts.ts'
import { type SimCards, simCardsOf } from './sim-cards.ts'
import { readUpdateInfo, type UpdateInfo } from './update-info.ts'

/** The result for one device at one moment; stored sealed, as it is. */
export interface Analysis {
  readonly requestId: string
  readonly appId: string
  readonly sessionId: string
  readonly platform: DevicePlatform
  /** Bundle id, package name or origin. */
  readonly packageName: string
  readonly sdkVersion: string
  readonly evidence: StoredEvidence
  readonly judgement: Judgement
  /** Absent when nothing distinguishes the device from others. */
  readonly deviceId?: string
  /** Absent when only the previous visits show it. */
  readonly newDevice?: boolean
  /** The UUID of the browser profile or app. Absent without a `deviceId`. */
  readonly installationId?: string
  readonly identification?: Identification
  /** Confidence that `deviceId` is right. */
  readonly confidence?: NonNullable<SecureInfo['confidence']>
  readonly deviceInfo: DeviceInfoDetail
  readonly deviceMeta: DeviceReport['deviceMeta']
  /** The location that the device reports. */
  readonly gpsLocation: DeviceReport['gpsLocation']
  /** Of an Android phone that reports them. */
  readonly sim?: SimCards
  readonly network?: Network
  readonly updateInfo: UpdateInfo
  /** The app's setting `secure` at that moment: verdicts are returned to backends. */
  readonly tellsVerdicts: boolean
}

/** Analyses a device for a call of its SDK. The changes must be stored with the analysis. */
export async function analyse(
  { body, digest }: Pick<IdentifiedCall, 'body' | 'digest'>,
  call: SessionCall,
  needs: DeviceNeeds,
): Promise<{ analysis: Analysis; changes: Changes }> {
  const { app, session, address, connection, headers } = call
  const { facts: read, malformedFacts, unknownFacts } = readFacts(body.facts, session.platform)
  if (unknownFacts > 0) needs.metrics.add('unknownFacts', unknownFacts, session.platform)
  const { deviceToken: factToken, ...facts } = read
  const tokens = [call.deviceCookie.token, factToken]
  const userAgents = session.platform === 'WEB' ? [headers['user-agent'], facts.userAgent] : []
  const ofIp = addressEvidence(address, userAgents, needs)
  const ofNetwork = ofIp.then(
    ({ network }) => network,
    () => undefined, // the failure is reported below
  )
  const [identity, ofAddress, agent] = await Promise.all([
    session.platform === 'WEB'
      ? identify({ body, digest, facts, tokens, network: ofNetwork }, call, needs)
      : identifyPhone({ body, digest, facts, network: ofNetwork }, call, needs),
    ofIp,
    session.platform === 'WEB' && call.signed ? needs.bots.agents.check(call.signed, session.id) : undefined,
  ])
  const { network } = ofAddress
  const evidence: Evidence = {
    platform: session.platform,
    facts,
    malformedFacts,
    ...owedFacts({
      platform: session.platform,
      facts,
      collect: owedSwitches(session, facts),
      factsMissing: body.factsMissing ?? {},
      tookMs: needs.clock.now() - startOf(session),
    }),
    attestationPolicy: session.platform === 'WEB' ? 'off' : attestationPolicyOf(app.settings, session.platform),
    ...(identity.tokenCheck && { deviceToken: identity.tokenCheck }),
    ...(identity.wrongProof !== undefined && { wrongProof: identity.wrongProof }),
    headers,
    ...ofAddress,
    ...(agent && { agent }),
    ...(connection && { connection }),
    ...(identity.phoneProof && { attestation: identity.phoneProof.result }),
    ...(identity.phoneProof?.playIntegrity && { playIntegrity: identity.phoneProof.playIntegrity }),
    ...(identity.phoneProof?.keyAttestation && { keyAttestation: identity.phoneProof.keyAttestation }),
    packageName: session.packageName,
    expectedCertificates: app.settings.androidCertificates,
    now: needs.clock.now(),
  }
  const { deviceId, newDevice, installationId, identification, confidence } = identity
  needs.metrics.count('recognitions', session.platform, identification?.by ?? 'none')
  const deviceInfo = deviceInfoDetail(evidence, deviceId)
  const analysis: Analysis = {
    requestId: body.requestId,
    appId: app.id,
    sessionId: session.id,
    platform: session.platform,
    packageName: session.packageName,
    sdkVersion: body.sdkVersion,
    evidence: storedPart(evidence),
    judgement: judgeAll(evidence),
    ...(deviceId !== undefined && { deviceId }),
    ...(newDevice !== undefined && { newDevice }),
    ...(installationId !== undefined && { installationId }),
    ...(identification && { identification }),
    ...(confidence && { confidence }),
    deviceInfo,
    deviceMeta: deviceMetaOf(session.platform, facts, deviceInfo),
    gpsLocation: gpsLocationOf(facts),
    ...withoutUnknown({ sim: simCardsOf(facts) }),
    ...(network && { network }),
    updateInfo: readUpdateInfo(body.updateInfo ?? {}),
    tellsVerdicts: app.settings.secure,
  }
  const key = identity.phoneProof?.change
  const { change: installation, phoneIds } = identity
  const changes = { ...(key && { key }), ...(installation && { installation }), ...(phoneIds?.length && { phoneIds }) }
  return { analysis, changes }
}

const storedPart = ({
  malformedFacts,
  deviceToken,
  wrongProof,
  anonymity,
  crawler,
  agent,
  attestation,
  keyAttestation,
  playIntegrity,
  now,
}: Evidence): StoredEvidence => ({
  malformedFacts,
  ...(deviceToken && { deviceToken }),
  ...(wrongProof !== undefined && { wrongProof }),
  ...(anonymity && { anonymity }),
  ...(crawler && { crawler }),
  ...(agent && { agent }),
  ...(attestation && { attestation }),
  ...(keyAttestation && { keyAttestation }),
  ...(playIntegrity && { playIntegrity }),
  now,
})

// What does the report say of a device? Of all fields of specification 2.6 those that are known; the others have their defaults.

import type { DeviceReport } from '@ringfence/contract'
import { fraudScore } from '../../ip/lists/anonymity.ts'
import { isMobileNetwork } from '../../ip/mobile-network.ts'
import { withoutUndefined } from '../../json/without-undefined.ts'
import type { Analysis } from '../analysis/analyse.ts'

/** What follows from the analysis alone. */
export type KnownOfDevice = Partial<
  Omit<
    DeviceReport,
    'newDevice' | 'sessionRiskScore' | 'deviceRiskScore' | 'ruleAction' | 'appliedRules' | 'additionalData'
  >
>

/**
 * A flag whose signal did not answer is absent, as is a part of which nothing is known. `localRate`: how bad the sessions from the
 * address were, 0 to 1; undefined where nothing was labelled.
 */
export function knownOf(analysis: Analysis, localRate?: number): KnownOfDevice {
  const { requestId, sessionId, deviceId, network, judgement, deviceMeta, gpsLocation } = analysis
  const { verdicts } = judgement
  return withoutUndefined({
    requestId,
    sessionId,
    deviceId,
    vpn: verdicts.vpn?.result,
    proxy: anyOf(verdicts.proxy, verdicts.tor, verdicts.systemProxy),
    simulator: anyOf(verdicts.simulator, verdicts.emulator),
    jailbroken: verdicts.jailbroken?.result,
    cloned: verdicts.clonedApp?.result,
    geoSpoofed: verdicts.locationSpoofing?.result,
    mirroredScreen: verdicts.mirroredScreen?.result,
    hooking: anyOf(verdicts.hooking, verdicts.frida),
    appTampering: verdicts.appTampering?.result,
    factoryReset: verdicts.recentReset?.result,
    factoryResetTime: verdicts.factoryReset && verdicts.factoryReset.timestamp * 1000,
    ip: network?.ip,
    ipDetails: unlessEmpty(ipDetailsOf(analysis, localRate)),
    gpsLocation: unlessEmpty(gpsLocation),
    deviceMeta: unlessEmpty(deviceMeta),
  })
}

function ipDetailsOf(
  { network, evidence: { anonymity } }: Analysis,
  localRate: number | undefined,
): DeviceReport['ipDetails'] {
  const { city, subdivisions, country, asn } = network?.ipLocation ?? {}
  return withoutUndefined({
    city: city?.name,
    region: subdivisions?.name,
    country: country?.code,
    isp: asn?.name,
    asn: asn?.asn,
    fraudScore: fraudScore({ anonymity, localRate, isMobile: isMobileNetwork(network) }),
  })
}

/** `undefined` where none of them answered. */
function anyOf(...flags: readonly ({ result: boolean } | undefined)[]): boolean | undefined {
  const answered = flags.filter((flag) => flag !== undefined)
  return answered.length === 0 ? undefined : answered.some(({ result }) => result)
}

const unlessEmpty = <Part extends object>(part: Part) => (Object.keys(part).length === 0 ? undefined : part)

/** What a field says where nothing is known (specification 2.6, column Default). */
export const reportDefaults: DeviceReport = {
  requestId: '',
  sessionId: '',
  newDevice: false,
  deviceId: '',
  sessionRiskScore: 0,
  deviceRiskScore: 0,
  vpn: false,
  proxy: false,
  simulator: false,
  jailbroken: false,
  cloned: false,
  geoSpoofed: false,
  mirroredScreen: false,
  hooking: false,
  appTampering: false,
  factoryReset: false,
  factoryResetTime: -1,
  ip: '',
  ipDetails: {},
  gpsLocation: {},
  deviceMeta: {},
  ruleAction: { action: 'ALLOW', name: '', description: '', message: '' },
  appliedRules: { rules: {}, totalScore: 0 },
  additionalData: {},
}

// Which fields of the report are known (specification 2.6), and what is the default of each?

import { type DevicePlatform, DeviceReport, type Network } from '@ringfence/contract'
import { withoutUnknown } from '../core/json/without-unknown.ts'
import type { Analysis } from '../device/analysis/analyse.ts'
import type { Evidence } from '../device/analysis/evidence.ts'
import { simOfReport } from '../device/analysis/sim-cards.ts'
import { signals } from '../device/signals/index.ts'
import type { ReportFieldOf, Signal } from '../device/signals/signal.ts'
import { fraudScore } from '../ip/lists/anonymity.ts'
import { isMobileNetwork } from '../ip/mobile-network.ts'

/** Fields that follow from the analysis alone. */
export type KnownFields = Partial<
  Omit<
    DeviceReport,
    'newDevice' | 'sessionRiskScore' | 'deviceRiskScore' | 'ruleAction' | 'appliedRules' | 'additionalData'
  >
>

/**
 * The fields that a list of signals feeds. A flag is true when one of its signals says so, and absent while another of them, about this
 * platform, has no answer.
 */
export function signalFieldsOf(list: readonly Signal[]) {
  const sources = list.flatMap(({ report, ...signal }) => (report ? [{ ...signal, report }] : []))
  const fieldsOf = (platform: DevicePlatform) =>
    Map.groupBy(
      sources.filter(({ platforms }) => platforms.includes(platform)),
      ({ report }) => report.field,
    )
  const fieldsBy = { WEB: fieldsOf('WEB'), IOS: fieldsOf('IOS'), ANDROID: fieldsOf('ANDROID') }
  return ({ platform, judgement }: Pick<Analysis, 'platform' | 'judgement'>): KnownFields => {
    const fields = [...fieldsBy[platform]].map(([field, its]) => {
      const values = its.map(({ name, report }): unknown => {
        const verdict: unknown = Reflect.get(judgement.verdicts, name)
        return verdict === undefined ? undefined : report.value(verdict)
      })
      return [field, values.includes(true) || (values.includes(undefined) ? undefined : values[0])]
    })
    return withoutUnknown(Object.fromEntries(fields))
  }
}

const signalFields = signalFieldsOf(signals)

/**
 * Unknown fields are absent. `localRate`: rate of bad sessions from the IP address, 0 to 1; undefined without labels.
 */
export function knownFields(analysis: Analysis, localRate?: number): KnownFields {
  const { requestId, sessionId, deviceId, network, deviceMeta, gpsLocation, sim } = analysis
  return withoutUnknown({
    requestId,
    sessionId,
    deviceId,
    ...signalFields(analysis),
    ip: network?.ip,
    ipDetails: unlessEmpty(ipDetailsOf(network, analysis.evidence.anonymity, localRate)),
    gpsLocation: unlessEmpty(gpsLocation),
    deviceMeta: unlessEmpty(deviceMeta),
    sim: sim && unlessEmpty(simOfReport(sim)),
  })
}

/** Unknown parts are absent. `localRate`: as in `knownFields`. */
export function ipDetailsOf(
  network: Network | undefined,
  anonymity: Evidence['anonymity'],
  localRate: number | undefined,
): DeviceReport['ipDetails'] {
  const { city, subdivisions, country, asn } = network?.ipLocation ?? {}
  return withoutUnknown({
    city: city?.name,
    region: subdivisions?.name,
    country: country?.code,
    isp: asn?.name,
    asn: asn?.asn,
    fraudScore: fraudScore({ anonymity, localRate, isMobile: isMobileNetwork(network) }),
  })
}

const unlessEmpty = <Part extends object>(part: Part) => (Object.keys(part).length === 0 ? undefined : part)

const otherDefaults: Omit<DeviceReport, ReportFieldOf<(typeof signals)[number]>> = {
  requestId: '',
  sessionId: '',
  newDevice: false,
  deviceId: '',
  sessionRiskScore: 0,
  deviceRiskScore: 0,
  ip: '',
  ipDetails: {},
  gpsLocation: {},
  deviceMeta: {},
  ruleAction: { action: 'ALLOW', name: '', description: '', message: '' },
  appliedRules: { rules: {}, totalScore: 0 },
  additionalData: {},
}

/** The value of each field of the specification where nothing is known, in its order (2.6, column Default). Others are absent. */
export function reportDefaultsOf(list: readonly Signal[]): DeviceReport {
  const defaults: Record<string, unknown> = { ...otherDefaults }
  for (const { report } of list) if (report) defaults[report.field] ??= report.unknown ?? false
  return Object.fromEntries(DeviceReport.required.map((name) => [name, defaults[name]])) as DeviceReport
}

export const reportDefaults = reportDefaultsOf(signals)

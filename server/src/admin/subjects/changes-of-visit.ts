// What differs between two visits of a device? Signals, what the device reports, network, place, person and installation.

import type { ShownChange } from '@ringfence/contract'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { digitsOf } from '../../device/analysis/update-info.ts'
import type { ReadVisit } from './read-visits.ts'

type Kind = ShownChange['kind']
type Value = string | number | boolean | undefined

/** Undefined when the content of one of them has expired: nobody knows. */
export function changesOf(visit: ReadVisit, before: ReadVisit): ShownChange[] | undefined {
  if (!visit.content || !before.content) return undefined
  const [now, then] = [visit.content.analysis, before.content.analysis]
  const parts: readonly [Kind, (analysis: Analysis) => Readonly<Record<string, Value>>][] = [
    ['installation', installationOf],
    ['device', deviceOf],
    ['network', networkOf],
    ['place', placeOf],
    ['person', personOf],
  ]
  return [
    ...signalChanges(visit.signals, before.signals),
    ...parts.flatMap(([kind, valuesOf]) => differences(kind, valuesOf(now), valuesOf(then))),
  ]
}

const fires = 'fires'

function signalChanges(now: readonly string[], then: readonly string[]): ShownChange[] {
  return [
    ...now.filter((name) => !then.includes(name)).map((what) => ({ kind: 'signal' as const, what, after: fires })),
    ...then.filter((name) => !now.includes(name)).map((what) => ({ kind: 'signal' as const, what, before: fires })),
  ]
}

function differences(
  kind: Kind,
  now: Readonly<Record<string, Value>>,
  then: Readonly<Record<string, Value>>,
): ShownChange[] {
  return Object.keys({ ...then, ...now }).flatMap((what) => {
    const [before, after] = [then[what], now[what]]
    if (before === after) return []
    return [
      {
        kind,
        what,
        ...(before !== undefined && { before: String(before) }),
        ...(after !== undefined && { after: String(after) }),
      },
    ]
  })
}

const installationOf = ({ installationId, appId, packageName, sdkVersion }: Analysis) => ({
  installationId,
  appId,
  packageName,
  sdkVersion,
})

/** What `browserInfo` says in parts, the user agent repeats. */
function deviceOf({ deviceInfo, deviceMeta }: Analysis): Record<string, Value> {
  const { deviceId: _, browserInfo = {}, connection: __, ...rest } = deviceInfo
  const { userAgent: ___, browserMajorVersion: ____, ...browser } = browserInfo
  return { ...rest, ...browser, model: deviceMeta.model }
}

const networkOf = ({ network }: Analysis) => ({
  ipAddress: network?.ip,
  network: network?.ipLocation.asn?.name ?? network?.ipLocation.asn?.asn,
})

const placeOf = ({ network }: Analysis) => ({
  country: network?.ipLocation.country?.code,
  city: network?.ipLocation.city?.name,
  timeZone: network?.timezone,
})

const personOf = ({ updateInfo }: Analysis) => ({ userId: updateInfo.userId, phoneNumber: digitsOf(updateInfo) })

// How does the admin API show a visit? What is known of it, under the names of the contract.

import type { ShownDevice, ShownVisit } from '@ringfence/contract'
import { withoutUnknown } from '../../core/json/without-unknown.ts'
import type { Analysis } from '../../device/analysis/analyse.ts'
import { digitsOf } from '../../device/analysis/update-info.ts'
import { isoTime } from '../calls/iso-time.ts'
import type { ReadVisit, VisitContent } from './read-visits.ts'

type Description = NonNullable<ShownVisit['description']>
type Place = NonNullable<ShownVisit['place']>

/** Without changes and label, which need other rows. */
export function shownVisit({ at, dfrId, signals, country, content }: ReadVisit): ShownVisit {
  return {
    at: isoTime(at),
    dfrId,
    signals: [...signals],
    ...(country !== undefined && { country }),
    isStored: content !== undefined,
    ...(content && contentOf(content)),
  }
}

function contentOf({ analysis, report }: VisitContent): Partial<ShownVisit> {
  const { requestId, appId, installationId, network, updateInfo } = analysis
  const place = placeOf(analysis)
  return withoutUnknown({
    requestId,
    appId,
    installationId,
    recognition: recognitionOf(analysis),
    description: descriptionOf(analysis),
    ipAddress: network?.ip,
    network: network?.ipLocation.asn?.name,
    place: place && { ...place },
    userId: updateInfo.userId,
    phoneNumber: digitsOf(updateInfo),
    ...verdictOf(report),
  })
}

export const verdictOf = ({ sessionRiskScore, deviceRiskScore, ruleAction, appliedRules }: VisitContent['report']) => ({
  sessionRiskScore,
  deviceRiskScore,
  action: ruleAction.action,
  rules: Object.keys(appliedRules.rules).map(nameOfRule),
})

/** Reports have `<rule id> : <rule name>`. */
const nameOfRule = (key: string) => key.slice(key.indexOf(' : ') + 3)

export function recognitionOf({ identification }: Analysis): NonNullable<ShownVisit['recognition']> | undefined {
  if (!identification) return undefined
  const { by, confidence, likely, token, factsMissing } = identification
  return {
    by,
    confidence,
    ...(likely && { likely }),
    ...(token !== undefined && { token }),
    ...(factsMissing && { factsMissing: Object.keys(factsMissing).length }),
  }
}

export function descriptionOf({ platform, deviceInfo, deviceMeta }: Analysis): Description {
  const { browserName, browserFullVersion, os, osVersion } = deviceInfo.browserInfo ?? {}
  return {
    platform,
    ...withoutUnknown({
      browser: joined(browserName, browserFullVersion),
      os: joined(os, osVersion),
      model: deviceMeta.model,
      userAgent: deviceInfo.userAgent,
    }),
  }
}

const joined = (name: string | undefined, version: string | undefined) =>
  name === undefined ? undefined : [name, version].filter((part) => part !== undefined).join(' ')

export function placeOf({ network }: Analysis): Place | undefined {
  const { latitude, longitude, accuracyRadius, city, country } = network?.ipLocation ?? {}
  if (latitude === undefined || longitude === undefined) return undefined
  return {
    latitude,
    longitude,
    ...withoutUnknown({ country: country?.code, city: city?.name, radiusKm: accuracyRadius }),
  }
}

/** Places of visits that are newest first; two are the same when city and coordinates are. */
export function placesOf(visits: readonly ReadVisit[], most: number): ShownDevice['places'] {
  const places = new Map<string, ShownDevice['places'][number]>()
  for (const { at, content } of visits) {
    const place = content && placeOf(content.analysis)
    if (!place) continue
    const key = `${place.latitude} ${place.longitude} ${place.city}`
    const known = places.get(key)
    if (known) known.visits++
    else places.set(key, { ...place, visits: 1, lastSeenAt: isoTime(at) })
  }
  return [...places.values()].slice(0, most)
}

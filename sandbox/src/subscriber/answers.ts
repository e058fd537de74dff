// What does the operator answer to each CAMARA call of a check? Everything is compared here, with what it knows of the line.

import { camaraMaxAgeHours, type KycField, kycFields, type OperatorCheckName } from '@ringfence/contract'
import { Refusal } from '../camara/errors.ts'
import { changedWithin, type Line } from '../lines.ts'
import { circleOverlap } from './circle-overlap.ts'
import { comparable, comparableCode, similarity } from './compare-text.ts'

/** `body` was checked by the schemas of the call. */
// biome-ignore lint/suspicious/noExplicitAny: each answer reads what its own schemas allow
export type Respond = (line: Line, body: any, nowMs: number) => unknown

export const answers: Record<OperatorCheckName, Readonly<Record<string, Respond>>> = {
  simSwap: changeAnswers('latestSimChange', ({ latestSimChange }) => latestSimChange),
  deviceSwap: changeAnswers('latestDeviceChange', ({ subscriber }) => subscriber.latestDeviceChange),
  callForwarding: {
    // `active` is optional in the schema; an operator that does not know leaves it out.
    'unconditional-call-forwardings': ({ forwarding }) =>
      forwarding === null ? {} : { active: forwarding.includes('unconditional') },
    'call-forwardings'({ forwarding }) {
      if (forwarding === null) throw new Refusal('notImplemented')
      return forwarding.length === 0 ? ['inactive'] : forwarding
    },
  },
  numberRecycling: {
    check: ({ subscriber: { recycledOn } }, { specifiedDate }: { specifiedDate: string }) => ({
      phoneNumberRecycled: recycledOn !== null && recycledOn > specifiedDate,
    }),
  },
  tenure: {
    'check-tenure': ({ subscriber: { subscribedOn, contractType } }, { tenureDate }: { tenureDate: string }) => ({
      tenureDateCheck: subscribedOn <= tenureDate,
      ...(contractType && { contractType }),
    }),
  },
  kycMatch: { match: matched },
  locationVerification: { verify: located },
  roaming: {
    retrieve: ({ subscriber: { roaming } }, _body, nowMs) => ({
      roaming: roaming !== null,
      ...(roaming?.mobileCountryCode !== undefined && { countryCode: roaming.mobileCountryCode }),
      ...(roaming?.country !== undefined && { countryName: [roaming.country] }),
      lastStatusTime: new Date(nowMs).toISOString(),
    }),
  },
  reachability: {
    retrieve: ({ subscriber: { connectivity } }, _body, nowMs) => ({
      reachable: connectivity.length > 0,
      ...(connectivity.length > 0 && { connectivity }),
      lastStatusTime: new Date(nowMs).toISOString(),
    }),
  },
}

function changeAnswers(field: string, changeOf: (line: Line) => string | null): Readonly<Record<string, Respond>> {
  return {
    check: (line, { maxAge }: { maxAge?: number }, nowMs) => ({
      swapped: changedWithin(changeOf(line), allowedWindow(maxAge, line), nowMs),
    }),
    /** null, with the days that the operator may look back, when the change was earlier than that. */
    'retrieve-date'(line, _body, nowMs) {
      const { lookBackHours, monitoredPeriodDays } = line
      const latest = changeOf(line)
      if (changedWithin(latest, lookBackHours ?? Number.POSITIVE_INFINITY, nowMs)) return { [field]: latest }
      const days = lookBackHours === null ? monitoredPeriodDays : Math.floor(lookBackHours / 24)
      return { [field]: null, ...(days !== null && { monitoredPeriod: days }) }
    },
  }
}

/** The window in hours. Default: 240 as in CAMARA, or the operator's limit if that is shorter. Throws Refusal OUT_OF_RANGE. */
function allowedWindow(maxAge: number | undefined, { lookBackHours }: Line): number {
  if (maxAge === undefined) return Math.min(camaraMaxAgeHours, lookBackHours ?? camaraMaxAgeHours)
  if (lookBackHours !== null && maxAge > lookBackHours) {
    throw new Refusal('outOfRange', `Check monitor period could not exceed local regulations (${lookBackHours} hours).`)
  }
  return maxAge
}

/** The fields for which CAMARA has a score. */
const scored: ReadonlySet<KycField> = new Set<KycField>([
  ...(['name', 'givenName', 'familyName', 'middleNames', 'familyNameAtBirth', 'nameKanaHankaku'] as const),
  ...([
    'nameKanaZenkaku',
    'address',
    'streetName',
    'streetNumber',
    'region',
    'locality',
    'email',
    'cityOfBirth',
  ] as const),
])
const codes: ReadonlySet<KycField> = new Set<KycField>(['idDocument', 'bankAccountNumber', 'postalCode'])

function matched({ subscriber }: Line, body: Readonly<Partial<Record<KycField, string>>>) {
  const results = (Object.keys(kycFields) as KycField[]).flatMap((field): (readonly [string, unknown])[] => {
    const sent = body[field]
    if (sent === undefined) return []
    const known = subscriber[field]
    if (known === null) return [[`${field}Match`, 'not_available']]
    const form = codes.has(field) ? comparableCode : comparable
    const [ours, theirs] = [form(known), form(sent)]
    if (ours === theirs) return [[`${field}Match`, 'true']]
    const score = scored.has(field) ? [[`${field}MatchScore`, similarity(theirs, ours)] as const] : []
    return [[`${field}Match`, 'false'], ...score]
  })
  return Object.fromEntries(results)
}

interface Asked {
  readonly area: { readonly center: { readonly latitude: number; readonly longitude: number }; readonly radius: number }
}

function located({ subscriber: { place } }: Line, { area }: Asked, nowMs: number) {
  if (place === null) throw new Refusal('unableToLocate')
  const share = circleOverlap(place, { ...area.center, accuracy: area.radius })
  const lastLocationTime = new Date(nowMs).toISOString()
  if (share === 0 || share === 1) return { verificationResult: share === 1 ? 'TRUE' : 'FALSE', lastLocationTime }
  const matchRate = Math.min(99, Math.max(1, Math.round(share * 100)))
  return { verificationResult: 'PARTIAL', matchRate, lastLocationTime }
}

// What do CAMARA's feature files expect of Location Verification 3.0, Roaming Status 1.0 and Reachability Status 1.0? Restated, by id.

import { asking, ending, of, operation, refused, type Scenario } from './scenario.ts'

const center = { latitude: 12.97, longitude: 77.59 }
const circle = { areaType: 'CIRCLE', center, radius: 5000 }
const location = operation(
  'location_verification',
  '/location-verification/v3/verify',
  'location-verification:verify',
  {
    ...{ ofDevice: true, more: { area: circle }, ids: { noBody: '400.1', forbidden: '403' } },
  },
)
const ids = { expired: '401.1', none: '401.2', changed: '401.3', forbidden: '403' }
const roaming = operation('device_roaming_status', '/device-roaming-status/v1/retrieve', 'device-roaming-status:read', {
  ofDevice: true,
  ids,
})
const reachability = operation(
  'device_reachability_status',
  '/device-reachability-status/v1/retrieve',
  'device-reachability-status:read',
  { ofDevice: true, ids },
)

const wrong = { status: 400, code: 'INVALID_ARGUMENT' }
const isTime = (text: unknown) => typeof text === 'string' && !Number.isNaN(Date.parse(text))
const withArea = (area: unknown) => ({ ...asking(location), area })

const without = <Key extends string>(from: object, key: Key) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== key))

export const deviceScenarios: readonly Scenario[] = [
  of(location)('01', {
    ...{ says: 'partly in the area', body: asking(location, ending('0167')), status: 200 },
    isRight: (found) => found.verificationResult === 'PARTIAL' && found.matchRate === 74,
  }),
  of(location)('01', {
    ...{ says: 'in the area', body: asking(location), status: 200 },
    isRight: (found) => found.verificationResult === 'TRUE' && !('matchRate' in found),
  }),
  of(location)('02', {
    ...{ says: 'in the area, without maxAge', body: asking(location), status: 200 },
    isRight: (found) => found.verificationResult === 'TRUE' && isTime(found.lastLocationTime),
  }),
  of(location)('04', {
    ...{ says: 'outside of the area', body: asking(location, ending('0166')), status: 200 },
    isRight: (found) =>
      found.verificationResult === 'FALSE' && isTime(found.lastLocationTime) && !('matchRate' in found),
  }),
  ...[60, 600, 86_400].map((maxAge) =>
    of(location)('03', {
      ...{ says: `located within ${maxAge} seconds`, body: { ...asking(location), maxAge }, status: 200 },
      isRight: (found, nowMs) => nowMs - Date.parse(found.lastLocationTime) <= maxAge * 1000,
    }),
  ),
  of(location)('400.2', { says: 'an empty object', body: {}, ...wrong }),
  ...[
    { ...circle, areaType: 'SQUARE' },
    { ...circle, center: { ...center, latitude: 91 } },
    { ...circle, center: { ...center, longitude: -181 } },
    { ...circle, center: { ...center, latitude: '52.5' } },
    { ...circle, radius: 0 },
    { ...circle, radius: '5000' },
  ].map((area) => of(location)('400.3', { says: JSON.stringify(area), body: withArea(area), ...wrong })),
  ...['600', 1.5, null].map((maxAge) =>
    of(location)('400.3', {
      says: `maxAge is ${JSON.stringify(maxAge)}`,
      body: { ...asking(location), maxAge },
      ...wrong,
    }),
  ),
  ...[
    undefined,
    ...['areaType', 'center', 'radius'].map((key) => without(circle, key)),
    ...['latitude', 'longitude'].map((key) => ({ ...circle, center: without(center, key) })),
  ].map((area) => of(location)('400.4', { says: `the area ${JSON.stringify(area)}`, body: withArea(area), ...wrong })),
  ...refused(location),

  of(roaming)('01', {
    ...{ says: 'in a network in Germany', body: asking(roaming, ending('0164')), status: 200 },
    isRight: (found) =>
      found.roaming === true &&
      found.countryCode === 262 &&
      found.countryName.join() === 'DE' &&
      isTime(found.lastStatusTime),
  }),
  of(roaming)('02', {
    ...{ says: 'at home', body: asking(roaming), status: 200 },
    isRight: (found) => found.roaming === false && !('countryCode' in found) && !('countryName' in found),
  }),
  ...refused(roaming),
  unavailable(roaming),

  ...(
    [
      ['01', 'connected for SMS', ['SMS']],
      ['02', 'connected for data', ['DATA']],
      ['03', 'connected for both', ['SMS', 'DATA']],
    ] as const
  ).map(([id, says, connections]) =>
    of(reachability)(id, {
      ...{ says, body: asking(reachability), status: 200 },
      isRight: (found) => found.reachable === true && connections.every((each) => found.connectivity.includes(each)),
    }),
  ),
  of(reachability)('04', {
    ...{ says: 'not connected', body: asking(reachability, ending('0165')), status: 200 },
    isRight: (found) => found.reachable === false && !('connectivity' in found) && isTime(found.lastStatusTime),
  }),
  ...refused(reachability),
  unavailable(reachability),
]

function unavailable(asked: typeof roaming): Scenario {
  return of(asked)('503_network_error', {
    ...{ says: 'the network does not answer', body: asking(asked, ending('0151')) },
    ...{ status: 503, code: 'UNAVAILABLE' },
  })
}

// Is the phone where the customer says? (CAMARA location-verification 3.0)

import Type, { type Static } from 'typebox'
import { camaraCall, check } from './check.ts'
import { DateTime } from './date-time.ts'

const int32 = 2_147_483_647

/** With the bounds of CAMARA, which has none for large circles. */
const Circle = Type.Object({
  areaType: Type.Literal('CIRCLE'),
  center: Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
  }),
  radius: Type.Number({ minimum: 1, maximum: int32 }),
})

const Params = Type.Object({
  latitude: Type.Number({ minimum: -90, maximum: 90, description: 'Degrees north of the middle', examples: [52.52] }),
  longitude: Type.Number({ minimum: -180, maximum: 180, description: 'Degrees east of the middle', examples: [13.4] }),
  radius: Type.Number({
    minimum: 1,
    maximum: 200_000,
    description: 'Radius in metres. Operators may refuse small ones; 2,000 is common',
    examples: [5000],
  }),
  maxAgeSeconds: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 86_400, description: 'How old the location may be, in seconds' }),
  ),
})
type Params = Static<typeof Params>

const olderLocation = { means: 'parameters', hint: 'allow an older location' } as const

export const locationVerification = check({
  name: 'locationVerification',
  title: 'location verification',
  summary: 'Is the phone within a circle?',
  Params,
  example: { latitude: 12.97, longitude: 77.59, radius: 5000 },
  Answer: Type.Object({
    result: Type.Enum(['INSIDE', 'PARTLY', 'OUTSIDE'], {
      description: 'Where the network locates the phone; PARTLY: its area and the circle overlap',
    }),
    matchRate: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 99, description: 'For PARTLY: how much of the area is in the circle, %' }),
    ),
    locatedAt: Type.Optional(DateTime('When the phone was located')),
  }),
  // The place of a person is not stored.
  isWarning: ({ result }) => result === 'OUTSIDE',
  camara: {
    api: 'location-verification',
    identifier: 'device',
    refusals: {
      OUT_OF_RANGE: { status: 400, ...olderLocation },
      'LOCATION_VERIFICATION.UNABLE_TO_FULFILL_MAX_AGE': { status: 422, ...olderLocation },
      'LOCATION_VERIFICATION.AREA_NOT_COVERED': {
        ...{ status: 422, means: 'parameters', hint: 'send an area that its network covers' },
      },
      'LOCATION_VERIFICATION.INVALID_AREA': {
        ...{ status: 422, means: 'parameters', hint: 'send another area, such as a larger one' },
      },
      'LOCATION_VERIFICATION.UNABLE_TO_LOCATE': { status: 422, means: 'failed' },
    },
    calls: [
      camaraCall({
        resource: 'verify',
        scope: 'location-verification:verify',
        body: ({ latitude, longitude, radius, maxAgeSeconds }: Params) => ({
          area: { areaType: 'CIRCLE', center: { latitude, longitude }, radius },
          ...(maxAgeSeconds !== undefined && { maxAge: maxAgeSeconds }),
        }),
        Body: { area: Circle, maxAge: Type.Optional(Type.Integer({ minimum: 0, maximum: int32 })) },
        Response: Type.Object({
          verificationResult: Type.Enum(['TRUE', 'FALSE', 'PARTIAL']),
          matchRate: Type.Optional(Type.Integer({ minimum: 1, maximum: 99 })),
          lastLocationTime: Type.Optional(DateTime('When the phone was located')),
        }),
        read: ({ verificationResult, matchRate, lastLocationTime }) => ({
          result: ({ TRUE: 'INSIDE', PARTIAL: 'PARTLY', FALSE: 'OUTSIDE' } as const)[verificationResult],
          ...(verificationResult === 'PARTIAL' && matchRate !== undefined && { matchRate }),
          ...(lastLocationTime !== undefined && { locatedAt: lastLocationTime }),
        }),
        served: {
          params: ({ area, maxAge }: { area: Static<typeof Circle>; maxAge?: number }) => ({
            ...area.center,
            radius: area.radius,
            ...(maxAge !== undefined && { maxAgeSeconds: maxAge }),
          }),
          respond: ({ result, matchRate, locatedAt }) => ({
            verificationResult: ({ INSIDE: 'TRUE', PARTLY: 'PARTIAL', OUTSIDE: 'FALSE' } as const)[result],
            ...(matchRate !== undefined && { matchRate }),
            ...(locatedAt !== undefined && { lastLocationTime: locatedAt }),
          }),
        },
      }),
    ],
  },
})

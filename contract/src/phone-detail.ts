// What is known about a phone number beside the result of a check? (specification 2.1)

import Type, { type Static } from 'typebox'

/** Omits every field that is unavailable for the number or operator. */
export const PhoneDetail = Type.Object(
  {
    operator: Type.Optional(Type.String({ description: 'Current network operator name (upper-case token)' })),
    countryCode: Type.Optional(Type.String({ description: 'Numeric country calling code' })),
    country: Type.Optional(Type.String({ description: 'ISO 3166-1 alpha-2 country code', pattern: '^[A-Z]{2}$' })),
    type: Type.Optional(Type.Enum(['MOBILE', 'LANDLINE'], { description: 'Line type' })),
    homeOperator: Type.Optional(
      Type.String({ description: 'Registered operator; differs from `operator` when roaming or ported' }),
    ),
    isPorted: Type.Optional(
      Type.Boolean({
        description:
          'true when the number has been ported away from its home operator. Present only when a portability source confirms it; never in a SIM swap result',
      }),
    ),
    location: Type.Optional(
      Type.String({ description: 'Location of the registered area (city, state or country level)' }),
    ),
    timeZones: Type.Optional(
      Type.Array(Type.String(), { description: 'IANA time zone names for the registered location', minItems: 1 }),
    ),
  },
  { $id: 'PhoneDetail', additionalProperties: false, description: 'Metadata of the phone number' },
)
export type PhoneDetail = Static<typeof PhoneDetail>

/** phoneDetail of a SIM swap result: the specification does not list `isPorted` there. */
export const SimSwapPhoneDetail = Type.Omit(PhoneDetail, ['isPorted'], {
  $id: 'SimSwapPhoneDetail',
  additionalProperties: false,
  description: 'Metadata of the phone number, without portability',
})
export type SimSwapPhoneDetail = Static<typeof SimSwapPhoneDetail>

/** phoneDetail of a completed portability check: `isPorted` is the result. */
export const PortabilityPhoneDetail = Type.Interface(
  [PhoneDetail],
  {
    isPorted: Type.Boolean({
      description: 'The result: true when the number was ported (operator differs from homeOperator)',
    }),
  },
  {
    $id: 'PortabilityPhoneDetail',
    additionalProperties: false,
    description: 'Metadata of the phone number, with the result',
  },
)
export type PortabilityPhoneDetail = Static<typeof PortabilityPhoneDetail>

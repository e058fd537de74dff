// What do the three telecom checks take and return? (specification 2.3, 4.1–4.3)

import Type, { type Static } from 'typebox'
import { WindowParams } from './checks/change-window.ts'
import { Consent } from './checks/consent.ts'
import { InBodyError } from './errors.ts'
import { PhoneDetail, PortabilityPhoneDetail, SimSwapPhoneDetail } from './phone-detail.ts'

const PhoneNumber = Type.String({
  description: 'Digits only, with country code and without a plus sign',
  examples: ['917020141726'],
})

export const SimSwapRequest = Type.Object(
  {
    phoneNumber: PhoneNumber,
    ...WindowParams.properties,
    consent: Type.Optional(Consent),
  },
  { $id: 'SimSwapRequest' },
)
export type SimSwapRequest = Static<typeof SimSwapRequest>

const numberAndConsent = { phoneNumber: PhoneNumber, consent: Type.Optional(Consent) }

export const CallForwardingRequest = Type.Object(numberAndConsent, { $id: 'CallForwardingRequest' })
export type CallForwardingRequest = Static<typeof CallForwardingRequest>

export const PortabilityRequest = Type.Object(numberAndConsent, { $id: 'PortabilityRequest' })
export type PortabilityRequest = Static<typeof PortabilityRequest>

/** The check could not be completed: has `error` and no result field. */
const incomplete = <Detail extends typeof PhoneDetail | typeof SimSwapPhoneDetail>(phoneDetail: Detail) =>
  Type.Object(
    { success: Type.Literal(false), error: InBodyError, phoneDetail: Type.Optional(phoneDetail) },
    { additionalProperties: false, title: 'Check not completed' },
  )

export const SimSwapResult = Type.Union(
  [
    Type.Object(
      {
        success: Type.Literal(true),
        swapped: Type.Boolean({
          description: 'true: a SIM swap occurred within the window; false: none was found within it',
        }),
        phoneDetail: SimSwapPhoneDetail,
      },
      { additionalProperties: false, title: 'Check completed' },
    ),
    incomplete(SimSwapPhoneDetail),
  ],
  { $id: 'SimSwapResult' },
)
export type SimSwapResult = Static<typeof SimSwapResult>

export const CallForwardingResult = Type.Union(
  [
    Type.Object(
      {
        success: Type.Literal(true),
        callForwarding: Type.Boolean({ description: 'true: forwarding is active (risk signal)' }),
        callForwardingType: Type.Enum(['active', 'inactive'], { description: 'active when true, inactive when false' }),
        phoneDetail: PhoneDetail,
      },
      { additionalProperties: false, title: 'Check completed' },
    ),
    incomplete(PhoneDetail),
  ],
  { $id: 'CallForwardingResult' },
)
export type CallForwardingResult = Static<typeof CallForwardingResult>

export const PortabilityResult = Type.Union(
  [
    Type.Object(
      {
        success: Type.Literal(true),
        phoneDetail: PortabilityPhoneDetail,
      },
      { additionalProperties: false, title: 'Check completed' },
    ),
    incomplete(PhoneDetail),
  ],
  { $id: 'PortabilityResult' },
)
export type PortabilityResult = Static<typeof PortabilityResult>

// Number Verification: does the phone that a person uses have this number? What CAMARA defines for it, and our own two calls.

import Type, { type Static } from 'typebox'
import { InBodyError } from '../errors.ts'
import { PhoneDetail } from '../phone-detail.ts'
import { closed } from '../schema-parts.ts'
import { CamaraPhoneNumber, camaraNumberPattern } from './camara-api.ts'
import { Consent } from './consent.ts'
import { Cost } from './cost.ts'

/** CAMARA Number Verification 2.1. Its tokens belong to the phone that opened the authorization URL, and to one call. */
export const numberVerificationApi = {
  api: 'number-verification',
  verify: {
    resource: 'verify',
    scope: 'number-verification:verify',
    Response: Type.Object({ devicePhoneNumberVerified: Type.Boolean() }),
  },
  share: {
    resource: 'device-phone-number',
    scope: 'number-verification:device-phone-number:read',
    Response: Type.Object({ devicePhoneNumber: Type.String({ pattern: camaraNumberPattern }) }),
  },
  /** The subscriber was identified in another way than by the mobile network. */
  notByNetwork: 'NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK',
} as const

/** Exactly one of the two, which the handler checks. */
export const CamaraVerifyRequest = Type.Object(
  {
    phoneNumber: CamaraPhoneNumber,
    hashedPhoneNumber: Type.Optional(
      Type.String({
        pattern: '^[a-fA-F0-9]{64}$',
        description: 'In place of phoneNumber: its SHA-256 in hexadecimal, with the plus sign',
      }),
    ),
  },
  { $id: 'CamaraVerifyRequest' },
)
export type CamaraVerifyRequest = Static<typeof CamaraVerifyRequest>

const PhoneNumber = Type.String({
  description: 'Digits only, with country code and without a plus sign',
  examples: ['917020141726'],
})

export const BeginNumberVerificationRequest = Type.Object(
  {
    phoneNumber: PhoneNumber,
    redirectUri: Type.Optional(
      Type.String({
        pattern: '^[a-zA-Z][a-zA-Z0-9+.-]*:[^\\s#]+$',
        maxLength: 2048,
        description:
          'Where the operator redirects the phone; registered at the operator. Default: the callback URL of this service, to which your app need not go: it reads `code` and `state` from the redirect. `{connector}` becomes the name of the connector that verifies the number; where several do, the path ends with it, so that each operator has its own redirect URI',
      }),
    ),
    consent: Type.Optional(Consent),
  },
  { $id: 'BeginNumberVerificationRequest' },
)
export type BeginNumberVerificationRequest = Static<typeof BeginNumberVerificationRequest>

const Incomplete = Type.Object(
  {
    success: Type.Literal(false),
    error: InBodyError,
    phoneDetail: Type.Optional(PhoneDetail),
    cost: Type.Optional(Cost),
  },
  { ...closed, title: 'Not completed' },
)

export const BegunNumberVerification = Type.Union(
  [
    Type.Object(
      {
        success: Type.Literal(true),
        verificationId: Type.String({ description: 'For the second call, within the same tenant and client' }),
        url: Type.String({
          description: 'The phone opens it over mobile data, not over Wi-Fi, and follows redirects up to redirectUri',
        }),
        expiresAt: Type.String({ description: 'ISO 8601 UTC' }),
        phoneDetail: PhoneDetail,
      },
      { ...closed, title: 'Begun' },
    ),
    Incomplete,
  ],
  { $id: 'BegunNumberVerification' },
)
export type BegunNumberVerification = Static<typeof BegunNumberVerification>

const returned = (what: string, maxLength: number) =>
  Type.Optional(Type.String({ maxLength, description: `\`${what}\` of the URL that the operator redirected to` }))

export const CompleteNumberVerificationRequest = Type.Object(
  {
    verificationId: Type.String({ minLength: 1, maxLength: 64, description: 'In the path: of the first call' }),
    state: Type.String({
      minLength: 1,
      maxLength: 256,
      description: '`state` of the URL that the operator redirected to',
    }),
    code: returned('code', 4096),
    error: returned('error', 256),
    iss: returned('iss', 2048),
    redirectUri: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8192,
        description:
          'The URL that the operator redirected the phone to; its query may be left out. Required where several connectors verify phones and there is no `iss`: a code is sent to no operator but its own',
      }),
    ),
  },
  { $id: 'CompleteNumberVerificationRequest' },
)
export type CompleteNumberVerificationRequest = Static<typeof CompleteNumberVerificationRequest>

export const NumberVerificationResult = Type.Union(
  [
    Type.Object(
      {
        success: Type.Literal(true),
        verified: Type.Boolean({
          description:
            'true: the phone that opened the URL has the SIM of this number. false: it has the SIM of another number',
        }),
        phoneDetail: PhoneDetail,
        source: Type.String({ description: 'Who answered: the name of a connector in the configuration' }),
        cost: Type.Optional(Cost),
      },
      { ...closed, title: 'Completed' },
    ),
    Incomplete,
  ],
  { $id: 'NumberVerificationResult' },
)
export type NumberVerificationResult = Static<typeof NumberVerificationResult>

// Does the operator know the subscriber by this name, address and birth date? (CAMARA kyc-match)

import Type, { type Static } from 'typebox'
import { camaraCall, check, NothingStated, NotStated } from './check.ts'
import { CalendarDate, PastDate } from './date-time.ts'

const text = (description: string, maxLength: number) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))
const country = (description: string) =>
  Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: `${description}, ISO 3166-1 alpha-2` }))

/** The fields that an operator can compare, with the names and lengths of CAMARA. */
export const kycFields = {
  idDocument: text('Number of an identity document', 50),
  idDocumentType: Type.Optional(
    Type.Enum(
      [
        'passport',
        'national_id_card',
        'residence_permit',
        'diplomatic_id',
        'driver_licence',
        'social_security_id',
        'other',
      ],
      { description: 'Kind of the identity document' },
    ),
  ),
  idDocumentExpiryDate: Type.Optional(CalendarDate('Last day of the identity document')),
  bankAccountNumber: Type.Optional(
    Type.String({
      maxLength: 50,
      pattern: '^[A-Z]+:[A-Za-z0-9]+$',
      description: 'Bank account after the name of its scheme, such as IBAN:NL59ABNA0123456789',
    }),
  ),
  name: text('Complete name', 256),
  givenName: text('Given name', 100),
  familyName: text('Family name', 150),
  middleNames: text('Middle names', 100),
  familyNameAtBirth: text('Family name at birth', 150),
  nameKanaHankaku: text('Name in half-width kana', 256),
  nameKanaZenkaku: text('Name in full-width kana', 256),
  address: text('Complete address', 256),
  streetName: text('Street', 150),
  streetNumber: text('Number in the street', 20),
  houseNumberExtension: text('Addition to the number', 20),
  postalCode: text('Postal code', 20),
  locality: text('City', 100),
  region: text('Region', 100),
  country: country('Country'),
  birthdate: Type.Optional(PastDate('Birth date')),
  cityOfBirth: text('City of birth', 100),
  countryOfBirth: country('Country of birth'),
  nationality: country('Nationality'),
  email: text('Email address', 254),
  gender: Type.Optional(Type.Enum(['MALE', 'FEMALE', 'OTHER'], { description: 'Gender' })),
}
export type KycField = keyof typeof kycFields
const names = Object.keys(kycFields) as KycField[]

const Params = Type.Object(kycFields, { minProperties: 1 })

const Match = Type.Object({
  match: Type.Boolean(),
  score: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Similarity of a text that does not match, 0 to 100' }),
  ),
})

export const KycResults = Type.Partial(
  Type.Object(Object.fromEntries(names.map((name) => [name, Match])) as Record<KycField, typeof Match>, {
    description: 'The result of each field that was sent; absent: the operator has nothing to compare it with',
  }),
)

type Compared = { [Name in KycField as `${Name}Match`]?: 'true' | 'false' | 'not_available' } & {
  [Name in KycField as `${Name}MatchScore`]?: number
}
const Response = Type.Unsafe<Compared>(
  Type.Object(
    Object.fromEntries(
      names.flatMap((name) => [
        [`${name}Match`, Type.Optional(Type.Enum(['true', 'false', 'not_available']))],
        [`${name}MatchScore`, Type.Optional(Type.Integer({ minimum: 0, maximum: 100 }))],
      ]),
    ),
  ),
)

export const kycMatch = check({
  name: 'kycMatch',
  title: 'KYC match',
  summary: 'Which of these particulars does the operator have of its subscriber?',
  Params,
  example: { name: 'Asha Rao', birthdate: '1991-04-30' },
  Answer: Type.Object({
    matches: Type.Boolean({ description: 'true: everything that the operator could compare matches' }),
    compared: Type.Integer({ minimum: 1, description: 'How many of the fields the operator could compare' }),
    fields: KycResults,
  }),
  // Names and addresses are not stored.
  isWarning: ({ matches }) => !matches,
  camara: {
    api: 'kyc-match',
    identifier: 'phoneNumber',
    refusals: {
      'KNOW_YOUR_CUSTOMER.INVALID_PARAM_COMBINATION': { status: 400, means: 'parameters', hint: 'send other fields' },
    },
    calls: [
      camaraCall({
        resource: 'match',
        scope: 'kyc-match:match',
        body: (particulars: Static<typeof Params>) => ({ ...particulars }),
        Body: kycFields,
        Response,
        read(response, asked) {
          const found = names.flatMap((name) => {
            const match = response[`${name}Match`]
            // A field that was not sent says nothing, whatever the operator returns for it.
            if (asked[name] === undefined || match === undefined || match === 'not_available') return []
            const score = response[`${name}MatchScore`]
            return [[name, { match: match === 'true', ...(score !== undefined && { score }) }] as const]
          })
          if (found.length === 0) {
            const isStated = names.some((name) => asked[name] !== undefined && response[`${name}Match`] !== undefined)
            throw new (isStated ? NothingStated : NotStated)('nothing to compare')
          }
          return {
            matches: found.every(([, { match }]) => match),
            compared: found.length,
            fields: Object.fromEntries(found),
          }
        },
        served: {
          params(body: Static<typeof Params>) {
            const sent = names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]]))
            return sent.length === 0 ? undefined : Object.fromEntries(sent)
          },
          respond: ({ fields }, body: Static<typeof Params>) => responseOf(fields, body),
          nothing: (body: Static<typeof Params>) => responseOf({}, body),
        },
      }),
    ],
  },
})

/** A field without a result is not available. */
const responseOf = (results: Static<typeof KycResults>, body: Static<typeof Params>) =>
  Object.fromEntries(
    names
      .filter((name) => body[name] !== undefined)
      .flatMap((name) => {
        const { match, score } = results[name] ?? {}
        return [
          [`${name}Match`, match === undefined ? 'not_available' : String(match)],
          ...(score === undefined ? [] : [[`${name}MatchScore`, score]]),
        ]
      }),
  )

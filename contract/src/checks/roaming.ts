// Is the phone in a foreign network? (CAMARA device-roaming-status 1.0)

import Type from 'typebox'
import { camaraCall, check } from './check.ts'
import { DateTime } from './date-time.ts'

const Response = Type.Object({
  roaming: Type.Boolean(),
  /** Mobile country code. 901 and its like belong to no country. */
  countryCode: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
  /** ISO 3166-1 alpha-2; several where one mobile country code is used by several. */
  countryName: Type.Optional(Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 50 })),
  lastStatusTime: Type.Optional(DateTime('When the status last changed')),
})

export const roaming = check({
  name: 'roaming',
  title: 'roaming',
  summary: 'Is the phone in the network of another operator abroad, and in which country?',
  Params: Type.Object({}),
  example: {},
  Answer: Type.Object({
    roaming: Type.Boolean({ description: 'true: the phone is in a foreign network' }),
    country: Type.Optional(
      Type.String({ pattern: '^[A-Z]{2}$', description: 'Country of that network, where exactly one is known' }),
    ),
    mobileCountryCode: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 999, description: 'MCC of that network, where the operator reports it' }),
    ),
    statusAt: Type.Optional(DateTime('When the operator last updated the status')),
  }),
  keyOf: () => '',
  isWarning: ({ roaming }) => roaming,
  camara: {
    api: 'device-roaming-status',
    identifier: 'device',
    calls: [
      camaraCall({
        resource: 'retrieve',
        scope: 'device-roaming-status:read',
        Response,
        read({ roaming, countryCode, countryName: countries = [], lastStatusTime }) {
          const [country] = countries
          return {
            roaming,
            ...(roaming && country !== undefined && countries.length === 1 && { country }),
            ...(roaming && countryCode !== undefined && { mobileCountryCode: countryCode }),
            ...(lastStatusTime !== undefined && { statusAt: lastStatusTime }),
          }
        },
        served: {
          params: () => ({}),
          respond: ({ roaming, country, mobileCountryCode, statusAt }) => ({
            roaming,
            ...(mobileCountryCode !== undefined && { countryCode: mobileCountryCode }),
            ...(country !== undefined && { countryName: [country] }),
            ...(statusAt !== undefined && { lastStatusTime: statusAt }),
          }),
        },
      }),
    ],
  },
})

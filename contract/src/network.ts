// From where does a person come? Address, place, network operator and time zone. (specification 2.4 `network`, 2.5 `network_info`)

import Type, { type Static } from 'typebox'

const Place = (description: string, name: string) =>
  Type.Object(
    {
      code: Type.Optional(Type.String({ description: 'ISO 3166-2 code without the country' })),
      name: Type.Optional(Type.String({ description: name })),
    },
    { additionalProperties: false, description },
  )

/** Of an address that is not public, empty; of a public one, `city` and `subdivisions` are there, and empty when unknown. */
export const IpLocation = Type.Object(
  {
    accuracyRadius: Type.Optional(
      Type.Number({ description: 'The person is probably within so many kilometres of the coordinates' }),
    ),
    city: Type.Optional(Type.Omit(Place('Empty when unknown', 'English name'), ['code'])),
    subdivisions: Type.Optional(Place('State, province or region; empty when unknown', 'English name')),
    country: Type.Optional(
      Type.Object(
        {
          code: Type.String({ description: 'ISO 3166-1 alpha-2 country code' }),
          name: Type.Optional(Type.String({ description: 'English name' })),
        },
        { additionalProperties: false },
      ),
    ),
    continent: Type.Optional(
      Type.Object(
        { code: Type.Enum(['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'], { description: 'Continent' }) },
        { additionalProperties: false },
      ),
    ),
    latitude: Type.Optional(Type.Number({ description: 'Degrees north' })),
    longitude: Type.Optional(Type.Number({ description: 'Degrees east' })),
    asn: Type.Optional(
      Type.Object(
        {
          asn: Type.String({ description: 'Number of the autonomous system, digits only' }),
          name: Type.Optional(Type.String({ description: 'Organisation that runs it' })),
          network: Type.String({ description: 'CIDR block that the address lies in' }),
        },
        { additionalProperties: false, description: 'The network operator; omitted when unknown' },
      ),
    ),
  },
  {
    $id: 'IpLocation',
    additionalProperties: false,
    description: 'Where the address is; empty unless it is a public one',
  },
)
export type IpLocation = Static<typeof IpLocation>

export const Network = Type.Object(
  {
    ip: Type.String({ description: 'Address of the person; IPv6 as in RFC 5952, IPv4-mapped as IPv4' }),
    timezone: Type.Optional(Type.String({ description: 'IANA time zone of the place; omitted when unknown' })),
    ipLocation: IpLocation,
  },
  { $id: 'Network', additionalProperties: false, description: 'Address, place and network operator' },
)
export type Network = Static<typeof Network>

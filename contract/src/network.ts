// Where does the user connect from? IP address, location, network operator and time zone. (specification 2.4 `network`, 2.5 `network_info`)

import Type, { type Static } from 'typebox'

const Place = (description: string, name: string) =>
  Type.Object(
    {
      code: Type.Optional(Type.String({ description: 'ISO 3166-2 code without the country' })),
      name: Type.Optional(Type.String({ description: name })),
    },
    { additionalProperties: false, description },
  )

/** Empty for an IP address that is not public. For a public one, `city` and `subdivisions` exist, and are empty when unknown. */
export const IpLocation = Type.Object(
  {
    accuracyRadius: Type.Optional(
      Type.Number({ description: 'The user is probably within this many kilometres of the coordinates' }),
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
          asn: Type.String({ description: 'Autonomous system number, digits only' }),
          name: Type.Optional(Type.String({ description: 'Organisation that runs the network' })),
          network: Type.String({ description: 'CIDR block of the IP address' }),
        },
        { additionalProperties: false, description: 'The network operator; omitted when unknown' },
      ),
    ),
  },
  {
    $id: 'IpLocation',
    additionalProperties: false,
    description: 'Location of the IP address; empty when the IP address is not public',
  },
)
export type IpLocation = Static<typeof IpLocation>

export const Network = Type.Object(
  {
    ip: Type.String({ description: 'IP address of the user; IPv6 as in RFC 5952, IPv4-mapped as IPv4' }),
    timezone: Type.Optional(Type.String({ description: 'IANA time zone of the location; omitted when unknown' })),
    ipLocation: IpLocation,
  },
  { $id: 'Network', additionalProperties: false, description: 'IP address, location and network operator' },
)
export type Network = Static<typeof Network>

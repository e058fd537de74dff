// Where on the network, and on earth, is a user? (specification 2.4, network; 2.5, network_info)

import Type, { type Static } from 'typebox'

const closed = { additionalProperties: false } as const

/** What is not known of an address is omitted; a private or loopback address has an `ip` and an empty `ipLocation`. */
export const Network = Type.Object(
  {
    ip: Type.String({ description: 'IP address', examples: ['203.0.113.7'] }),
    timezone: Type.Optional(Type.String({ description: 'IANA name', examples: ['Asia/Kolkata'] })),
    ipLocation: Type.Object(
      {
        accuracyRadius: Type.Optional(Type.Number({ description: 'Kilometres around latitude and longitude' })),
        city: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) }, closed)),
        subdivisions: Type.Optional(
          Type.Object(
            { code: Type.Optional(Type.String({ description: 'ISO 3166-2' })), name: Type.Optional(Type.String()) },
            closed,
          ),
        ),
        country: Type.Optional(
          Type.Object({ code: Type.String({ description: 'ISO 3166-1 alpha-2' }), name: Type.String() }, closed),
        ),
        continent: Type.Optional(Type.Object({ code: Type.String() }, closed)),
        latitude: Type.Optional(Type.Number()),
        longitude: Type.Optional(Type.Number()),
        asn: Type.Optional(
          Type.Object(
            {
              asn: Type.String({ description: 'Number of the autonomous system' }),
              name: Type.String(),
              network: Type.String({ description: 'CIDR block' }),
            },
            closed,
          ),
        ),
      },
      closed,
    ),
  },
  { $id: 'Network', ...closed, description: 'Address of the user, and what is known of it' },
)
export type Network = Static<typeof Network>

// What may the configuration say of the order of portability sources?

import Type, { type Static } from 'typebox'

const SourceList = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), {
    maxItems: 32,
    uniqueItems: true,
    description: `${description}: names under portabilitySources, imported for all imported number data, imported:NAME for one of them. A source that is left out is not asked`,
  })

/** The key `portability` of the configuration file. */
export const SourceOrder = Type.Object(
  {
    countries: Type.Optional(
      Type.Record(Type.String(), SourceList('the sources'), {
        description: 'the sources for numbers of a country, by its ISO 3166-1 alpha-2 code, in their order',
      }),
    ),
    otherwise: Type.Optional(SourceList('the sources for all other numbers, in their order')),
  },
  { additionalProperties: false, description: 'Which portability sources are asked first' },
)
export type SourceOrder = Static<typeof SourceOrder>

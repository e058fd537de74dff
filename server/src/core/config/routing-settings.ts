// What may the configuration say of routes? Which connectors are asked about a number, in which order.

import { operatorCheckNames } from '@ringfence/contract'
import Type, { type Static } from 'typebox'

/** What a list of routes may be limited to. */
const routedNames = [...operatorCheckNames, 'numberVerification'] as const
export type RoutedName = (typeof routedNames)[number]

/** One connector of a list. */
export const RouteEntry = Type.Object(
  {
    connector: Type.String({ minLength: 1, description: 'a name under connectors' }),
    checks: Type.Optional(
      Type.Array(Type.Enum([...routedNames]), {
        minItems: 1,
        description: 'only these checks go to it. Default: all that it offers',
      }),
    ),
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description:
          'neighbours with a weight share the numbers in this proportion: the same number goes to the same connector first, on every server; the others follow as fallbacks',
      }),
    ),
    hedgeAfter: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 30_000 }), Type.Literal('p95')], {
        description:
          'milliseconds without an answer after which the next connector is asked too, if the cost cap allows; the later one is aborted. p95: as long as 95 of its last 100 answers took, once it has given 20. Default: the next one is asked only after a failure',
      }),
    ),
  },
  { additionalProperties: false },
)
export type RouteEntry = Static<typeof RouteEntry>

const RouteList = (description: string) =>
  Type.Array(RouteEntry, {
    maxItems: 16,
    description: `${description}, in their order: the next one is asked when one fails, does not support the check, or its circuit is open`,
  })

/** The key `routing` of the configuration file. */
export const Routing = Type.Object(
  {
    operators: Type.Optional(
      Type.Record(Type.String(), RouteList('the connectors'), {
        description: 'by the id of an operator, instead of its key connector; an empty list: no check is supported',
      }),
    ),
    countries: Type.Optional(
      Type.Record(Type.String(), RouteList('the connectors'), {
        description:
          'by ISO 3166-1 alpha-2 code: for numbers of the country whose operator is not known or has no connector',
      }),
    ),
    otherwise: Type.Optional(
      RouteList('the connectors for all other numbers whose operator is not known or has no connector'),
    ),
  },
  { additionalProperties: false, description: 'Routes: which connectors are asked about a number' },
)
export type Routing = Static<typeof Routing>

/** Whether a number reaches a connector although its operator is not known or not configured. */
export const routesWithoutOperator = ({ countries = {}, otherwise = [] }: Routing = {}): boolean =>
  [otherwise, ...Object.values(countries)].some((list) => list.length > 0)

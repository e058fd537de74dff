// What does the configuration file say of an operator, and for how long may the answers of each check be reused?

import {
  type AnyCheck,
  type Checks,
  checks,
  type OperatorCheckName,
  type OperatorOf,
  operatorCheckNames,
} from '@ringfence/contract'
import Type, { type Static, type TInteger, type TOptional } from 'typebox'

/** Checks whose answers may be stored. */
const reusable = operatorCheckNames.filter((name) => (checks[name] as AnyCheck).keyOf !== undefined)

const properties = Object.fromEntries(
  reusable.map((name) => [name, Type.Optional(Type.Integer({ minimum: 0, maximum: 2_592_000 }))]),
) as { [Name in OperatorCheckName]: TOptional<TInteger> }

/** The key `reuseSeconds` of the configuration file. */
export const ReuseSeconds = Type.Object(properties, {
  additionalProperties: false,
  description:
    'for how many seconds an answer of each check is reused; 0: every check calls the operator. Default: the setting of the check, where there is one, else 0',
})

/** The key `reuseSeconds` of an operator. */
const OperatorReuseSeconds = Type.Object(properties, {
  additionalProperties: false,
  description: 'the same for numbers of this operator, before reuseSeconds of the file',
})

/** What the configuration may say of each check, as the rows of the contract have it. */
const checkSettings = Object.fromEntries(
  operatorCheckNames.flatMap((name) => {
    const { Operator }: AnyCheck = checks[name]
    return Operator ? [[name, Type.Optional(Operator)]] : []
  }),
) as unknown as { [Name in ConfiguredCheck]: TOptional<OperatorOf<Checks[Name]>> }
type ConfiguredCheck = {
  [Name in OperatorCheckName]: keyof Static<OperatorOf<Checks[Name]>> extends never ? never : Name
}[OperatorCheckName]

/** One operator of the configuration file. */
export const OperatorEntry = Type.Object(
  {
    id: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9:._-]{0,63}$',
      description: '"<MCC>-<MNC>" (404-45), or a national id as the number data write it',
    }),
    name: Type.String({
      pattern: '^[A-Z0-9][A-Z0-9_]{0,63}$',
      description: 'an upper-case token, as returned in phoneDetail: FREE_MOBILE',
    }),
    country: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'ISO 3166-1 alpha-2; names and aliases apply within this country',
      }),
    ),
    aliases: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: 'other ids and names that data sources use for this operator',
      }),
    ),
    connector: Type.Optional(
      Type.String({ description: 'a name under connectors; without it the operator supports no check' }),
    ),
    assumeHomeOperator: Type.Optional(
      Type.Boolean({
        description:
          'true: checks of a number whose home operator this is go to it when no source says who serves the number. Default: they fail with P7301',
      }),
    ),
    reuseSeconds: Type.Optional(OperatorReuseSeconds),
    ...checkSettings,
  },
  { additionalProperties: false },
)
export type OperatorEntry = Static<typeof OperatorEntry>

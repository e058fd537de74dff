// What may the configuration say of prices, and how much may a tenant spend in a day?

import { paidNames } from '@ringfence/contract'
import Type, { type Static, type TInteger, type TOptional } from 'typebox'
import { ByTenant } from './by-tenant.ts'

const micros = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description })

const byCheck = (description: string) =>
  Object.fromEntries(paidNames.map((name) => [name, Type.Optional(micros(description))])) as {
    [Name in (typeof paidNames)[number]]: TOptional<TInteger>
  }

const Prices = Type.Object(
  {
    ...byCheck('of one request for this check'),
    otherwise: Type.Optional(micros('of one request for any other check')),
  },
  { additionalProperties: false },
)

const Cap = Type.Object(
  {
    total: Type.Optional(micros('for all checks together')),
    checks: Type.Optional(
      Type.Object(byCheck('for this check'), { additionalProperties: false, description: 'for each check separately' }),
    ),
  },
  { additionalProperties: false },
)

/** The key `costs` of the configuration file. */
export const CostSettings = Type.Object(
  {
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      form: 'an ISO 4217 code such as EUR',
      description: 'ISO 4217; one for all prices. Convert those of other contracts',
    }),
    prices: Type.Record(Type.String(), Prices, {
      description:
        'what a request costs in millionths of the currency (12000 is 0.012), by connector and check; portability: by the name of a remote portability source',
    }),
    dailyCap: Type.Optional(
      Type.Object(Cap.properties, {
        additionalProperties: false,
        description:
          'what each tenant may spend in a day (UTC), in millionths; when it is reached, no request with a price is sent. Default: no limit',
      }),
    ),
    tenants: Type.Optional(ByTenant(Cap, 'the daily cap of a tenant by its id, instead of dailyCap')),
  },
  { additionalProperties: false, description: 'Prices of checks, and how much each tenant may spend' },
)
export type CostSettings = Static<typeof CostSettings>
export type CostCap = Static<typeof Cap>

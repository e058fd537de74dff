// What may the configuration say of purposes? Which a tenant's calls must state, and which it may have.

import { Consent, LegalBasis, purposePattern } from '@ringfence/contract'
import Type, { type Static } from 'typebox'
import { ByTenant } from './by-tenant.ts'

const { purpose, legalBasis, reference } = Consent.properties

const rules = {
  required: Type.Optional(
    Type.Array(Type.Enum(['purpose', 'legalBasis', 'reference']), {
      uniqueItems: true,
      description: 'what the `consent` of each call must state; a call without it is refused. Default: nothing',
    }),
  ),
  purposes: Type.Optional(
    Type.Record(
      Type.String({ pattern: purposePattern }),
      Type.Object(
        {
          legalBases: Type.Optional(
            Type.Array(LegalBasis, {
              minItems: 1,
              uniqueItems: true,
              description:
                'the legal bases that this purpose has. Default: all. A call of the CAMARA API, which names none, has the only one',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      {
        additionalProperties: false,
        minProperties: 1,
        description: 'the purposes that calls may state, as `dpv:NAME`; any other is refused. Default: all',
      },
    ),
  ),
  automatic: Type.Optional(
    Type.Object(
      { purpose, legalBasis, reference },
      {
        additionalProperties: false,
        description:
          'what checks state that no backend makes: the telecom gate of sign-ins, "Check now" of the console, watches without a consent, and what rules of device reports read. Default: nothing; where something is required, these checks are then not made',
      },
    ),
  ),
}

/** What applies to one tenant. */
const ConsentRules = Type.Object(rules, { additionalProperties: false })
export type ConsentRules = Static<typeof ConsentRules>

/** The key `consent` of the configuration file. */
export const ConsentSettings = Type.Object(
  {
    ...rules,
    tenants: Type.Optional(ByTenant(ConsentRules, 'the rules of a tenant by its id, instead of those above')),
  },
  { additionalProperties: false, description: 'Which purpose and legal basis each telecom check must state' },
)
export type ConsentSettings = Static<typeof ConsentSettings>

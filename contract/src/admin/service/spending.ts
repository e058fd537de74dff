// What does the console see of what telecom checks cost: today and before, by upstream and check, and what may still be spent?

import Type, { type Static } from 'typebox'
import { paidNames } from '../../checks/index.ts'
import { closed } from '../../schema-parts.ts'

/** How many days are shown, today included. */
export const spendingDays = 30

const micros = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in millionths of the currency` })
const requests = Type.Integer({ minimum: 0, description: 'Requests with a price' })
const Check = Type.Enum([...paidNames])
const Day = Type.String({ description: 'The day in UTC: 2026-11-26' })

export const Spending = Type.Object(
  {
    currency: Type.Optional(Type.String({ description: 'ISO 4217; absent: the configuration has no prices' })),
    today: Day,
    caps: Type.Array(
      Type.Object(
        {
          check: Type.Optional(Check),
          capMicros: micros('What the tenant may spend in a day'),
          spentMicros: micros('What it has spent today'),
        },
        { ...closed, description: 'A cap of a day; without a check, that of all checks together' },
      ),
      { description: 'The daily caps that apply to the tenant; empty: it has none' },
    ),
    days: Type.Array(
      Type.Object(
        {
          day: Day,
          micros: micros('What all checks cost'),
          requests,
          parts: Type.Array(
            Type.Object(
              {
                upstream: Type.String({ description: 'Name of the connector or portability source' }),
                check: Check,
                micros: micros('What its requests cost'),
                requests,
              },
              closed,
            ),
            { description: 'The most expensive first. Days before an upgrade to this version may lack some' },
          ),
        },
        closed,
      ),
      { description: `The last ${spendingDays} days on which something was spent, today first` },
    ),
  },
  { $id: 'Spending', ...closed, description: 'What the telecom checks of the tenant cost' },
)
export type Spending = Static<typeof Spending>

// What did an answer cost? A whole number of millionths, so that sums stay exact.

import Type, { type Static } from 'typebox'
import { closed } from '../schema-parts.ts'

export const Cost = Type.Object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217' }),
    micros: Type.Integer({ minimum: 0, description: 'Millionths of the currency: 12000 is 0.012' }),
  },
  {
    ...closed,
    description:
      'The sum of the prices of the requests that were sent, by the configuration; 0 for a reused answer. Absent: a price is not configured',
  },
)
export type Cost = Static<typeof Cost>

/** So that costs and look-up costs of an answer, and those of events, add up to what was spent. */
export const LookUpCost = Type.Object(Cost.properties, {
  ...closed,
  description:
    'What it cost to find out who serves the number. The portability check has it as its own cost instead. Absent: a price is not configured',
})

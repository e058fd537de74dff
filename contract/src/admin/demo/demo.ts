// Does the tenant have demo traffic, and how far has it come?

import Type, { type Static } from 'typebox'

export const DemoState = Type.Object(
  {
    state: Type.Enum(['none', 'making', 'made', 'removing', 'removed'], {
      description: 'none: it never had any. making: in progress. removing: it is being deleted',
    }),
    progress: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'How much of it is made; 1 when nothing is left to do',
    }),
    until: Type.Optional(
      Type.String({
        description:
          'All traffic from before this time is, or was, demo traffic; ISO 8601 UTC. Absent when there never was any',
      }),
    ),
    people: Type.Integer({ description: 'Made-up customers and attackers' }),
    sessions: Type.Integer({ description: 'Visits that were made' }),
    decisions: Type.Integer({ description: 'Decisions that were made' }),
  },
  { $id: 'DemoState', additionalProperties: false, description: 'The demo traffic of a sandbox' },
)
export type DemoState = Static<typeof DemoState>

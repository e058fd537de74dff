// Is there a demo, in which tenant, and how far has it come?

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
    tenantId: Type.Optional(
      Type.String({
        description: 'The tenant that has the demo traffic. Absent before it is made, and once it is removed',
      }),
    ),
    madeFor: Type.Optional(
      Type.String({
        description: 'The tenant whose owners see the demo and remove it. Absent when there never was one',
      }),
    ),
    until: Type.Optional(
      Type.String({
        description: 'The demo traffic is from before this time; ISO 8601 UTC. Absent when there never was any',
      }),
    ),
    people: Type.Integer({ description: 'Made-up customers and attackers' }),
    sessions: Type.Integer({ description: 'Visits that were made' }),
    decisions: Type.Integer({ description: 'Decisions that were made' }),
  },
  { $id: 'DemoState', additionalProperties: false, description: 'The demo traffic of a sandbox' },
)
export type DemoState = Static<typeof DemoState>

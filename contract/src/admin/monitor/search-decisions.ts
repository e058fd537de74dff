// Which decisions are behind a figure? Found by what figures are counted by: operation, app, country, rule, action and time.

import Type, { type Static } from 'typebox'
import { decisionActions } from '../../decisions.ts'
import { FoundEvent, FoundEvents, SearchEventsRequest } from '../../events/event-search.ts'
import { labelNames } from '../../labels.ts'
import { closed } from '../../schema-parts.ts'
import { PerformanceRequest } from './performance.ts'

const { from, to, limit, cursor } = SearchEventsRequest.properties
const { operation, app, country } = PerformanceRequest.properties

export const SearchDecisionsRequest = Type.Object(
  {
    ...{ operation, app, country },
    rule: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only decisions in which the rule with this id fired' }),
    ),
    action: Type.Optional(Type.Enum([...decisionActions], { description: 'Only decisions with this action' })),
    ...{ from, to, limit, cursor },
  },
  { $id: 'SearchDecisionsRequest', description: 'All filters must hold; `other` as in the figures' },
)
export type SearchDecisionsRequest = Static<typeof SearchDecisionsRequest>

export const FoundDecisions = Type.Object(
  {
    events: Type.Array(
      Type.Object(
        {
          ...FoundEvent.properties,
          label: Type.Optional(
            Type.Enum([...labelNames], { description: 'The label that became known last; about half a minute behind' }),
          ),
        },
        closed,
      ),
      {
        description:
          'The events `decision.created`. A page may have fewer than `limit`, or none, although there are more',
      },
    ),
    nextCursor: FoundEvents.properties.nextCursor,
  },
  { $id: 'FoundDecisions', ...closed, description: 'A page of decisions, newest first' },
)
export type FoundDecisions = Static<typeof FoundDecisions>

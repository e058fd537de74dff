// Which events does a stream of the console have?

import Type, { type Static } from 'typebox'
import { searchableTypes } from '../../events/event-search.ts'

const name = searchableTypes.map((type) => type.replaceAll('.', '\\.').replace('*', '\\*')).join('|')

/** No filter names a person: a URL is in the logs of proxies. */
export const LiveEventsRequest = Type.Object(
  {
    types: Type.Optional(
      Type.String({
        pattern: `^(${name})(,(${name})){0,19}$`,
        description: 'Only events of these types or groups, separated by commas',
        examples: ['decision.created,sign_in.*'],
      }),
    ),
    outcome: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z_-]{0,31}$',
        description: 'Only events with this outcome, such as BLOCK, failed or refused',
      }),
    ),
    lastEventId: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        description:
          'The id of the last event that you have: what happened since comes first. The header Last-Event-ID wins',
      }),
    ),
  },
  { $id: 'LiveEventsRequest' },
)
export type LiveEventsRequest = Static<typeof LiveEventsRequest>

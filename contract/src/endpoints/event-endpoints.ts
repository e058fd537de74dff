// How does a backend read what happened?

import { FoundEvents, SearchEventsRequest } from '../events/event-search.ts'
import { type Endpoint, everyClientCall, refused } from './endpoint.ts'

export const eventEndpoints = {
  searchEvents: {
    method: 'POST',
    caller: 'client',
    scope: 'events',
    errorFormat: 'telecom',
    tag: 'Events',
    path: '/v1/events/search',
    summary: 'Search events',
    description:
      'Returns decisions, device reports, sign-ins, tokens and telecom checks of a user, phone number, device or IP address, by type, outcome and time; newest first. Without filters, everything of the tenant. It is a POST so that no URL contains a phone number.',
    request: SearchEventsRequest,
    answer: FoundEvents,
    accepted: 'A page of events',
    refusals: {
      ...everyClientCall,
      400: refused('A filter is wrong, or the cursor is of another search', 'field-invalid', 'invalid-json'),
    },
  },
} as const satisfies Record<string, Endpoint>

// What happened to a user, phone number, email address, device or IP address, or in a request? A backend searches the events of its tenant.

import Type, { type Static } from 'typebox'
import { UserId } from '../account-devices.ts'
import { closed } from '../schema-parts.ts'
import { eventTypes } from './events.ts'

/** Page size of a search. */
export const searchLimits = { default: 20, most: 100 } as const

const types = Object.keys(eventTypes).filter((type) => type !== 'webhook.test')

/** What a search may be limited to: a type, or a group such as `sign_in.*`. */
export const searchableTypes: readonly string[] = [
  ...new Set(types.map((type) => `${type.slice(0, type.indexOf('.'))}.*`)),
  ...types,
]

export const SearchEventsRequest = Type.Object(
  {
    userId: Type.Optional({ ...UserId, description: 'Only events of this user, by your id' }),
    phoneNumber: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Only events of this phone number, with country code, as people write it',
      }),
    ),
    email: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 320,
        description: 'Only events of this email address, however it is written',
      }),
    ),
    deviceId: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        description: 'Only events of this device: the deviceId of a report',
      }),
    ),
    ipAddress: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 45,
        description: 'Only events from this IP address; for IPv6, from its /64 network',
      }),
    ),
    requestId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description:
          'Only events of this request: the x-request-id of the call, for device reports and their labels that of the engine call',
      }),
    ),
    types: Type.Optional(
      Type.Array(Type.Enum([...searchableTypes]), {
        minItems: 1,
        maxItems: 20,
        description: 'Only events of these types or groups',
      }),
    ),
    outcome: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z_-]{0,31}$',
        description: 'Only events with this outcome, such as BLOCK, REVIEW, failed or refused',
      }),
    ),
    from: Type.Optional(Type.String({ format: 'date-time', description: 'Not before this time, RFC 3339' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Before this time, RFC 3339' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: searchLimits.most,
        default: searchLimits.default,
        description: 'How many events a page has at most',
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'nextCursor of the page before; send the same filters',
      }),
    ),
  },
  { $id: 'SearchEventsRequest' },
)
export type SearchEventsRequest = Static<typeof SearchEventsRequest>

export const FoundEvent = Type.Object(
  {
    id: Type.String({ description: 'UUIDv7; the id that webhooks send' }),
    type: Type.String({ description: 'See the reference of events' }),
    timestamp: Type.String({ description: 'When it happened; ISO 8601 UTC' }),
    outcome: Type.Optional(
      Type.String({
        description: 'In one word, such as BLOCK, REVIEW or failed',
      }),
    ),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'As the reference of events says. With decisionId or dfrId, read the decision or the device report itself. `{ unreadable: true }` when what is stored is damaged',
    }),
  },
  { $id: 'FoundEvent', ...closed, description: 'Something that happened' },
)
export type FoundEvent = Static<typeof FoundEvent>

export const FoundEvents = Type.Object(
  {
    events: Type.Array(FoundEvent, {
      description: 'Newest first. A page may have fewer than `limit` events, or none, although there are more',
    }),
    nextCursor: Type.Optional(Type.String({ description: 'Where the next page begins; absent on the last page' })),
  },
  { $id: 'FoundEvents', ...closed, description: 'A page of events' },
)
export type FoundEvents = Static<typeof FoundEvents>

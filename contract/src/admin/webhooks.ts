// What does the console send to add and change a webhook, and to send events again?

import Type, { type Static } from 'typebox'
import { closed } from '../schema-parts.ts'

const webhookId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'webhookId of a webhook' })

export const AddWebhookRequest = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'Where to deliver: https, with a public IP address',
    }),
    types: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Types of events, groups such as `decision.*`, or `*` for all that are always recorded',
    }),
    description: Type.Optional(
      Type.String({ maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$', description: 'Shown in lists' }),
    ),
  },
  { $id: 'AddWebhookRequest', ...closed },
)
export type AddWebhookRequest = Static<typeof AddWebhookRequest>

export const AddedWebhook = Type.Object(
  {
    webhookId: Type.String(),
    secret: Type.String({ description: '`whsec_…`; shown only now. Verify each delivery with it' }),
  },
  { $id: 'AddedWebhook', ...closed, description: 'A webhook with a new secret' },
)
export type AddedWebhook = Static<typeof AddedWebhook>

export const WebhookRequest = Type.Object({ webhookId }, { $id: 'WebhookRequest', ...closed })
export type WebhookRequest = Static<typeof WebhookRequest>

export const WebhookState = Type.Object(
  { webhookId: Type.String(), state: Type.Enum(['active', 'paused']) },
  { $id: 'WebhookState', ...closed, description: 'The state of a webhook from now on' },
)
export type WebhookState = Static<typeof WebhookState>

export const RemovedWebhook = Type.Object(
  { removed: Type.Boolean() },
  { $id: 'RemovedWebhook', ...closed, description: 'The webhook is removed' },
)
export type RemovedWebhook = Static<typeof RemovedWebhook>

export const TestedWebhook = Type.Object(
  { eventId: Type.String({ description: 'Of the test event' }) },
  { $id: 'TestedWebhook', ...closed, description: 'The test event waits for delivery' },
)
export type TestedWebhook = Static<typeof TestedWebhook>

const eventId = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })

export const ReplayWebhookRequest = Type.Object(
  {
    webhookId,
    eventId: Type.Optional({ ...eventId, description: 'The event to send again; or send `since`' }),
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Events from this time on, RFC 3339; or send `eventId`' }),
    ),
    until: Type.Optional(
      Type.String({ format: 'date-time', description: 'Events before this time; required with since' }),
    ),
    cursor: Type.Optional({ ...eventId, description: '`next` of the call before' }),
  },
  { $id: 'ReplayWebhookRequest' },
)
export type ReplayWebhookRequest = Static<typeof ReplayWebhookRequest>

export const ReplayedEvents = Type.Object(
  {
    events: Type.Integer({ description: 'Events of this call that are sent again' }),
    next: Type.Optional(Type.String({ description: 'There are more: send it as `cursor`' })),
  },
  { $id: 'ReplayedEvents', ...closed, description: 'Events are sent again' },
)
export type ReplayedEvents = Static<typeof ReplayedEvents>

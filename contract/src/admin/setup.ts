// How does the console see what a tenant has set up: apps, client keys, webhooks, and the service itself?

import Type, { type Static } from 'typebox'
import { closed, time } from '../schema-parts.ts'

export const ShownApp = Type.Object(
  {
    appId: Type.String({ description: '`rfa_…`; public' }),
    name: Type.String(),
    origins: Type.Array(Type.String(), { description: 'Origins of the web app' }),
    bundleIds: Type.Array(Type.String(), { description: 'Of iOS apps' }),
    packageNames: Type.Array(Type.String(), { description: 'Of Android apps' }),
    settings: Type.Record(Type.String(), Type.Unknown(), { description: 'Every setting, with its default' }),
    createdAt: time('When it was created'),
    disabledAt: Type.Optional(time('When it was disabled')),
    sessionsRevokedBefore: Type.Optional(time('SDK sessions that began before are refused')),
  },
  { $id: 'ShownApp', ...closed, description: 'A web site or mobile app of the tenant' },
)

export const ShownApps = Type.Object(
  { apps: Type.Array(ShownApp, { description: 'In the order of creation' }) },
  { $id: 'ShownApps', ...closed, description: 'The apps of the tenant' },
)
export type ShownApps = Static<typeof ShownApps>

export const ShownClient = Type.Object(
  {
    clientId: Type.String({ description: '`rfc_…`' }),
    name: Type.String(),
    scopes: Type.Optional(Type.Array(Type.String(), { description: 'Absent: every call of a backend' })),
    role: Type.Optional(Type.String({ description: 'What it may do through the admin API; absent: nothing' })),
    allowedIps: Type.Optional(
      Type.Array(Type.String(), { description: 'IP addresses and ranges; absent: from everywhere' }),
    ),
    liveSecrets: Type.Integer({ description: 'Valid secrets: two during a rotation, none of a revoked key' }),
    publicKeys: Type.Optional(
      Type.Array(
        Type.Object({ keyId: Type.String({ description: 'RFC 7638' }), createdAt: time('When it was added') }, closed),
        { description: 'With which it signs assertions for the CAMARA API; absent: none' },
      ),
    ),
    expiresAt: Type.Optional(time('When it ends')),
    createdAt: time('When it was created'),
    revokedAt: Type.Optional(time('When it was revoked')),
    lastUsedAt: Type.Optional(time('The last call, to a minute')),
  },
  { $id: 'ShownClient', ...closed, description: 'A client key, without its secrets' },
)

export const ShownClients = Type.Object(
  { clients: Type.Array(ShownClient, { description: 'In the order of creation' }) },
  { $id: 'ShownClients', ...closed, description: 'The client keys of the tenant' },
)
export type ShownClients = Static<typeof ShownClients>

export const ShownWebhook = Type.Object(
  {
    webhookId: Type.String(),
    url: Type.String(),
    description: Type.String(),
    types: Type.Array(Type.String(), { description: 'Types and groups of events' }),
    state: Type.Enum(['active', 'paused', 'disabled']),
    createdAt: time('When it was added'),
    failingSince: Type.Optional(time('Since when no delivery has succeeded')),
    failure: Type.Optional(Type.String({ description: 'Why the last delivery failed' })),
    waiting: Type.Integer({ description: 'Events that wait, counted up to 100,000' }),
    waitingSince: Type.Optional(time('Since when the oldest one waits')),
  },
  { $id: 'ShownWebhook', ...closed, description: 'A webhook' },
)

export const ShownWebhooks = Type.Object(
  { webhooks: Type.Array(ShownWebhook, { description: 'In the order of creation' }) },
  { $id: 'ShownWebhooks', ...closed, description: 'The webhooks of the tenant' },
)
export type ShownWebhooks = Static<typeof ShownWebhooks>

export const WebhookAttemptsRequest = Type.Object(
  {
    webhookId: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'webhookId of a webhook' }),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 50, description: 'How many attempts it returns at most' }),
    ),
  },
  { $id: 'WebhookAttemptsRequest' },
)
export type WebhookAttemptsRequest = Static<typeof WebhookAttemptsRequest>

export const DeliveryResult = Type.Enum(
  [
    'accepted',
    'gone',
    'refused',
    'redirected',
    'timeout',
    'unreachable',
    'garbage',
    'target',
    'unreadable',
    'key unknown',
    'given up',
  ],
  {
    description:
      'accepted: 2xx. gone: 410, it wants nothing more. refused: any other status. target: its IP address is not allowed. unreadable: the event is damaged. key unknown: this server does not have its key. given up: it failed too often',
  },
)
export type DeliveryResult = Static<typeof DeliveryResult>

export const WebhookAttempts = Type.Object(
  {
    attempts: Type.Array(
      Type.Object(
        {
          eventId: Type.String(),
          type: Type.String({ description: 'Type of the event' }),
          attemptedAt: time('When'),
          result: DeliveryResult,
          status: Type.Optional(Type.Integer({ description: 'HTTP status of the receiver' })),
          durationMs: Type.Integer(),
          answer: Type.String({ description: 'The first bytes of a refusal, or why there was no answer' }),
        },
        closed,
      ),
      { description: 'Newest first' },
    ),
  },
  { $id: 'WebhookAttempts', ...closed, description: 'Deliveries of a webhook' },
)
export type WebhookAttempts = Static<typeof WebhookAttempts>

export const SystemState = Type.Object(
  {
    version: Type.String({ description: 'Of Ringfence' }),
    nodeVersion: Type.String({ description: 'Of Node.js' }),
    now: time('The time of the server'),
    store: Type.Enum(['ready', 'store unavailable', 'schema too new']),
    engine: Type.Enum(['sqlite', 'postgres']),
    servers: Type.Integer({ description: 'Servers that share the store' }),
    requestsInFlight: Type.Integer(),
    requestsWaiting: Type.Integer({ description: 'Requests that wait, because the server is loaded' }),
    data: Type.Array(Type.Object({ name: Type.String(), datedAt: time('The date of the data') }, closed), {
      description: 'Files and lists that answers rest on: IP addresses, phone numbers',
    }),
  },
  { $id: 'SystemState', ...closed, description: 'How the server that answers is doing' },
)
export type SystemState = Static<typeof SystemState>

// Which phone numbers does a backend watch? A watch reports a change of SIM, phone, operator or subscriber as an event.

import Type, { type Static } from 'typebox'
import { closed, time } from '../schema-parts.ts'
import { Consent, consentFor } from './consent.ts'
import type { CheckName } from './index.ts'

/** The checks that a watch can make. The order is that of documents. */
export const watchableChecks = [
  'simSwap',
  'deviceSwap',
  'portability',
  'numberRecycling',
] as const satisfies readonly CheckName[]
export type WatchableCheck = (typeof watchableChecks)[number]

const daySeconds = 86_400

/** Seconds that a watch lasts. */
export const watchLifetimeSeconds = { minimum: 3600, maximum: 366 * daySeconds, default: 90 * daySeconds } as const

const WatchId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'watchId of a watch',
})

export const WatchRequest = Type.Object(
  {
    phoneNumber: Type.String({
      description: 'Digits only, with country code and without a plus sign',
      examples: ['917020141726'],
    }),
    checks: Type.Array(Type.Enum([...watchableChecks]), {
      minItems: 1,
      maxItems: watchableChecks.length,
      uniqueItems: true,
      description: 'What to watch. A number that is watched already gets these checks in addition to its own',
    }),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'RFC 3339, from an hour to 366 days ahead. Send this or ttlSeconds. Default: 90 days. A later end of the existing watch stays',
      }),
    ),
    ttlSeconds: Type.Optional(
      Type.Integer({
        minimum: watchLifetimeSeconds.minimum,
        maximum: watchLifetimeSeconds.maximum,
        description: 'How long to watch, in seconds from now',
      }),
    ),
    reference: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
        description: 'Your text, returned in each event of this watch, for example your id of the customer',
      }),
    ),
    consent: Type.Optional(
      consentFor('The purpose of the watch: each of its checks states it. Another call for the number replaces it'),
    ),
  },
  { $id: 'WatchRequest' },
)
export type WatchRequest = Static<typeof WatchRequest>

const WatchedCheck = Type.Object(
  {
    check: Type.Enum([...watchableChecks]),
    state: Type.Enum(['pending', 'watching', 'failing', 'unsupported'], {
      description:
        '`pending`: not checked yet. `watching`: the last check has an answer. `failing`: the last check failed, and is repeated. `unsupported`: no operator or source answers this for the number; repeated once a day',
    }),
    pollIntervalSeconds: Type.Integer({
      description:
        'How often it is checked. Longer than configured while the tenant watches more than its budget of requests allows',
    }),
    by: Type.Enum(['poll', 'subscription'], {
      description:
        'Who notices a change: `poll`: Ringfence checks. `subscription`: the operator reports it; checks are then made once a week, in case a report is lost',
    }),
    lastCheckedAt: Type.Optional(time('The last check with an answer; absent: none yet')),
    nextCheckAt: time('When it is checked next, at the earliest'),
    changedAt: Type.Optional(time('When the last change was noticed; absent: none since the watch began')),
  },
  { $id: 'WatchedCheck', ...closed, description: 'One check of a watch' },
)
export type WatchedCheck = Static<typeof WatchedCheck>

export const Watch = Type.Object(
  {
    watchId: Type.String({ description: 'Identifies the watch' }),
    phoneNumber: Type.String({ description: 'Digits with country code' }),
    checks: Type.Array(WatchedCheck, { description: 'What is watched' }),
    createdAt: time('When the watch began'),
    expiresAt: time('When it ends'),
    reference: Type.Optional(Type.String({ description: 'Your text' })),
    consent: Type.Optional(Consent),
  },
  { $id: 'Watch', ...closed, description: 'A watched phone number' },
)
export type Watch = Static<typeof Watch>

export const ReadWatchRequest = Type.Object({ watchId: WatchId }, { $id: 'ReadWatchRequest' })
export type ReadWatchRequest = Static<typeof ReadWatchRequest>

export const ListWatchesRequest = Type.Object(
  {
    phoneNumber: Type.Optional(
      Type.String({ description: 'Only the watch of this number: digits only, with country code' }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many watches a page has at most' }),
    ),
    cursor: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[A-Za-z0-9_-]+$',
        description: 'nextCursor of the page before',
      }),
    ),
  },
  { $id: 'ListWatchesRequest' },
)
export type ListWatchesRequest = Static<typeof ListWatchesRequest>

export const WatchPage = Type.Object(
  {
    watches: Type.Array(Watch, { description: 'Oldest first' }),
    nextCursor: Type.Optional(Type.String({ description: 'Send it as `cursor` for the next page; absent: no more' })),
  },
  { $id: 'WatchPage', ...closed, description: 'A page of watches' },
)
export type WatchPage = Static<typeof WatchPage>

export const DeleteWatchRequest = Type.Object({ watchId: WatchId }, { $id: 'DeleteWatchRequest' })
export type DeleteWatchRequest = Static<typeof DeleteWatchRequest>

export const DeletedWatch = Type.Object(
  { deleted: Type.Boolean({ description: 'False when there was no such watch' }) },
  { $id: 'DeletedWatch', ...closed, description: 'The number is not watched any more' },
)
export type DeletedWatch = Static<typeof DeletedWatch>

const ofEvent = (description: string, maxLength: number) => Type.String({ minLength: 1, maxLength, description })

/** A CloudEvent of CAMARA sim-swap-subscriptions 0.4. */
export const OperatorNotification = Type.Object(
  {
    sinkId: Type.String({ pattern: '^[0-9a-f]{32}$', description: 'The end of the sink URL' }),
    id: ofEvent('Identifies the event; the same one counts once', 256),
    source: ofEvent('Who sends it', 1024),
    type: ofEvent(
      '`org.camaraproject.sim-swap-subscriptions.v0.swapped`, `…subscription-started`, `…-updated` or `…-ended`',
      200,
    ),
    specversion: Type.Literal('1.0'),
    time: Type.String({ format: 'date-time', description: 'When it happened' }),
    datacontenttype: Type.Optional(Type.String({ maxLength: 100, description: '`application/json`' })),
    data: Type.Object(
      {
        subscriptionId: ofEvent('The id that the operator gave to the subscription', 256),
        phoneNumber: Type.Optional(Type.String({ maxLength: 20, description: 'In E.164 with a plus sign' })),
        terminationReason: Type.Optional(Type.String({ maxLength: 100, description: 'Why a subscription ended' })),
        updateReason: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'Of `…subscription-updated`. `SUBSCRIPTION_INACTIVE`: the operator reports nothing now',
          }),
        ),
      },
      { description: 'What happened' },
    ),
  },
  { $id: 'OperatorNotification' },
)
export type OperatorNotification = Static<typeof OperatorNotification>

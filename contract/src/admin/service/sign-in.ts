// What does the console show of sign-in: channels, limits, how sign-ins and messages went, the development outbox?

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'

export const SignInSetUp = Type.Object(
  {
    channels: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'As in the configuration file' }),
          type: Type.String({ description: 'Its kind, such as smtp' }),
          method: Type.String({ description: 'SMS, WHATSAPP, EMAIL, GOOGLE …' }),
          form: Type.Enum(['message', 'redirect'], {
            description: 'A message with a code or link, or an identity provider',
          }),
          recipient: Type.Optional(Type.Enum(['MOBILE', 'EMAIL'], { description: 'Of messages' })),
          sends: Type.Boolean({ description: 'False for an outbox, which shows messages and sends nothing' }),
        },
        closed,
      ),
      { description: 'Of the configuration file' },
    ),
    limits: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Name of the setting' }),
          most: Type.Integer({ description: 'Messages that are sent at most' }),
          of: Type.String({ description: 'For each person, app or tenant, and in which time' }),
        },
        closed,
      ),
    ),
    apps: Type.Array(
      Type.Object(
        {
          appId: Type.String(),
          name: Type.String(),
          sentThisHour: Type.Integer({ description: 'Messages of this hour (UTC)' }),
          mostPerHour: Type.Integer(),
        },
        closed,
      ),
      { description: 'Live apps: messages against their limit' },
    ),
    outbox: Type.Enum(['open', 'closed'], {
      description: 'open: this service is a sandbox, and readOutbox shows its messages',
    }),
  },
  { $id: 'SignInSetUp', ...closed, description: 'How people sign in' },
)
export type SignInSetUp = Static<typeof SignInSetUp>

export const SignInCountsRequest = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 30, default: 7, description: 'How many days, with today (UTC)' }),
    ),
  },
  { $id: 'SignInCountsRequest' },
)
export type SignInCountsRequest = Static<typeof SignInCountsRequest>

export const SignInCounts = Type.Object(
  {
    since: time('The first moment that is counted'),
    isComplete: Type.Boolean({
      description: 'False when there were more events than are read: then only the newest of each type are counted',
    }),
    counts: Type.Array(
      Type.Object(
        {
          day: Type.String({ description: 'YYYY-MM-DD, UTC' }),
          type: Type.String({ description: 'sign_in.started, .completed, .failed, .refused, or otp.delivery' }),
          method: Type.String({ description: 'SMS, EMAIL, GOOGLE …' }),
          outcome: Type.String({ description: 'In one word, such as accepted or failed' }),
          count: Type.Integer(),
        },
        closed,
      ),
      { description: 'Newest day first' },
    ),
    reasons: Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() }, closed), {
      description: 'Why messages failed and sign-ins were refused; most frequent first',
    }),
  },
  { $id: 'SignInCounts', ...closed, description: 'How sign-ins and their messages went' },
)
export type SignInCounts = Static<typeof SignInCounts>

export const OutboxMessages = Type.Object(
  {
    messages: Type.Array(
      Type.Object(
        { at: time('When'), method: Type.String(), to: Type.String(), subject: Type.String(), text: Type.String() },
        closed,
      ),
      { description: 'Newest first; at most 100, of this server since it started' },
    ),
  },
  { $id: 'OutboxMessages', ...closed, description: 'Messages that were shown and not sent' },
)
export type OutboxMessages = Static<typeof OutboxMessages>

export const TestChannelRequest = Type.Object(
  {
    channel: Type.String({ minLength: 1, maxLength: 64, description: 'Name of a channel that sends messages' }),
    to: Type.String({
      minLength: 3,
      maxLength: 254,
      description: 'Phone number (digits with country code) or email address, as the channel needs it',
    }),
  },
  { $id: 'TestChannelRequest' },
)
export type TestChannelRequest = Static<typeof TestChannelRequest>

export const TestedChannel = Type.Object(
  {
    accepted: Type.Boolean({ description: 'Whether the gateway accepted the message' }),
    reason: Type.Optional(
      Type.String({ description: 'Why not: timeout, unreachable, rejected, overloaded or format' }),
    ),
    durationMs: Type.Integer(),
  },
  { $id: 'TestedChannel', ...closed, description: 'What the gateway did with the message' },
)
export type TestedChannel = Static<typeof TestedChannel>

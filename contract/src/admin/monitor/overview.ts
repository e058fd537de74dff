// What does the first page of the console show? Counts of a time range, and what needs attention now.

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const overviewActions = ['ALLOW', 'WARN', 'REVIEW', 'CHALLENGE', 'BLOCK'] as const

/** The longest range of an overview. */
export const longestOverviewDays = 31

export const OverviewRequest = Type.Object(
  {
    from: Type.String({ format: 'date-time', description: 'From this time on, RFC 3339; rounded down to a step' }),
    to: Type.String({
      format: 'date-time',
      description: `Before this time, RFC 3339; at most ${longestOverviewDays} days later`,
    }),
  },
  { $id: 'OverviewRequest' },
)
export type OverviewRequest = Static<typeof OverviewRequest>

export const ByAction = Type.Object(
  Object.fromEntries(overviewActions.map((action) => [action, Type.Optional(count(`Decisions with ${action}`))])) as {
    [Action in (typeof overviewActions)[number]]: ReturnType<typeof Type.Optional<ReturnType<typeof count>>>
  },
  { ...closed, description: 'Decisions by action; REVIEW: a rule sent them to a person. Absent is none' },
)

const Named = Type.Object({ name: Type.String(), count: count('How many decisions') }, closed)

const SignInStep = Type.Object(
  {
    channel: Type.String({ description: 'OTP, MAGIC_LINK or OAUTH' }),
    method: Type.String({ description: 'SMS, EMAIL, or the identity provider' }),
    started: count('Sign-ins that began'),
    completed: count('Sign-ins that succeeded'),
    failed: count('Wrong codes, and sign-ins that failed otherwise'),
    refused: count('Sign-ins that were refused before a message was sent'),
  },
  closed,
)

export const OperatorHealth = Type.Object(
  {
    name: Type.String({ description: 'The upstream, as the configuration names it' }),
    calls: count('Attempts to call it'),
    failed: count('Those without an answer'),
    medianMs: Type.Optional(Type.Number({ description: 'Half of the attempts took no longer' })),
    slowMs: Type.Optional(Type.Number({ description: '95 % of the attempts took no longer' })),
  },
  closed,
)

const Attention = Type.Object(
  {
    kind: Type.Enum(
      [
        ...(['webhook-failing', 'webhook-disabled', 'data-old'] as const),
        ...(['reviews-overdue', 'publication-waiting', 'operator-failing'] as const),
      ],
      { description: 'publication-waiting: rules of somebody else that you may approve' },
    ),
    name: Type.String({ description: 'The webhook, the data or the operator; empty for reviews and rules' }),
    since: Type.Optional(time('Since when')),
    count: Type.Optional(count('How many')),
  },
  closed,
)

export const Overview = Type.Object(
  {
    from: time('Where the first step begins'),
    to: time('Where the last step ends'),
    stepSeconds: Type.Integer({ description: 'Length of a step' }),
    countedUntil: Type.Optional(time('Later events are not counted yet; absent before the first count')),
    decisions: ByAction,
    steps: Type.Array(Type.Object({ at: time('Where it begins'), decisions: ByAction }, closed), {
      description: 'Steps with decisions, in their order',
    }),
    reasons: Type.Array(Named, { description: 'The ten most frequent codes' }),
    rules: Type.Array(Named, { description: 'The ten rules that fired most, by id' }),
    signIns: Type.Array(SignInStep),
    operators: Type.Array(OperatorHealth, {
      description: 'As this server has measured since it started. Without `system.read` it is empty',
    }),
    data: Type.Array(Type.Object({ name: Type.String(), datedAt: time('Date of its data') }, closed), {
      description: 'Files and lists that answers rest on. Without `system.read` it is empty',
    }),
    reviews: Type.Object({ open: count('Open reviews, counted up to 1,000') }, closed),
    attention: Type.Array(Attention, { description: 'What somebody should look at' }),
  },
  { $id: 'Overview', ...closed, description: 'What happened in a time range, and what needs attention' },
)
export type Overview = Static<typeof Overview>

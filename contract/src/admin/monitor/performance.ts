// How well do the rules decide? Rates against the period before, rules by false positives, and checks by operator.

import Type, { type Static } from 'typebox'
import { labelNames } from '../../labels.ts'
import { closed, time } from '../../schema-parts.ts'
import { ByAction, OperatorHealth } from './overview.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const dimension = (description: string) => Type.Optional(Type.String({ maxLength: 100, description }))

/** How many days a page of performance has. */
const performanceDays = [1, 7, 30, 90] as const

export const PerformanceRequest = Type.Object(
  {
    days: Type.Enum([...performanceDays], {
      description: 'How many days until now, today included (UTC); 1: the last 24 hours, by hour',
    }),
    operation: dimension('Only decisions with this `action` of the request, such as PAYMENT'),
    app: dimension('Only decisions whose device report is of this app; empty: not known'),
    country: dimension('Only decisions of this country, ISO 3166-1 alpha-2; empty: not known'),
  },
  { $id: 'PerformanceRequest' },
)
export type PerformanceRequest = Static<typeof PerformanceRequest>

const Amounts = Type.Object(
  {
    currency: Type.String({ description: 'ISO 4217; empty: the decision names none' }),
    blockedFraud: Type.Number({ description: 'Of stopped decisions with a bad label' }),
    missedFraud: Type.Number({ description: 'Of decisions with a bad label that were not stopped' }),
    goodRefused: Type.Number({ description: 'Of stopped decisions with the label legitimate' }),
    total: Type.Number({ description: 'Of all decisions with an amount' }),
  },
  { ...closed, description: 'Sums of the param AMOUNT_PARAM, in the currency of CURRENCY_PARAM' },
)

const Figures = Type.Object(
  {
    decisions: ByAction,
    challengesPassed: count('CHALLENGE decisions that were passed; those that are in none of three still wait'),
    challengesFailed: count('Those for which a sign-in was sent that did not pass, and none that did'),
    challengesExpired: count('Those for which no sign-in was sent in time'),
    labels: Type.Partial(
      Type.Object(
        Object.fromEntries(labelNames.map((label) => [label, count('Decisions with this label')])) as Record<
          (typeof labelNames)[number],
          ReturnType<typeof count>
        >,
        closed,
      ),
    ),
    badStopped: count('Decisions with a bad label that were stopped'),
    goodStopped: count('Decisions with the label legitimate that were stopped: false positives'),
    reviewed: count('Reviews that were resolved'),
    approved: count('Of these, approved'),
    reviewSeconds: Type.Optional(Type.Number({ description: 'Mean time from the decision until its review' })),
    amounts: Type.Array(Amounts, { description: 'By currency, the largest total first' }),
  },
  {
    $id: 'PerformanceFigures',
    ...closed,
    description: 'Of a period: labels, challenges and reviews are of its decisions',
  },
)

const RuleFigures = Type.Object(
  {
    rule: Type.String({ description: 'Id of the rule' }),
    fired: count('Decisions in which it fired'),
    firedBefore: count('The same in the period before'),
    decided: count('Decisions that it decided'),
    bad: count('Those in which it fired with a bad label'),
    good: count('Those in which it fired that were stopped, with the label legitimate: false positives'),
    overturned: count('Those in which it fired that a reviewer approved'),
  },
  closed,
)

const CheckFigures = Type.Object(
  {
    check: Type.String({ description: 'The telecom check' }),
    operator: Type.String({ description: 'The mobile operator; empty: not known' }),
    answered: count('Calls of decisions with an answer'),
    timeouts: count('Those without one in time'),
    failed: count('Those that failed otherwise'),
    medianMs: Type.Optional(
      Type.Number({
        description: 'Half of the answers took no longer; from buckets, each a quarter wider than the one before',
      }),
    ),
    slowMs: Type.Optional(Type.Number({ description: '95 % of the answers took no longer' })),
    slowBeforeMs: Type.Optional(Type.Number({ description: 'The same in the period before' })),
    cost: Type.Optional(
      Type.Number({
        description:
          'Of these calls and of finding out who serves the number, in the currency of `cost`. Absent without prices or `system.read`',
      }),
    ),
  },
  closed,
)

export const Performance = Type.Object(
  {
    from: time('Where the period begins'),
    to: time('Where it ends'),
    before: time('Where the period before begins; it ends where this one begins'),
    stepSeconds: Type.Integer({ description: 'Length of a step: an hour or a day' }),
    countedUntil: Type.Optional(time('Later events are not counted yet; absent before the first count')),
    current: Figures,
    previous: Figures,
    steps: Type.Array(Type.Object({ at: time('Where it begins'), figures: Figures, previous: Figures }, closed), {
      description: 'All steps of the period, each with the one as long before',
    }),
    rules: Type.Array(RuleFigures, { description: 'Most false positives first, at most 100' }),
    checks: Type.Array(CheckFigures, { description: 'Operators that decisions called, most calls first, at most 100' }),
    upstreams: Type.Array(OperatorHealth, {
      description: 'Latency of all calls, as this server has measured since it started. Empty without `system.read`',
    }),
    cost: Type.Optional(
      Type.Object(
        { currency: Type.String(), current: Type.Number(), previous: Type.Number() },
        { ...closed, description: 'Of telecom checks of the whole tenant. Absent without prices or `system.read`' },
      ),
    ),
    operations: Type.Array(Type.String(), { description: 'Values to filter by; `other`: those beyond the limit' }),
    apps: Type.Array(Type.String()),
    countries: Type.Array(Type.String()),
  },
  { $id: 'Performance', ...closed, description: 'How decisions turned out in a period, and in the one before' },
)
export type Performance = Static<typeof Performance>

// What explains a decision beyond its answer? What rules read, the labels, and each rule that fired or nearly fired.

import Type, { type Static } from 'typebox'
import { Decision } from '../../decisions.ts'
import { labelNames } from '../../labels.ts'
import { closed, time } from '../../schema-parts.ts'

export const DecisionSubject = Type.Object(
  {
    operation: Type.Optional(Type.String({ description: 'The `action` of the request, such as PAYMENT' })),
    userId: Type.Optional(Type.String({ description: 'User id of the request, else of the sign-in' })),
    phoneNumber: Type.Optional(Type.String({ description: 'Digits with country code' })),
    email: Type.Optional(Type.String({ description: 'Email address of the request, else of the sign-in' })),
    ip: Type.Optional(Type.String({ description: 'IP address of the request, else of the device or the sign-in' })),
    params: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Your own values' })),
  },
  { $id: 'DecisionSubject', ...closed, description: 'What was asked, as rules read it' },
)
export type DecisionSubject = Static<typeof DecisionSubject>

export const DecisionLabel = Type.Object(
  {
    outcome: Type.Enum([...labelNames]),
    of: Type.Enum(['decision', 'report'], { description: 'Whether the decision was labelled, or its device report' }),
    knownAt: time('When it became known'),
    labelledAt: time('When the label arrived'),
  },
  { $id: 'DecisionLabel', ...closed, description: 'How the session turned out' },
)
export type DecisionLabel = Static<typeof DecisionLabel>

export const RuleCondition = Type.Object(
  {
    text: Type.String({ description: 'One comparison of the rule' }),
    holds: Type.Boolean({ description: 'Whether the rule has what it needs from this comparison' }),
    values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'What it read, by path; a value that was not known is absent',
    }),
  },
  { $id: 'RuleCondition', ...closed, description: 'One comparison of a rule, and what it read' },
)
export type RuleCondition = Static<typeof RuleCondition>

export const EvaluatedRule = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    action: Type.Enum(['ALLOW', 'WARN', 'REVIEW', 'CHALLENGE', 'BLOCK']),
    when: Type.String({ description: 'The condition as text' }),
    state: Type.Enum(['fired', 'nearly'], { description: 'nearly: all that it needs but one comparison' }),
    conditions: Type.Array(RuleCondition, { description: 'At most 50, in the order of the text' }),
  },
  { $id: 'EvaluatedRule', ...closed, description: 'A rule that fired or nearly fired' },
)
export type EvaluatedRule = Static<typeof EvaluatedRule>

export const InvestigatedDecision = Type.Interface(
  [Decision],
  {
    subject: DecisionSubject,
    dfrId: Type.Optional(Type.String({ description: 'The device report of the decision' })),
    labels: Type.Array(DecisionLabel, { description: 'Latest `knownAt` first: the first one counts' }),
    evaluated: Type.Optional(
      Type.Array(EvaluatedRule, {
        description:
          'Rules of the version that decided, on what they read then; those that fired first. Absent when your role may not read rules, or the version is no longer stored',
      }),
    ),
    silent: Type.Optional(Type.Integer({ description: 'How many other rules the version has' })),
  },
  { $id: 'InvestigatedDecision', ...closed, description: 'A decision with everything that explains it' },
)
export type InvestigatedDecision = Static<typeof InvestigatedDecision>

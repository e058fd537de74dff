// How does the console see the rules of a tenant: versions, the rules of one, and who changed what?

import Type, { type Static } from 'typebox'
import { closed, time } from '../schema-parts.ts'

const Version = Type.Integer({ description: 'Number of the version; 0 is the default rules' })

/** Shown in lists and sentences. */
export const DraftName = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*\\S[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  description: 'Name of a draft',
})

const Draft = Type.Object(
  {
    name: DraftName,
    owner: Type.String({ description: 'Name of the person who began it, or id of the client' }),
    isYours: Type.Boolean(),
    basedOn: { ...Version, description: 'The version that it began with' },
  },
  { ...closed, description: 'Of the newest version of a draft with a name' },
)
const Stage = Type.Enum(['draft', 'shadow', 'live'])

export const RuleVersions = Type.Object(
  {
    versions: Type.Array(
      Type.Object(
        {
          version: Version,
          rules: Type.Integer({ description: 'Number of rules' }),
          stages: Type.Array(Stage, { description: 'live decides; shadow runs beside it; draft is being written' }),
          createdAt: Type.Optional(time('When it was stored; absent for the default rules')),
          draft: Type.Optional(Draft),
        },
        closed,
      ),
      { description: 'Newest first; the default rules last' },
    ),
    shadow: Type.Optional(
      Type.Object(
        { version: Version, startedBy: Type.String({ description: 'Who' }), startedAt: time('When') },
        { ...closed, description: 'The version in shadow. Absent: none is' },
      ),
    ),
    rollBack: Type.Optional(
      Type.Object(
        { version: Version, until: time('Until then') },
        { ...closed, description: 'The version that was live before, to which one person may roll back' },
      ),
    ),
  },
  { $id: 'RuleVersions', ...closed, description: 'The versions of the rules of a tenant' },
)
export type RuleVersions = Static<typeof RuleVersions>

export const ReadRulesRequest = Type.Object(
  { version: Type.String({ pattern: '^(0|[1-9][0-9]{0,8}|draft|shadow|live)$', description: 'A number, or a stage' }) },
  { $id: 'ReadRulesRequest' },
)
export type ReadRulesRequest = Static<typeof ReadRulesRequest>

/** Values by path. */
const CaseInput = Type.Record(Type.String(), Type.Unknown(), { description: 'Values by path' })

export const ShownRule = Type.Object(
  {
    id: Type.String({ description: 'Stays the same when the rule changes' }),
    name: Type.String({ description: 'Shown in reports' }),
    when: Type.String({ description: 'The condition as text' }),
    action: Type.Enum(['ALLOW', 'WARN', 'REVIEW', 'CHALLENGE', 'BLOCK']),
    score: Type.Number({ description: 'Added to the total when the rule fires' }),
    description: Type.Optional(Type.String()),
    message: Type.Optional(Type.String({ description: 'May be shown to the user' })),
    acceptNumber: Type.Optional(
      Type.Boolean({ description: 'A sign-in with the phone number passes its challenge, whatever its operator says' }),
    ),
    reviewHours: Type.Optional(
      Type.Integer({
        description: 'How long reviewers have for what it sends to REVIEW, in hours; absent: the deadline of reviews',
      }),
    ),
    cases: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: Type.Optional(Type.String()),
            fires: Type.Optional(CaseInput),
            silent: Type.Optional(CaseInput),
          },
          closed,
        ),
        { description: 'Examples for which the rule must fire, or stay silent' },
      ),
    ),
  },
  { $id: 'ShownRule', ...closed, description: 'A rule' },
)

const ShownVelocity = Type.Object(
  {
    per: Type.String({ description: 'Whose decisions it counts' }),
    within: Type.String({ description: 'Length of the window, such as 24h' }),
    count: Type.Optional(Type.String({ description: 'What it counts: decisions' })),
    distinct: Type.Optional(Type.String({ description: 'The path whose different values it counts' })),
    sum: Type.Optional(Type.String({ description: 'The path whose values it adds' })),
    when: Type.Optional(Type.String({ description: 'Only decisions for which this condition holds' })),
  },
  { $id: 'ShownVelocity', ...closed, description: 'A count that rules read as velocity.NAME' },
)

const Otherwise = Type.Enum(['REVIEW', 'CHALLENGE', 'BLOCK'])

export const shownRequirements = {
  require: Type.Optional(
    Type.Record(Type.String(), Type.Array(Type.Enum(['login', 'device', 'phone'])), {
      description: 'What must be known, by action',
    }),
  ),
  otherwise: Type.Optional(
    Type.Union([Otherwise, Type.Record(Type.String(), Otherwise)], {
      description: 'The action where it is not known: one for all, or by action',
    }),
  ),
  warnBelow: Type.Optional(
    Type.Number({ description: 'Below this params.amount, a payment whose challenge nobody can pass is WARN' }),
  ),
}

export const ShownRules = Type.Object(
  {
    version: Version,
    ...shownRequirements,
    rules: Type.Array(ShownRule, { description: 'In their order' }),
    velocity: Type.Optional(Type.Record(Type.String(), ShownVelocity, { description: 'By name' })),
  },
  { $id: 'ShownRules', ...closed, description: 'The rules and velocities of a version, as a rules file has them' },
)
export type ShownRules = Static<typeof ShownRules>

export const RuleHistory = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          number: Type.Integer(),
          changedAt: time('When'),
          changedBy: Type.String({ description: 'Who' }),
          change: Type.Enum(['draft', 'shadow', 'live', 'end-shadow']),
          version: Version,
          versionBefore: Type.Optional({ ...Version, description: 'The version that was in this stage before' }),
          note: Type.String({ description: 'Why; may be empty' }),
        },
        closed,
      ),
      { description: 'Newest first' },
    ),
  },
  { $id: 'RuleHistory', ...closed, description: 'Who changed what in the rules' },
)
export type RuleHistory = Static<typeof RuleHistory>

// How does the console edit rules? Words that rules may use, what is wrong with a text, drafts, differences, shadow.

import Type, { type Static } from 'typebox'
import { telecomChecks } from '../../checks/index.ts'
import { ListKind } from '../../lists.ts'
import { closed } from '../../schema-parts.ts'
import { DraftName, ShownRules, shownRequirements } from '../rules.ts'

const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'
const Version = Type.Integer({ minimum: 0, maximum: 999_999_999, description: 'Number of a version' })
export const ChangeNote = Type.String({ maxLength: 500, pattern: printable, description: 'Why' })

const Described = { description: Type.String({ description: 'What it means' }) }

export const RuleVocabulary = Type.Object(
  {
    paths: Type.Array(
      Type.Object(
        {
          path: Type.String(),
          kind: Type.Enum(['flag', 'number', 'text', 'any'], { description: 'flag: true or false' }),
          values: Type.Optional(Type.Array(Type.String(), { description: 'The allowed texts' })),
          unit: Type.Optional(Type.String()),
          ...Described,
        },
        closed,
      ),
      { description: 'What rules may read' },
    ),
    openParts: Type.Array(
      Type.Object(
        {
          prefix: Type.String({ description: 'Followed by a key of yours: params.' }),
          kind: Type.Enum(['flag', 'number', 'text', 'any']),
          ...Described,
        },
        closed,
      ),
    ),
    operators: Type.Array(
      Type.Object(
        {
          operator: Type.String(),
          kinds: Type.Array(Type.Enum(['flag', 'number', 'text', 'any']), { description: 'Paths that it compares' }),
          ...Described,
        },
        closed,
      ),
    ),
    velocityKeys: Type.Array(Type.String(), { description: 'What `per` of a velocity may be, besides params' }),
    lists: Type.Array(
      Type.Object(
        { name: Type.String(), kind: ListKind, paths: Type.Array(Type.String(), { description: 'That fit its kind' }) },
        closed,
      ),
    ),
  },
  { $id: 'RuleVocabulary', ...closed, description: 'The words of rules' },
)
export type RuleVocabulary = Static<typeof RuleVocabulary>

/** 64 KiB is the limit of a body. */
const RulesText = Type.String({ maxLength: 65_536, description: 'A rules file: YAML or JSON' })

export const CheckRulesRequest = Type.Object(
  {
    text: Type.Optional(RulesText),
    rules: Type.Optional(
      Type.Array(Type.Unknown(), {
        maxItems: 200,
        'x-bounds': { members: 8000, depth: 72 },
        description: 'Instead of text: the rules of a form. `when` is a text or a tree',
      }),
    ),
    velocity: Type.Optional(Type.Unknown({ description: 'Beside rules: the velocities by name' })),
    require: Type.Optional(Type.Unknown({ description: 'Beside rules: what each action requires' })),
    otherwise: Type.Optional(Type.Unknown({ description: 'Beside rules: the action when it is not known' })),
    warnBelow: Type.Optional(Type.Unknown({ description: 'Beside rules: an amount' })),
  },
  { $id: 'CheckRulesRequest' },
)
export type CheckRulesRequest = Static<typeof CheckRulesRequest>

const CaseInput = Type.Record(Type.String(), Type.Unknown(), { description: 'Values by path' })

export const CheckedRules = Type.Object(
  {
    text: Type.String({ description: 'The rules file, also of the rules of a form' }),
    mistakes: Type.Array(
      Type.Object(
        {
          line: Type.Integer({ description: 'From 1' }),
          column: Type.Integer({ description: 'From 1' }),
          rule: Type.Optional(Type.String({ description: 'Id of the rule, where it has one' })),
          reason: Type.String({ description: 'What is wrong, and what to do' }),
        },
        closed,
      ),
    ),
    rules: Type.Array(
      Type.Object({
        ...Type.Pick(ShownRules, ['rules']).properties.rules.items.properties,
        tree: Type.Unknown({ description: 'The condition as a tree, for a form' }),
      }),
      { description: 'Those without a mistake' },
    ),
    velocity: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'By name' })),
    ...shownRequirements,
    cases: Type.Integer({ description: 'Number of cases that ran' }),
    failedCases: Type.Array(
      Type.Object(
        {
          rule: Type.String(),
          number: Type.Integer({ description: 'From 1' }),
          name: Type.Optional(Type.String()),
          expected: Type.Enum(['fires', 'silent']),
          input: CaseInput,
        },
        closed,
      ),
      { description: 'Cases that do not hold' },
    ),
    untried: Type.Array(
      Type.Object({ rule: Type.String(), lacks: Type.Array(Type.Enum(['fires', 'silent'])) }, closed),
      { description: 'Rules without a case that fires, or without one that stays silent' },
    ),
    findings: Type.Array(
      Type.Object(
        {
          rule: Type.String(),
          kind: Type.Enum(['alwaysFires', 'neverFires', 'firesUnknown', 'neverDecides']),
          text: Type.String(),
        },
        closed,
      ),
      { description: 'What is odd about valid rules' },
    ),
    operatorCalls: Type.Array(
      Type.Object(
        {
          check: Type.Enum([...telecomChecks]),
          readBy: Type.Array(Type.String(), { description: 'Rules and velocities' }),
        },
        closed,
      ),
      {
        description:
          'Checks that a decision makes for these rules, unless it can be decided without. Operators may charge for each',
      },
    ),
    cost: Type.Object(
      {
        microseconds: Type.Integer({
          description: 'CPU time that one decision may take for these rules at worst, estimated from their text',
        }),
        budget: Type.Integer({ description: 'Rules that cost more cannot be live or in shadow' }),
        costliest: Type.Array(
          Type.Object(
            { name: Type.String({ description: 'Of a rule or velocity' }), microseconds: Type.Integer() },
            closed,
          ),
          { description: 'At most three, the most expensive first' },
        ),
      },
      closed,
    ),
    blocksEverybody: Type.Boolean({ description: 'Rules that block fire for every session' }),
  },
  { $id: 'CheckedRules', ...closed, description: 'What is wrong with rules, and what they do' },
)
export type CheckedRules = Static<typeof CheckedRules>

export const SaveRuleDraftRequest = Type.Object(
  {
    text: RulesText,
    basedOn: Type.Integer({
      minimum: 0,
      description:
        'With a name: the version that you have edited. Without: the newest version that you have read. A newer one is a conflict: nothing is stored, and nothing lost',
    }),
    name: Type.Optional({
      ...DraftName,
      description: 'A new name begins a draft of yours. The name of a draft stores its next version',
    }),
    note: Type.Optional(ChangeNote),
  },
  { $id: 'SaveRuleDraftRequest' },
)
export type SaveRuleDraftRequest = Static<typeof SaveRuleDraftRequest>

export const DiscardRuleDraftRequest = Type.Object({ version: Version }, { $id: 'DiscardRuleDraftRequest' })
export type DiscardRuleDraftRequest = Static<typeof DiscardRuleDraftRequest>

export const RuleVersionAnswer = Type.Object(
  { version: Version },
  { $id: 'RuleVersionAnswer', ...closed, description: 'The version' },
)
export type RuleVersionAnswer = Static<typeof RuleVersionAnswer>

export const CompareRulesRequest = Type.Object(
  { from: Type.String({ pattern: '^[0-9]{1,9}$' }), to: Type.String({ pattern: '^[0-9]{1,9}$' }) },
  { $id: 'CompareRulesRequest' },
)
export type CompareRulesRequest = Static<typeof CompareRulesRequest>

/** Of a rule, velocity or requirement. */
export const ChangedFields = Type.Array(
  Type.Object(
    {
      field: Type.String(),
      before: Type.Optional(Type.Unknown({ description: 'Absent where the field was' })),
      after: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
)

export const RuleDifferences = Type.Object(
  {
    differences: Type.Array(
      Type.Object(
        {
          of: Type.Enum(['rule', 'velocity', 'requirement']),
          id: Type.String({
            description: 'Id of the rule, name of the velocity, or require.ACTION, otherwise, warnBelow',
          }),
          name: Type.Optional(Type.String({ description: 'Of a rule: its name in the later version that has it' })),
          change: Type.Enum(['added', 'removed', 'changed', 'moved']),
          fields: ChangedFields,
        },
        closed,
      ),
      { description: 'In the order of the later version; what was removed is last' },
    ),
  },
  { $id: 'RuleDifferences', ...closed, description: 'What differs between two versions' },
)
export type RuleDifferences = Static<typeof RuleDifferences>

export const StartRuleShadowRequest = Type.Object(
  {
    version: Version,
    ends: Type.Optional({ ...Version, description: 'The version in shadow, which ends. Without it, none may be' }),
    note: Type.Optional(ChangeNote),
  },
  { $id: 'StartRuleShadowRequest' },
)
export type StartRuleShadowRequest = Static<typeof StartRuleShadowRequest>

export const EndRuleShadowRequest = Type.Object({ note: Type.Optional(ChangeNote) }, { $id: 'EndRuleShadowRequest' })
export type EndRuleShadowRequest = Static<typeof EndRuleShadowRequest>

const Action = Type.Enum(['ALLOW', 'WARN', 'REVIEW', 'CHALLENGE', 'BLOCK'])

export const RuleShadowComparison = Type.Object(
  {
    version: Type.Optional(Version),
    decisions: Type.Integer({ description: 'Of the last 2,000 decisions, those for which both versions ran' }),
    same: Type.Integer({ description: 'Those with the same action' }),
    changes: Type.Array(
      Type.Object(
        {
          live: Action,
          shadow: Action,
          decisions: Type.Integer(),
          examples: Type.Array(Type.String(), { description: 'Ids of the newest decisions' }),
        },
        closed,
      ),
    ),
    rules: Type.Optional(
      Type.Array(
        Type.Object(
          {
            rule: Type.String({ description: 'Id of the rule' }),
            isNew: Type.Boolean({ description: 'The live version has no such rule' }),
            fired: Type.Integer({ description: 'Decisions in which it would have fired' }),
            otherwise: Type.Integer({ description: 'Of these, decisions that would have had another action' }),
          },
          closed,
        ),
        { description: 'Rules that the live version does not have in this form. Absent: no version is in shadow' },
      ),
    ),
  },
  {
    $id: 'RuleShadowComparison',
    ...closed,
    description: 'What the version in shadow would have decided. Without `version`, none is in shadow',
  },
)
export type RuleShadowComparison = Static<typeof RuleShadowComparison>

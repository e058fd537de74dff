// How does a version of the rules become live? Somebody asks, a second person approves. And what would it have done before?

import Type, { type Static } from 'typebox'
import { closed, time } from '../../schema-parts.ts'
import { ChangeNote } from './editing.ts'

const Version = Type.Integer({
  minimum: 0,
  maximum: 999_999_999,
  description: 'Number of a version; 0 is the default rules',
})
const Why = Type.String({ ...ChangeNote, minLength: 1 })

const Warning = Type.Object(
  {
    kind: Type.Enum(['blocksEverybody', 'blocksMany', 'notMeasured', 'untried'], {
      description:
        'blocksEverybody: rules that block fire for every session. blocksMany: more than 5 % of the last decisions would be blocked that are not now. Both need a second person always. notMeasured: fewer than 20 decisions are stored. untried: never in shadow or live',
    }),
    newlyBlocked: Type.Optional(Type.Integer()),
    decisions: Type.Optional(Type.Integer()),
  },
  closed,
)

export const PreviewPublicationRequest = Type.Object({ version: Version }, { $id: 'PreviewPublicationRequest' })
export type PreviewPublicationRequest = Static<typeof PreviewPublicationRequest>

export const PublicationPreview = Type.Object(
  {
    version: Version,
    insteadOf: { ...Version, description: 'The version that is live now' },
    agreement: Type.Enum(['anotherPerson', 'alone', 'rollBack', 'nobody'], {
      description:
        'Who has to agree. alone: you confirm, since nobody else may. rollBack: you confirm, since the version was live just before, at most seven days ago. nobody: there is nobody who may; invite a second publisher',
    }),
    decisions: Type.Integer({ description: 'Stored decisions that were replayed, at most the last 2,000' }),
    newlyBlocked: Type.Integer({ description: 'Blocked by this version, and not by the live one' }),
    newlyChallenged: Type.Integer({
      description:
        'Challenged by this version, and let through by the live one; also where something required is not known',
    }),
    noLongerBlocked: Type.Integer({ description: 'Blocked by the live version, and not by this one' }),
    warnings: Type.Array(Warning),
  },
  { $id: 'PublicationPreview', ...closed, description: 'What publishing a version would do' },
)
export type PublicationPreview = Static<typeof PublicationPreview>

export const RequestPublicationRequest = Type.Object(
  {
    version: { ...Version, description: 'The version to make live; an earlier one rolls back' },
    note: Why,
    alone: Type.Optional(
      Type.Boolean({
        description:
          'Make it live at once: only where nobody else may approve, or for a roll back to the version that was live just before. The audit log says so',
      }),
    ),
  },
  { $id: 'RequestPublicationRequest' },
)
export type RequestPublicationRequest = Static<typeof RequestPublicationRequest>

const PublicationNumber = Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'Number of the request' })
export const DecidePublicationRequest = Type.Object(
  { number: PublicationNumber, note: Type.Optional(ChangeNote) },
  { $id: 'DecidePublicationRequest' },
)
export type DecidePublicationRequest = Static<typeof DecidePublicationRequest>

export const Publication = Type.Object(
  {
    number: Type.Integer({ description: 'From 1' }),
    version: Version,
    insteadOf: { ...Version, description: 'The version that was live when it was requested' },
    state: Type.Enum(['open', 'published', 'rejected', 'withdrawn']),
    requestedAt: time('When'),
    requestedBy: Type.String({ description: 'Name of the person' }),
    isYours: Type.Boolean({ description: 'You asked for it, so another person has to approve' }),
    note: Type.String({ description: 'Why' }),
    warnings: Type.Array(Warning),
    decidedAt: Type.Optional(time('When')),
    decidedBy: Type.Optional(Type.String({ description: 'Name of the person' })),
    decisionNote: Type.Optional(Type.String()),
    isAlone: Type.Boolean({ description: 'Published without a second person' }),
  },
  { $id: 'Publication', ...closed, description: 'A request to publish a version of the rules' },
)
export type Publication = Static<typeof Publication>

export const SecondPerson = Type.Enum(['whenSeveral', 'always'], {
  description: 'whenSeveral: as soon as two people may publish. always: nobody publishes alone, also not the only one',
})

export const Publications = Type.Object(
  {
    publications: Type.Array(Publication, { description: 'Newest first, at most 50' }),
    secondPerson: SecondPerson,
    publishers: Type.Integer({ description: 'People of the tenant who may publish' }),
  },
  { $id: 'Publications', ...closed, description: 'Requests to publish rules' },
)
export type Publications = Static<typeof Publications>

export const PublishPolicy = Type.Object(
  { secondPerson: SecondPerson },
  { $id: 'PublishPolicy', description: 'When a second person has to approve rules' },
)
export type PublishPolicy = Static<typeof PublishPolicy>

export const StartBacktestRequest = Type.Object(
  {
    version: Version,
    against: Type.Optional({ ...Version, description: 'The version to compare with. Default: the live one' }),
    days: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3_650, description: 'Decisions of the last days. Default: 30' }),
    ),
  },
  { $id: 'StartBacktestRequest' },
)
export type StartBacktestRequest = Static<typeof StartBacktestRequest>

export const BacktestIdRequest = Type.Object(
  { backtestId: Type.String({ pattern: '^[0-9a-f-]{36}$' }) },
  { $id: 'BacktestIdRequest' },
)
export type BacktestIdRequest = Static<typeof BacktestIdRequest>

const Action = Type.Enum(['ALLOW', 'WARN', 'REVIEW', 'CHALLENGE', 'BLOCK'])
const count = (description: string) => Type.Integer({ description })
const Actions = Type.Object(
  {
    ALLOW: Type.Integer(),
    WARN: Type.Integer(),
    REVIEW: Type.Integer(),
    CHALLENGE: Type.Integer(),
    BLOCK: Type.Integer(),
  },
  { ...closed, description: 'Number of decisions by action' },
)
const Tally = Type.Object(
  { decisions: Type.Integer(), bad: count('Labelled as bad'), good: count('Labelled as good') },
  closed,
)
const share = (description: string) => Type.Number({ description: `${description}, 0–1` })
const Precision = Type.Object(
  {
    share: share('Bad ones among those with a label'),
    low: share('95 % confidence interval'),
    high: share('The same'),
  },
  closed,
)
const Calls = Type.Object(
  {
    simSwap: Type.Optional(Type.Integer()),
    callForwarding: Type.Optional(Type.Integer()),
    portability: Type.Optional(Type.Integer()),
  },
  { ...closed, description: 'Decisions for which the check is made' },
)

const BacktestResult = Type.Object(
  {
    all: Tally,
    byAction: Actions,
    precision: Type.Optional(Precision),
    recall: Type.Optional(share('Bad decisions that were not allowed')),
    required: Type.Object(
      {
        decisions: Tally,
        byPart: Type.Record(Type.String(), Tally, {
          description: 'By what is not known: login, device, a check, a param',
        }),
      },
      {
        ...closed,
        description: 'With a stronger action than that of the rules, because something required is not known',
      },
    ),
    rules: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          name: Type.String(),
          action: Action,
          fired: Tally,
          decided: count('Decisions whose action it chose'),
          precision: Type.Optional(Precision),
          recall: Type.Optional(share('Bad decisions for which it fired')),
          examples: Type.Array(Type.String(), { description: 'Ids of decisions' }),
        },
        closed,
      ),
    ),
    changes: Type.Array(
      Type.Object({ from: Action, to: Action, decisions: Tally, examples: Type.Array(Type.String()) }, closed),
      { description: 'Compared with the other version' },
    ),
    days: Type.Array(
      Type.Object(
        { day: Type.String({ description: 'In UTC' }), byAction: Actions, before: Type.Optional(Actions) },
        closed,
      ),
    ),
    operatorCalls: Type.Object({ now: Calls, before: Type.Optional(Calls) }, closed),
  },
  closed,
)

export const Backtest = Type.Object(
  {
    backtestId: Type.String(),
    version: Version,
    against: Version,
    days: Type.Integer(),
    state: Type.Enum(['running', 'done', 'cancelled', 'failed', 'interrupted'], {
      description: 'interrupted: the server that ran it has stopped; start it again',
    }),
    startedAt: time('When'),
    startedBy: Type.String(),
    done: count('Decisions that were replayed'),
    total: count('Decisions to replay'),
    result: Type.Optional(BacktestResult),
  },
  { $id: 'Backtest', ...closed, description: 'What a version of the rules would have decided' },
)
export type Backtest = Static<typeof Backtest>

export const Backtests = Type.Object(
  { backtests: Type.Array(Backtest, { description: 'Newest first, at most 20, without results' }) },
  { $id: 'Backtests', ...closed, description: 'Backtests' },
)
export type Backtests = Static<typeof Backtests>

export const CancelledBacktest = Type.Object(
  { cancelled: Type.Boolean({ description: 'False when it had ended' }) },
  { $id: 'CancelledBacktest', ...closed, description: 'The backtest ends' },
)
export type CancelledBacktest = Static<typeof CancelledBacktest>

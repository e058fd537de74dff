// How did sessions turn out? Backends report labels, which feed the history of devices and measure rules.

import Type, { type Static, type TProperties } from 'typebox'
import { UserId } from './account-devices.ts'

export const labelNames = ['fraud', 'chargeback', 'accountTakeover', 'abuse', 'legitimate'] as const

const ReportId = (description: string) => Type.String({ minLength: 1, maxLength: 64, description })

const named = <Name extends TProperties>(name: Name) =>
  Type.Object(
    {
      ...name,
      outcome: Type.Enum([...labelNames], {
        description: 'How the session turned out; every value except legitimate is bad',
      }),
      knownAt: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now',
        }),
      ),
      userId: Type.Optional({
        ...UserId,
        description:
          'Your id of the user of the session. legitimate confirms the device for this user; any other outcome ends its trust. Only while the report is stored',
      }),
    },
    { additionalProperties: false },
  )

/** Identifies its report or decision by one of the three ids. */
export const ReportLabel = Type.Union(
  [
    named({ dfrId: ReportId('dfrId of the report') }),
    named({ requestId: ReportId('requestId of the engine call') }),
    named({ decisionId: ReportId('decisionId of the decision; labels its device report too') }),
  ],
  { $id: 'ReportLabel', description: 'How the session of one report or decision turned out' },
)
export type ReportLabel = Static<typeof ReportLabel>

export const LabelRequest = Type.Object(
  { labels: Type.Array(ReportLabel, { minItems: 1, maxItems: 100 }) },
  { $id: 'LabelRequest' },
)
export type LabelRequest = Static<typeof LabelRequest>

export const LabelAnswer = Type.Object(
  {
    accepted: Type.Integer({ description: 'Number of stored labels, including repeated ones' }),
    unknown: Type.Array(Type.String(), {
      description: 'Ids without a report or decision of yours, or with an expired one; their labels are not stored',
    }),
  },
  { $id: 'LabelAnswer', additionalProperties: false, description: 'The labels are stored' },
)
export type LabelAnswer = Static<typeof LabelAnswer>

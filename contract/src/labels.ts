// How did sessions turn out? What backends tell afterwards, so that histories and rules learn from it.

import Type, { type Static, type TProperties } from 'typebox'

export const outcomeNames = ['fraud', 'chargeback', 'accountTakeover', 'abuse', 'legitimate'] as const

const ReportId = (description: string) => Type.String({ minLength: 1, maxLength: 64, description })

const named = <Name extends TProperties>(name: Name) =>
  Type.Object(
    {
      ...name,
      outcome: Type.Enum([...outcomeNames], {
        description: 'How the session turned out; all but legitimate are bad outcomes',
      }),
      knownAt: Type.Optional(
        Type.String({
          format: 'date-time',
          description:
            'When this became known, RFC 3339; not in the future, with 5 minutes of clock skew allowed. Default: now',
        }),
      ),
    },
    { additionalProperties: false },
  )

/** Names its report by one of its two ids. */
export const ReportLabel = Type.Union(
  [named({ dfrId: ReportId('Of the report') }), named({ requestId: ReportId('Of the engine call') })],
  { $id: 'ReportLabel', description: 'How the session of one report turned out' },
)
export type ReportLabel = Static<typeof ReportLabel>

export const LabelRequest = Type.Object(
  { labels: Type.Array(ReportLabel, { minItems: 1, maxItems: 100 }) },
  { $id: 'LabelRequest' },
)
export type LabelRequest = Static<typeof LabelRequest>

export const LabelAnswer = Type.Object(
  {
    accepted: Type.Integer({ description: 'Labels that are kept, those that were known already included' }),
    unknown: Type.Array(Type.String(), {
      description: 'Ids of no report of yours, or of one that is forgotten; their labels are not kept',
    }),
  },
  { $id: 'LabelAnswer', additionalProperties: false, description: 'The labels are kept' },
)
export type LabelAnswer = Static<typeof LabelAnswer>

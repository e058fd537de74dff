// How did a session turn out? Labels that integrators give to reports afterwards: they tell whether rules are right.

import Type, { type Static } from 'typebox'

/** What may have become of a session, and whether that is what rules are there to prevent. */
export const outcomes = {
  fraud: { isBad: true, meaning: 'fraud, of a kind that has no label of its own' },
  chargeback: { isBad: true, meaning: 'a payment was charged back' },
  accountTakeover: { isBad: true, meaning: 'somebody else used the account' },
  abuse: { isBad: true, meaning: 'promotions, content or resources were abused' },
  legitimate: { isBad: false, meaning: 'the person was who they said, and did nothing wrong' },
} as const

export type Outcome = keyof typeof outcomes

export const outcomeNames = Object.keys(outcomes) as Outcome[]

export const isBad = (outcome: Outcome): boolean => outcomes[outcome].isBad

/** The id of a report: that of its analysis, or that which the SDK gave. */
const reportId = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 64, description }))

/** A label as it comes from outside; `labelMistake` tells what this cannot. */
export const ReportLabel = Type.Object(
  {
    requestId: reportId('Of the report; or dfrId'),
    dfrId: reportId('Of the report; or requestId'),
    outcome: Type.Enum(outcomeNames, { description: 'How the session turned out' }),
    knownAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it turned out so, ISO 8601; now where it is not given' }),
    ),
  },
  { $id: 'ReportLabel', additionalProperties: false },
)
export type ReportLabel = Static<typeof ReportLabel>

/** Why a label of the right shape cannot be kept; undefined when it can. */
export function labelMistake({ requestId, dfrId }: ReportLabel): string | undefined {
  return (requestId === undefined) === (dfrId === undefined) ? 'name the report by requestId or by dfrId' : undefined
}

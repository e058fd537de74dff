// What more does a backend learn on request (`include`)? Why the scores are as they are, and what each signal found.

import Type, { type Static, type TProperties } from 'typebox'
import { closed } from '../schema-parts.ts'

const reasons = <Amount extends TProperties>(description: string, amount: Amount) =>
  Type.Array(
    Type.Object(
      {
        code: Type.String({ description: 'Stable; see the reference of reasons' }),
        ...amount,
        text: Type.String({ description: 'For people; it may change' }),
      },
      closed,
    ),
    { description },
  )

const weight = { weight: Type.Number({ description: '0 to 1: the risk if this were the only reason' }) }

/** `include: ["reasons"]` */
export const ReportReasons = Type.Object(
  {
    sessionRiskScore: reasons('The score is 100 × (1 − the product of all 1 − weight)', weight),
    deviceRiskScore: reasons('The reasons of the session, and those of the history of the device', weight),
    suspectScore: reasons('The score is the sum of the points', {
      points: Type.Number({ description: 'By the published weights' }),
    }),
  },
  { $id: 'ReportReasons', ...closed, description: 'Every contribution to the scores; empty when nothing raised one' },
)
export type ReportReasons = Static<typeof ReportReasons>

/** `include: ["signals"]` */
export const ReportSignals = Type.Record(
  Type.String(),
  Type.Object(
    {
      verdict: Type.Unknown({
        description: 'As in secure_info; unknown, also for a part of it, when the facts did not answer',
      }),
      evidence: Type.Array(Type.String(), { description: 'What led to the verdict; for people, and may change' }),
    },
    closed,
  ),
  { $id: 'ReportSignals', description: 'Every signal of the platform, by its name' },
)
export type ReportSignals = Static<typeof ReportSignals>

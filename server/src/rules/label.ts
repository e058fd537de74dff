// How did a session turn out? Labels that integrators give to reports afterwards: they tell whether rules are right.

import type { ReportLabel } from '@ringfence/contract'

/** What may have become of a session, and whether that is what rules are there to prevent. */
export const outcomes = {
  fraud: { isBad: true, meaning: 'fraud, of a kind that has no label of its own' },
  chargeback: { isBad: true, meaning: 'a payment was charged back' },
  accountTakeover: { isBad: true, meaning: 'somebody else used the account' },
  abuse: { isBad: true, meaning: 'promotions, content or resources were abused' },
  legitimate: { isBad: false, meaning: 'the person was who they said, and did nothing wrong' },
} as const satisfies Readonly<Record<ReportLabel['outcome'], { isBad: boolean; meaning: string }>>

export type Outcome = keyof typeof outcomes

export const outcomeNames = Object.keys(outcomes) as Outcome[]

export const isBad = (outcome: Outcome): boolean => outcomes[outcome].isBad

// How did a session turn out? Integrators label reports afterwards; labels measure whether rules are right.

import type { ReportLabel } from '@ringfence/contract'

/** The labels, and whether rules must prevent such a session. */
export const labels = {
  fraud: { isBad: true, meaning: 'fraud without a more specific label' },
  chargeback: { isBad: true, meaning: 'a payment was charged back' },
  accountTakeover: { isBad: true, meaning: 'someone else used the account' },
  abuse: { isBad: true, meaning: 'promotions, content or resources were abused' },
  legitimate: { isBad: false, meaning: 'the real user, who did nothing wrong' },
} as const satisfies Readonly<Record<ReportLabel['outcome'], { isBad: boolean; meaning: string }>>

export type Label = keyof typeof labels

export const labelNames = Object.keys(labels) as Label[]

export const isBad = (outcome: Label): boolean => labels[outcome].isBad

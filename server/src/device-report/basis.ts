// How did a report come about? What is stored beside it for investigations and backtests.

import type { SessionScore } from '../device/scores/session-score.ts'
import type { SuspectContribution } from '../device/scores/suspect-score.ts'
import type { RecordedReport } from '../device/store/record.ts'
import type { Evaluation } from '../rules/evaluate.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'

/** Input of the rules apart from the analysis and the scores. Stored with the report, so that rules can run again. */
export interface StoredInput extends Pick<RuleInput, 'newDevice' | 'velocity' | 'history' | 'likely' | 'telecom'> {
  /** Part of the IP address's fraudScore that rests on the tenant's labels, 0 to 1; absent without labels. */
  readonly localRate?: number
  readonly params: Readonly<Record<string, unknown>>
}

/** Why a report is as it is. Shown to investigators, never to clients. */
export interface ReportBasis extends StoredInput {
  readonly scores: {
    readonly session: SessionScore
    readonly device: SessionScore
    /** The contributions to suspectScore. */
    readonly suspect: readonly SuspectContribution[]
  }
  /** The version of the rules that decided, and the result of the rules in shadow, with its own action. */
  readonly rules: {
    readonly live: number
    readonly shadow?: Pick<Evaluation, 'ruleAction' | 'appliedRules'> & { readonly version: number }
  }
}

/** As it was stored with the report. */
export const basisOf = ({ basis }: RecordedReport): ReportBasis => basis as ReportBasis

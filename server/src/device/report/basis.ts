// How did a report come about? What is stored beside it for investigations and backtests.

import type { DeviceReport } from '@ringfence/contract'
import type { RuleInput } from '../../rules/vocabulary.ts'
import type { SessionScore } from '../scores/session-score.ts'
import type { SuspectContribution } from '../scores/suspect-score.ts'

/** What rules were asked with beside the analysis and the scores; kept with the report. */
export interface KeptOfInput extends Pick<RuleInput, 'newDevice' | 'velocity' | 'history' | 'telecom'> {
  /** What the labels of this tenant make up of the address's fraudScore, 0 to 1; absent where nothing was labelled. */
  readonly localRate?: number
  readonly params: Readonly<Record<string, unknown>>
}

/** How a report came about, for whoever investigates. */
export interface ReportBasis extends KeptOfInput {
  readonly scores: {
    readonly session: SessionScore
    readonly device: SessionScore
    /** What suspectScore is the sum of. */
    readonly suspect: readonly SuspectContribution[]
  }
  /** Versions of the rules that decided, and what those in shadow would have said. */
  readonly rules: {
    readonly live: number
    readonly shadow?: Pick<DeviceReport, 'ruleAction' | 'appliedRules'> & { readonly version: number }
  }
}

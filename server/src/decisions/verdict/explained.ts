// How does a decision explain itself? Its reasons with the one that decided, the score that they make, and the verdict.

import type { Decision, DecisionReason, Missing } from '@ringfence/contract'
import type { Evaluation } from '../../rules/evaluate.ts'
import type { LoadedRules } from '../../rules/loaded-rules.ts'
import { ruleReason, withDeciding } from '../../rules/reasons/deciding.ts'
import { notKnownReasons } from '../../rules/reasons/not-known.ts'
import { ruleText } from '../../rules/reasons/rule-facts.ts'
import { fullOf } from '../../rules/requirements/missing-text.ts'
import type { Outcome } from '../outcome.ts'
import type { RuleState } from '../rule-state.ts'
import { verdictOf } from './verdict.ts'

export interface Explained extends Pick<Decision, 'score' | 'verdict'> {
  readonly reasons: DecisionReason[]
}

export interface ToExplain {
  readonly live: LoadedRules
  readonly state: RuleState
  readonly evaluation: Evaluation
  readonly outcome: Outcome
  readonly missing: readonly Missing[]
  /** Whether anything was known of a sign-in, a device or a phone number. */
  readonly isInformed: boolean
}

export function explained({ live, state, evaluation, outcome, missing, isInformed }: ToExplain): Explained {
  const { action, decisive } = outcome
  const required = outcome.required.map((each) => fullOf(each, missing))
  const velocities = live.velocities.map(({ velocity }) => velocity)
  const text = decisive && ruleText(decisive, { input: state.live, inList: state.inList, velocities, missing })
  const notKnown = notKnownReasons(required)
  const { reasons, score } = withDeciding(
    state.explanation,
    decisive && text !== undefined
      ? { action, deciding: [ruleReason(decisive.id, text)], others: notKnown }
      : { action, deciding: notKnown, others: [] },
  )
  const verdict = verdictOf({
    evaluation,
    outcome: { ...outcome, required },
    ruleText: text,
    missing,
    score,
    isInformed,
  })
  return { reasons: [...reasons], score, verdict }
}

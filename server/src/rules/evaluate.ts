// Which rules fire for a session, and which one decides? (specification 2.6 ruleAction, appliedRules)

import type { RuleAction as ReportedRuleAction } from '@ringfence/contract'
import type { CompiledRule } from './language/compile.ts'
import type { InList } from './language/list.ts'
import { type Action, actions, type Rule } from './language/rule.ts'
import type { RuleInput } from './language/vocabulary.ts'

export interface RuleAction {
  action: Action
  name: string
  description: string
  /** Message that may be shown to the user. */
  message: string
}

export interface AppliedRules {
  /** Scores by `<id> : <name>`, in the order of the rules. */
  rules: Record<string, number>
  totalScore: number
}

export interface Evaluation {
  ruleAction: RuleAction
  appliedRules: AppliedRules
  /** The rules that fired, in their order; `decisive` is the one that `ruleAction` names. */
  fired: readonly Rule[]
  decisive: Rule | undefined
}

/** The result in a device report, which knows three actions (specification 2.6): REVIEW and CHALLENGE are WARN. */
export function shownInReport(ruleAction: RuleAction): ReportedRuleAction {
  const { action, ...texts } = ruleAction
  return { action: action === 'REVIEW' || action === 'CHALLENGE' ? 'WARN' : action, ...texts }
}

/**
 * Evaluates every rule. Among those that fire, the strongest action wins, then the highest score, then the first rule.
 * The total is the sum of their scores. When no rule fires, the result is ALLOW with empty texts. `inList` answers for the lists that
 * rules read (`rules.lookUps.forInput`); without it, no value is in a list.
 */
export function evaluate(rules: readonly CompiledRule[], input: RuleInput, inList?: InList): Evaluation {
  const applied: Record<string, number> = {}
  const fired: Rule[] = []
  let totalScore = 0
  let decisive: Rule | undefined
  for (const { rule, key, holds } of rules) {
    if (!holds(input, inList)) continue
    applied[key] = rule.score
    totalScore += rule.score
    fired.push(rule)
    if (decisive === undefined || beats(rule, decisive)) decisive = rule
  }
  return {
    ruleAction: {
      action: decisive?.action ?? 'ALLOW',
      name: decisive?.name ?? '',
      description: decisive?.description ?? '',
      message: decisive?.message ?? '',
    },
    appliedRules: { rules: applied, totalScore },
    fired,
    decisive,
  }
}

function beats(rule: Rule, other: Rule): boolean {
  if (rule.action === other.action) return rule.score > other.score
  return actions.indexOf(rule.action) > actions.indexOf(other.action)
}

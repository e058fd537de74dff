// What is decided? The strongest action of the rules, or what is done because something required is not known.

import type { Missing } from '@ringfence/contract'
import type { Evaluation } from '../rules/evaluate.ts'
import type { Action, Rule } from '../rules/language/rule.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import type { LoadedRules } from '../rules/loaded-rules.ts'
import { isStronger } from '../rules/requirements/required.ts'

export interface Outcome {
  readonly action: Action
  /** For the user; empty without one. */
  readonly message: string
  /** The rule that set the action; absent when no rule did. */
  readonly decisive?: Rule
  /** What is required and not known, whether or not it set the action. */
  readonly required: readonly Missing[]
  /** The action that this alone leads to. */
  readonly requiredAction: Action
  /** The rule that wants a review, in case nobody could pass the challenge. */
  readonly review?: Rule
  /** Set when nobody could pass the challenge. */
  readonly instead?: 'CHALLENGE'
}

/** Texts for the user where a requirement decides. They do not name what is not known. */
export const messages: Readonly<Record<Action, string>> = {
  ALLOW: '',
  WARN: '',
  REVIEW: 'We need to check this before you can continue.',
  CHALLENGE: 'Please confirm that it is you: we need one more step before you can continue.',
  BLOCK: 'We could not confirm that it is you. Please try again, or contact support.',
}

/** The stronger one of the action of the rules and of the requirements; with the same strength, the rules decide. */
export function outcomeOf(
  { requirements }: Pick<LoadedRules, 'requirements'>,
  { ruleAction, decisive, fired }: Evaluation,
  input: RuleInput,
): Outcome {
  const required = requirements.of(input)
  const [review] = fired.filter((rule) => rule.action === 'REVIEW').toSorted((a, b) => b.score - a.score)
  const beside = {
    required: required.missing,
    requiredAction: required.action,
    ...(review && { review }),
  }
  const { action } = required
  if (isStronger(action, ruleAction.action)) return { ...beside, action, message: messages[action] }
  return { ...beside, action: ruleAction.action, message: ruleAction.message, ...(decisive && { decisive }) }
}

// What do rules and requirements say of what is known, and could the person pass the challenge that they ask for?

import type { Call } from '../clients/call.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import { type Evaluation, evaluate } from '../rules/evaluate.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import type { LoadedRules } from '../rules/loaded-rules.ts'
import type { CurrentRules } from '../rules/rule-sets.ts'
import { type Passable, withPassable } from './challenge/passable.ts'
import type { Gathered } from './gather.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { DecisionBasis } from './record/record.ts'
import type { DecisionsNeeds } from './room.ts'

export interface Judged {
  readonly evaluation: Evaluation
  readonly outcome: Outcome
  /** Present when the action is CHALLENGE. */
  readonly passable?: Passable
  /** The result of the rules in shadow. */
  readonly shadow?: NonNullable<DecisionBasis['shadow']>
}

/** A decision that is made, and not stored yet. */
export interface Deciding {
  readonly tenantId: string
  readonly decisionId: string
  /** Epoch milliseconds. */
  readonly now: number
  readonly gathered: Gathered
  readonly judged: Judged
  readonly rules: CurrentRules
  readonly call: Call
  readonly keys: TenantKeys
}

/** Runs the live rules, and those in shadow beside them: what the latter say is only stored. */
export async function judge(
  gathered: Gathered,
  { live, shadow }: CurrentRules,
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<Judged> {
  const judged = await judgedBy(live, gathered.state.live)
  if (!shadow) return judged
  const { evaluation, outcome } = await judgedBy(shadow, gathered.state.shadow)
  const fired = evaluation.fired.map(({ id }) => id)
  return { ...judged, shadow: { version: shadow.version, action: outcome.action, fired } }

  async function judgedBy(rules: LoadedRules, input: RuleInput): Promise<Judged> {
    const evaluation = evaluate(rules.rules, input, gathered.state.inList)
    const { warnBelow } = rules.requirements
    const outcome = outcomeOf(rules, evaluation, input)
    return {
      evaluation,
      ...(await withPassable(outcome, gathered, { tenantId, warnBelow, fired: evaluation.fired }, needs)),
    }
  }
}

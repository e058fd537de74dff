// What do rules and requirements say of what is known, and could the person pass the challenge that they ask for?

import type { Call } from '../clients/call.ts'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import { type Evaluation, evaluate } from '../rules/evaluate.ts'
import type { LoadedRules } from '../rules/loaded-rules.ts'
import type { CurrentRules } from '../rules/rule-sets.ts'
import { type Passable, withPassable } from './challenge/passable.ts'
import type { Gathered } from './gather.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import type { DecisionsNeeds } from './room.ts'

export interface Judged {
  readonly evaluation: Evaluation
  readonly outcome: Outcome
  /** Present when the action is CHALLENGE. */
  readonly passable?: Passable
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

export async function judge(
  gathered: Gathered,
  live: LoadedRules,
  tenantId: string,
  needs: DecisionsNeeds,
): Promise<Judged> {
  const { live: input, inList } = gathered.state
  const evaluation = evaluate(live.rules, input, inList)
  const { warnBelow } = live.requirements
  const passable = await withPassable(outcomeOf(live, evaluation, input), gathered, { tenantId, warnBelow }, needs)
  return { evaluation, ...passable }
}

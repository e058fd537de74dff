// What do rules read that is neither looked up nor called? The tenant's lists, and its own velocities, with this decision counted.

import type { ListPurpose } from '@ringfence/contract'
import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { BatchStatement } from '../core/storage/database.ts'
import type { Contribution } from '../device/scores/combine.ts'
import type { InList } from '../rules/language/list.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import { withResemblance } from '../rules/lists/resemblance.ts'
import { type Explanation, reasonsOf } from '../rules/reasons/reasons-of.ts'
import { type CurrentRules, listReadsOf } from '../rules/rule-sets.ts'
import { velocitiesOfDecision } from '../rules/velocities/of-decision.ts'
import type { DecisionsNeeds } from './room.ts'

export interface RuleState {
  readonly inList: InList
  /** Why, and how risky that is. */
  readonly explanation: Explanation
  /** The input with the velocities of the rules that decide, and of those in shadow. */
  readonly live: RuleInput
  readonly shadow: RuleInput
  /** Count this decision; they belong to its commit. */
  readonly statements: readonly BatchStatement[]
}

/**
 * One read for all velocities, and none for lists in memory. `contributions`: those of deviceRiskScore; `now`: epoch milliseconds.
 */
export async function readRuleState(
  gathered: RuleInput,
  contributions: readonly Contribution[] | undefined,
  rules: CurrentRules,
  { tenantId, keys, now }: { tenantId: string; keys: TenantKeys; now: number },
  { database, rules: { lookUps: listLookUps } }: Pick<DecisionsNeeds, 'database' | 'rules'>,
): Promise<RuleState> {
  const known = await withResemblance(tenantId, gathered, listLookUps)
  const inList = await listLookUps.forInput(tenantId, listReadsOf(rules), known)
  const found = rules.live.listHits(known, inList)
  const purposes = found.length > 0 ? await listLookUps.purposes(tenantId) : new Map<string, ListPurpose>()
  const listed = found.flatMap(({ list, path }) => {
    const purpose = purposes.get(list)
    return purpose ? [{ list, path, purpose }] : []
  })
  const explanation = reasonsOf(known, contributions, listed)
  const input: RuleInput = { ...known, score: explanation.score }
  const sets = [rules.live.velocities, rules.shadow?.velocities ?? []]
  if (sets.every(({ length }) => length === 0))
    return { inList, explanation, live: input, shadow: input, statements: [] }
  const { values, statements } = await velocitiesOfDecision(sets, input, { database, keys, now, inList })
  const [live, shadow] = values.map((own) => ({ ...input, velocity: { ...input.velocity, ...own } }))
  return { inList, explanation, live: live!, shadow: shadow!, statements }
}

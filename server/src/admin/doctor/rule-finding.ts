// Do the live rules of a tenant stay within the budget? A version that decided before there was one may be above it.

import { costOf, overBudget } from '../../rules/publishing/budget.ts'
import { ruleStagesOf } from '../../rules/store/rule-sets.ts'
import { defaultVersion, type RuleStore, readVersion } from '../../rules/stored-version.ts'
import { type Finding, ok, warning } from './finding.ts'

/** `subject` says whose rules they are, where there are several tenants. */
export async function ruleFinding(store: RuleStore, tenantId: string, subject = 'rules'): Promise<Finding> {
  const { live = defaultVersion } = await ruleStagesOf(store.database, tenantId)
  const cost = costOf(await readVersion(store, tenantId, live))
  const reason = overBudget(cost)
  if (reason === undefined)
    return ok(subject, `a decision takes at most ${cost.microseconds} of ${cost.budget} µs of CPU time for them`)
  return warning(subject, `version ${live}: ${reason}`, 'make them cheaper: they go on, but slow every call down')
}

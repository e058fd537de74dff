// Do the live rules of a tenant stay within the budget, and does an operator answer what they read?

import { operatorCallsOf } from '../../rules/editing/findings.ts'
import { costOf, overBudget } from '../../rules/publishing/budget.ts'
import { ruleStagesOf } from '../../rules/store/rule-sets.ts'
import { defaultVersion, type RuleStore, readVersion } from '../../rules/stored-version.ts'
import type { Connector } from '../../telecom/connectors/connector.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Checks that the live rules read and no operator offers: their answers stay unknown, and nobody is challenged for that. */
export async function checkFinding(
  store: RuleStore,
  tenantId: string,
  connectors: Iterable<Pick<Connector, 'checks'>>,
  subject = 'telecom checks',
): Promise<Finding> {
  const { live = defaultVersion } = await ruleStagesOf(store.database, tenantId)
  const read = operatorCallsOf(await readVersion(store, tenantId, live)).map(({ check }) => check)
  const offered = [...connectors]
  const unanswered = read.filter(
    (check) => check !== 'portability' && !offered.some(({ checks }) => checks[check] !== undefined),
  )
  if (unanswered.length === 0) return ok(subject, 'an operator is configured for each that the live rules read')
  return warning(
    subject,
    `no operator answers ${unanswered.join(', ')}, which the rules read: decisions say PHONE_UNSUPPORTED`,
    'connect an operator: docs/guides/connect-an-operator.md',
  )
}

/** `subject` says whose rules they are, where there are several tenants. */
export async function ruleFinding(store: RuleStore, tenantId: string, subject = 'rules'): Promise<Finding> {
  const { live = defaultVersion } = await ruleStagesOf(store.database, tenantId)
  const ruleSet = await readVersion(store, tenantId, live)
  const cost = costOf(ruleSet)
  const reason = overBudget(cost)
  if (reason !== undefined)
    return warning(subject, `version ${live}: ${reason}`, 'make them cheaper: they go on, but slow every call down')
  return ok(subject, `a decision takes at most ${cost.microseconds} of ${cost.budget} µs of CPU time for them`)
}

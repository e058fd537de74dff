// What do rules require, in a line for people?

import { defaultRequirements } from '@ringfence/server/rules/language/requirements.ts'
import type { RuleSet } from '@ringfence/server/rules/language/rule.ts'
import { writtenRuleSet } from '@ringfence/server/rules/rule-set.ts'

/** For `--json`: as a rules file has it. */
export function requirementsOf(ruleSet: RuleSet) {
  const { rules: _, velocity: __, ...requirements } = writtenRuleSet(ruleSet)
  return requirements
}

/** "Requires LOGIN: login, device; PAYMENT: device, phone; otherwise CHALLENGE." */
export function requirementText({ requirements = defaultRequirements }: RuleSet): string {
  const { require, otherwise } = requirements
  const actions = Object.entries(require).filter(([, parts]) => parts.length > 0)
  if (actions.length === 0) return 'Requires nothing: a decision is made with what the request names.'
  const parts = actions.map(([action, names]) => `${action}: ${names.join(', ')}`)
  const others =
    typeof otherwise === 'string'
      ? otherwise
      : ['CHALLENGE', ...Object.entries(otherwise).map(([action, of]) => `${of} for ${action}`)].join(', ')
  return `Requires ${parts.join('; ')}; otherwise ${others}.`
}

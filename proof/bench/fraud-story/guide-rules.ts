// Which rules do the guides about decisions print? Read from the pages, so that the story plays what a reader copies.

import { readFileSync } from 'node:fs'
import { defaultRules } from '../../../server/src/rules/default-rules.ts'
import { defaultRequirements } from '../../../server/src/rules/requirements/requirements.ts'
import type { RuleSet } from '../../../server/src/rules/rule.ts'
import { readRuleFile } from '../../../server/src/rules/rule-file.ts'

export const guides = ['decide-at-login', 'decide-at-payment', 'catch-sim-swaps'] as const

/** The default rules, with the rules and velocities that the guides add. @throws Error when a page has none, or wrong ones */
export function rulesOfGuides(): RuleSet {
  const sets = guides.map(rulesOf)
  return {
    requirements: defaultRequirements,
    rules: [...defaultRules.rules, ...sets.flatMap(({ rules }) => rules)],
    velocities: sets.flatMap(({ velocities = [] }) => velocities),
  }
}

function rulesOf(guide: string): RuleSet {
  const text = readFileSync(new URL(`../../../docs/guides/${guide}.md`, import.meta.url), 'utf8')
  const yaml = /```yaml\n([\s\S]*?)```/.exec(text)?.[1]
  if (yaml === undefined) throw new Error(`${guide}.md prints no rules`)
  const { ruleSet, mistakes } = readRuleFile(yaml)
  if (mistakes.length > 0) throw new Error(`${guide}.md: ${JSON.stringify(mistakes)}`)
  return ruleSet
}

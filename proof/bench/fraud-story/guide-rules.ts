// Which rules does the guide about known frauds print? Read from the page, so that the story plays what a reader copies.

import { readFileSync } from 'node:fs'
import { defaultRules } from '../../../server/src/rules/defaults/default-rules.ts'
import { defaultRequirements } from '../../../server/src/rules/language/requirements.ts'
import type { RuleSet } from '../../../server/src/rules/language/rule.ts'
import { readRuleFile } from '../../../server/src/rules/rule-file.ts'

/** The default rules, with the rules and velocities that the guide adds. @throws Error when the page has none, or wrong ones */
export function rulesOfGuide(): RuleSet {
  const text = readFileSync(new URL('../../../docs/guides/fraud-rules.md', import.meta.url), 'utf8')
  const added = /^cat >> rules\.yaml <<'END'\n([\s\S]*?)^END$/m.exec(text)?.[1]
  if (added === undefined) throw new Error('fraud-rules.md prints no rules')
  const { ruleSet, mistakes } = readRuleFile(`rules:\n${added}`)
  if (mistakes.length > 0) throw new Error(`fraud-rules.md: ${JSON.stringify(mistakes)}`)
  const rules = [...defaultRules.rules, ...ruleSet.rules]
  return { requirements: defaultRequirements, rules, velocities: ruleSet.velocities ?? [] }
}

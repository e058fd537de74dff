// What is wrong with the text of a rules file, and what would it do? Runs in another thread: hostile YAML costs seconds.

import { type CaseResults, runCases } from '../cases.ts'
import type { KnownLists } from '../language/list-mistake.ts'
import type { requirementKeys } from '../language/requirements.ts'
import { ConditionMistake, type RuleSet, readConditionTree } from '../language/rule.ts'
import { printCondition } from '../language/text.ts'
import { costOf, type RuleCost } from '../publishing/budget.ts'
import { type FileMistake, readRuleFile, ruleText } from '../rule-file.ts'
import { type WrittenRuleSet, writtenRuleSet } from '../rule-set.ts'
import { blocksEverybody, type Finding, findingsOf, type OperatorCalls, operatorCallsOf } from './findings.ts'

/** A text, or what a form has: rules whose conditions are text or trees. */
export type ToCheck =
  | { readonly text: string }
  | ({ readonly rules: readonly unknown[]; readonly velocity?: unknown } & Partial<
      Readonly<Record<(typeof requirementKeys)[number], unknown>>
    >)

export interface CheckedRules {
  readonly text: string
  readonly mistakes: FileMistake[]
  /** The valid rules. Do not use them when there is any mistake. */
  readonly ruleSet: RuleSet
  readonly written: WrittenRuleSet
  readonly cases: CaseResults
  readonly findings: Finding[]
  readonly operatorCalls: OperatorCalls[]
  readonly cost: RuleCost
  /** Whether its rules that block hold for every session. */
  readonly blocksEverybody: boolean
}

/** With `lists`, the lists that rules name must exist. */
export function checkRules(given: ToCheck, lists?: KnownLists): CheckedRules {
  const text = 'text' in given ? given.text : textOf(given)
  const { ruleSet, mistakes } = readRuleFile(text, lists)
  return {
    text,
    mistakes,
    ruleSet,
    written: writtenRuleSet(ruleSet),
    cases: runCases(ruleSet.rules, lists),
    findings: findingsOf(ruleSet),
    operatorCalls: operatorCallsOf(ruleSet),
    cost: costOf(ruleSet),
    blocksEverybody: blocksEverybody(ruleSet),
  }
}

function textOf({ rules, velocity, ...requirements }: Exclude<ToCheck, { text: string }>): string {
  const isEmpty = typeof velocity === 'object' && velocity !== null && Object.keys(velocity).length === 0
  const written = {
    ...requirements,
    ...(velocity !== undefined && !isEmpty && { velocity }),
    rules: rules.map(withText),
  }
  return ruleText(written)
}

/** A tree that is no condition stays a tree, and is reported as a mistake. */
function withText(rule: unknown): unknown {
  if (typeof rule !== 'object' || rule === null || !('when' in rule)) return rule
  const { when } = rule
  if (typeof when !== 'object' || when === null) return rule
  try {
    return { ...rule, when: printCondition(readConditionTree(when)) }
  } catch (error) {
    if (error instanceof ConditionMistake) return rule
    throw error
  }
}

// Is a rules file valid? Reads it for a command, and prints all mistakes before the command fails.

import { readFileSync } from 'node:fs'
import { type CaseResults, runCases } from '@ringfence/server/rules/cases.ts'
import { listReadsIn } from '@ringfence/server/rules/language/compile.ts'
import type { KnownLists } from '@ringfence/server/rules/language/list-mistake.ts'
import type { RuleSet } from '@ringfence/server/rules/language/rule.ts'
import { readRuleFile } from '@ringfence/server/rules/rule-file.ts'
import { CommandFailed, unreadable } from '../failure.ts'

/**
 * Reads a valid rules file. Otherwise prints all mistakes as `file:line:column: …` and throws CommandFailed. With `lists`, the lists that
 * rules name must exist.
 */
export function checkedRuleFile(file: string, json?: true, lists?: KnownLists): RuleSet {
  const { ruleSet, mistakes } = readRuleFile(textOf(file), lists)
  if (mistakes.length === 0) return ruleSet
  if (json) console.log(JSON.stringify({ rules: ruleSet.rules.length, mistakes }))
  else {
    for (const { line, column, rule, reason } of mistakes) {
      console.log(`${file}:${line}:${column}: ${rule === undefined ? '' : `rule ${rule}: `}${reason}`)
    }
  }
  throw new CommandFailed(`${file} has ${mistakes.length} ${mistakes.length === 1 ? 'mistake' : 'mistakes'}`)
}

/** Reads a valid rules file whose cases pass. Otherwise prints what is wrong and throws CommandFailed. */
export function usableRuleFile(file: string, json?: true, lists?: KnownLists): RuleSet {
  const ruleSet = checkedRuleFile(file, json, lists)
  const results = runCases(ruleSet.rules, lists)
  if (results.failed.length === 0) return ruleSet
  if (!json) printFailedCases(results)
  throw new CommandFailed(`${file}: ${results.failed.length} of ${results.cases} cases do not hold; nothing was stored`)
}

/** Whether any rule, or a velocity, looks a value up in a list. */
export const readsLists = ({ rules, velocities = [] }: RuleSet): boolean =>
  [...rules, ...velocities].some(({ when }) => when !== undefined && listReadsIn(when).length > 0)

export function printFailedCases({ failed }: CaseResults): void {
  for (const { rule, number, name, expected, input } of failed) {
    const title = name === undefined ? `case ${number}` : `case ${number}, ${name}`
    const expectation = expected === 'fires' ? 'should fire and stays silent' : 'should stay silent and fires'
    console.log(`rule ${rule}, ${title}: ${expectation} at ${JSON.stringify(input)}`)
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
}

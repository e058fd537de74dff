// Is a rules file valid? Reads it for a command, and prints all mistakes before the command fails.

import { readFileSync } from 'node:fs'
import { type CaseResults, runCases } from '@ringfence/server/rules/cases.ts'
import type { RuleSet } from '@ringfence/server/rules/rule.ts'
import { readRuleFile } from '@ringfence/server/rules/rule-file.ts'
import { CommandFailed, unreadable } from '../failure.ts'

/** Reads a valid rules file. Otherwise prints all mistakes as `file:line:column: …` and throws CommandFailed. */
export function checkedRuleFile(file: string, json?: true): RuleSet {
  const { ruleSet, mistakes } = readRuleFile(textOf(file))
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
export function usableRuleFile(file: string, json?: true): RuleSet {
  const ruleSet = checkedRuleFile(file, json)
  const results = runCases(ruleSet.rules)
  if (results.failed.length === 0) return ruleSet
  if (!json) printFailedCases(results)
  throw new CommandFailed(`${file}: ${results.failed.length} of ${results.cases} cases do not hold; nothing was stored`)
}

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

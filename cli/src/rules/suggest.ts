// `ringfence rules suggest`: which rules would have caught the labelled fraud that no rule stops yet? Prints them with what they do on sessions held out.

import { printCondition } from '@ringfence/server/rules/language/text.ts'
import { ruleFileText } from '@ringfence/server/rules/rule-file.ts'
import { collect } from '@ringfence/server/rules/suggest/collect.ts'
import { type Suggestions, suggest } from '@ringfence/server/rules/suggest/suggest.ts'
import type { Command } from 'commander'
import { table } from '../table.ts'
import { addTenantOptions } from '../tenant-options.ts'
import { type ReplayOptions, withReplay } from './replay-source.ts'
import { versionName } from './rules-store.ts'

export function addSuggest(rules: Command): void {
  addTenantOptions(
    rules
      .command('suggest')
      .description('Suggest rules that would have caught the labelled fraud that your rules do not stop'),
    'rules',
  )
    .argument('[reports]', 'file of reports or decisions, one JSON object per line; default: the stored reports')
    .option('--decisions', 'use the stored decisions, with velocities')
    .option('--rules <file>', 'rules and velocities from a file')
    .option('--try <version>', 'rules and velocities of a version (default: the live one)', versionName)
    .addHelpText(
      'after',
      `
Sessions that the rules stop already (REVIEW, CHALLENGE, BLOCK) are left out. Conditions are chosen on one half of the labelled sessions and measured on the other half, which shares no user, phone number
or device with it. So the printed precision and recall are what to expect of new sessions like these.
Examples:
  ringfence rules suggest --decisions             from the stored decisions and their labels
  ringfence rules suggest reports.jsonl           from a file whose lines have an outcome`,
    )
    .action(run)
}

async function run(file: string | undefined, options: ReplayOptions): Promise<void> {
  const version = options.rules === undefined && options.try === undefined && { try: 'live' as const }
  const found = await withReplay(
    file,
    { ...options, ...version, wholeInputs: true },
    async ({ against: _, ...replay }) => {
      const sample = await collect(replay)
      return suggest(
        sample,
        replay.rules.velocities?.map(({ name }) => name),
      )
    },
  )
  console.log(options.json ? JSON.stringify(asJson(found)) : suggestionsText(found))
}

function asJson({ suggestions, ...result }: Suggestions) {
  return {
    ...result,
    suggestions: suggestions.map(({ when, measured, rule }) => ({
      when: printCondition(when),
      measured,
      ...(rule && { rule: { ...rule, when: printCondition(rule.when) } }),
    })),
  }
}

function suggestionsText({ stopped, labelled, tooLittle, candidates, baseRate, suggestions }: Suggestions): string {
  const left =
    stopped.bad + stopped.good === 0
      ? ''
      : `The rules stop ${count(stopped.bad)} bad and ${count(stopped.good)} good labelled sessions already. Without these:\n`
  if (tooLittle !== undefined) return `${left}No suggestion: ${tooLittle}`
  const about = `${left}${count(labelled.bad)} sessions are labelled as bad and ${count(labelled.good)} as good, of ${count(labelled.badGroups)} and ${count(labelled.goodGroups)} separate users or devices.
${count(candidates)} conditions were tried on one half, and these are measured on the other half. Without another rule, ${percent(baseRate)} of labelled sessions are bad.`
  if (suggestions.length === 0) return `${about}\n\nNo condition catches the fraud of five separate users or devices.`
  const rows = suggestions.map(({ when, measured, rule }) => [
    ...[count(measured.bad), count(measured.good)],
    range(measured.precision, measured.precisionRange),
    range(measured.recall, measured.recallRange),
    rule?.action ?? 'not confirmed',
    printCondition(when),
  ])
  const rules = suggestions.flatMap(({ rule }) => rule ?? [])
  const file =
    rules.length === 0
      ? 'No condition is confirmed to be better than chance. More labels narrow the intervals.'
      : `As rules, to add to your file. Test them with backtest and in shadow before they decide:\n\n${ruleFileText({ rules }).trimEnd()}`
  return [about, table(['BAD', 'GOOD', 'PRECISION', 'RECALL', 'ACTION', 'CONDITION'], rows), file].join('\n\n')
}

const range = (share: number, [low, high]: readonly [number, number]) =>
  `${percent(share)} (${Math.round(100 * low)}–${Math.round(100 * high)})`
const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
const count = (number: number) => number.toLocaleString('en')

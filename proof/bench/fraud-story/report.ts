// How does the fraud story read? Tables for docs/fraud-story.md.

import { printCondition } from '../../../server/src/rules/language/text.ts'
import type { Suggestions } from '../../../server/src/rules/suggest/suggest.ts'
import { markdownTable, numbersAfterFirst } from '../../markdown-table.ts'
import { caughtAttacks, challengesPerMonth, disturbed, measuredRules } from './measure.ts'
import type { PlayedSession } from './play.ts'
import { isPlanted } from './suggested.ts'

export interface Run {
  readonly name: 'default rules' | 'rules of the guides, too'
  readonly sessions: readonly PlayedSession[]
  /** Ids of its rules. */
  readonly rules: readonly string[]
}

export function reportOf(runs: readonly Run[], customers: number, suggestions: Suggestions): string[] {
  return [
    ...['### Attacks', '', ...attackTable(runs), ''],
    ...['### Ordinary sessions', '', ...disturbedTable(runs), '', ...perMonth(runs, customers), ''],
    ...['### Each rule', '', ...ruleTable(runs.at(-1)!), ''],
    ...['### What `rules suggest` finds', '', ...suggestionTable(suggestions), ''],
  ]
}

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  markdownTable(head, rows, numbersAfterFirst)

export const percent = (part: number, whole: number): string => {
  if (whole === 0) return '–'
  const share = (100 * part) / whole
  return `${share === 0 || share >= 10 ? share.toFixed(0) : share.toFixed(1)} %`
}

function attackTable(runs: readonly Run[]): string[] {
  const measured = runs.map(({ sessions }) => caughtAttacks(sessions))
  const rows = measured[0]!.map(({ attack, sessions }, index) => [
    attack,
    sessions,
    ...measured.flatMap((attacks) => {
      const { stopped, reviewed } = attacks[index]!
      return [percent(stopped, sessions) + (reviewed > 0 ? `, and ${percent(reviewed, sessions)} to review` : '')]
    }),
  ])
  return table(['attack', 'sessions', ...runs.map(({ name }) => `stopped by ${name}`)], rows)
}

function disturbedTable(runs: readonly Run[]): string[] {
  const measured = runs.map(({ sessions }) => disturbed(sessions))
  const rows = measured[0]!.map(({ circumstance, sessions }) => [
    circumstance === 'all' ? '**all**' : circumstance,
    sessions,
    ...measured.flatMap((all) => {
      const { challenged, blocked, reviewed } = all.find((each) => each.circumstance === circumstance)!
      return [challenged, blocked, reviewed].map((part) => percent(part, sessions))
    }),
  ])
  const columns = runs.flatMap(({ name }) => [`${name}: challenged`, 'blocked', 'reviewed'])
  return table(['circumstance', 'sessions', ...columns], rows)
}

const perMonth = (runs: readonly Run[], customers: number): string[] => [
  `Challenges of a customer in 30 days: ${runs
    .map(({ name, sessions }) => `${challengesPerMonth(sessions, customers).toFixed(2)} with the ${name}`)
    .join(', ')}.`,
]

function ruleTable({ sessions, rules }: Run): string[] {
  const measured = measuredRules(sessions, rules).filter(({ onFraud, onOrdinary }) => onFraud + onOrdinary > 0)
  const rows = measured.map(({ id, onFraud, onOrdinary, claimed, caught }) => [
    `\`${id}\``,
    onFraud,
    onOrdinary,
    percent(onFraud, onFraud + onOrdinary),
    ...(claimed > 0 ? [claimed, percent(caught, claimed)] : ['', '']),
  ])
  return table(['rule', 'fired on fraud', 'fired on ordinary', 'precision', 'claimed decisions', 'recall'], rows)
}

function suggestionTable({ stopped, labelled, suggestions, tooLittle }: Suggestions): string[] {
  if (tooLittle !== undefined) return [tooLittle]
  const rows = suggestions.map((suggestion) => {
    const { precision, recall, bad, good } = suggestion.measured
    const text = `\`${printCondition(suggestion.when).replaceAll('|', '\\|')}\``
    return [isPlanted(suggestion) ? `**planted:** ${text}` : text, bad, good, ...[precision, recall].map(share)]
  })
  return [
    `The rules stop ${stopped.bad} bad and ${stopped.good} good labelled decisions. Of the others, ${labelled.bad} are labelled as bad and ${labelled.good} as good. Precision and recall are those of the held-out half.`,
    '',
    ...table(['condition', 'bad', 'good', 'precision', 'recall'], rows),
  ]
}

const share = (part: number) => percent(part, 1)

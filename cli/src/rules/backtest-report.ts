// How does a person read the result of a backtest? As tables and short sentences.

import type { BacktestResult, Precision, Tally } from '@ringfence/server/rules/backtests/backtest.ts'
import { actions } from '@ringfence/server/rules/language/rule.ts'
import { table } from '../table.ts'

/** Tables of the actions, the rules and what changes, with the first sessions that each rule hits. */
export function resultText({ all, byAction, precision, recall, required, rules, changes }: BacktestResult): string {
  const share = (tally: Tally) => (all.reports === 0 ? '' : percent(tally.reports / all.reports))
  const parts = [
    `${count(all.reports)} ${all.reports === 1 ? 'session' : 'sessions'}, ${count(all.bad)} of them labelled as bad, ${count(all.good)} as good.`,
    table(
      ['ACTION', 'SESSIONS', 'SHARE', 'BAD', 'GOOD'],
      actions.toReversed().map((action) => [action, ...tallyCells(byAction[action], share(byAction[action]))]),
    ),
    table(
      ['RULE', 'ACTION', 'HITS', 'SHARE', 'BAD', 'GOOD', 'DECIDES', 'PRECISION', 'RECALL'],
      [
        ...rules.map((rule) => [
          rule.id,
          rule.action,
          ...tallyCells(rule.hits, share(rule.hits)),
          count(rule.decisive),
          precisionText(rule.precision),
          recallText(rule.recall),
        ]),
        ...(precision || recall !== undefined
          ? [['not allowed', '', '', '', '', '', '', precisionText(precision), recallText(recall)]]
          : []),
      ],
    ),
  ]
  if (changes.length > 0) {
    parts.push(
      table(
        ['CHANGES', 'SESSIONS', 'SHARE', 'BAD', 'GOOD', 'SUCH AS'],
        changes.map(({ from, to, tally, examples }) => [
          `${from} → ${to}`,
          ...tallyCells(tally, share(tally)),
          examples[0] ?? '',
        ]),
      ),
    )
  }
  if (required.tally.reports > 0) parts.push(requiredText(required))
  const hit = rules.filter(({ examples }) => examples.length > 0)
  if (hit.length > 0)
    parts.push(
      `Sessions hit (ids of requests or decisions; --hits FILE writes all):\n${hit.map(({ id, examples }) => `  ${id}: ${examples.join(', ')}`).join('\n')}`,
    )
  if (all.bad + all.good === 0) parts.push('No session has a label, so precision is not known.')
  return parts.join('\n\n')
}

/** How many decisions are not allowed only because something is not known. */
function requiredText({ tally, byPart }: BacktestResult['required']): string {
  return `Challenged, reviewed or blocked because something required is not known: ${count(tally.reports)} are, whatever the rules say.\n${table(
    ['NOT KNOWN', 'SESSIONS', 'BAD', 'GOOD'],
    Object.entries(byPart).map(([part, { reports, bad, good }]) => [part, count(reports), count(bad), count(good)]),
  )}`
}

const tallyCells = ({ reports, bad, good }: Tally, share: string) => [count(reports), share, count(bad), count(good)]

/** "83 % (55–95)": the share, and its 95 % confidence interval. */
function precisionText(precision: Precision | undefined): string {
  if (!precision) return ''
  const [low, high] = precision.range.map((share) => Math.round(share * 100))
  return `${percent(precision.share)} (${low}–${high})`
}

const recallText = (recall: number | undefined) => (recall === undefined ? '' : percent(recall))
const percent = (share: number) => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
const count = (number: number) => number.toLocaleString('en')

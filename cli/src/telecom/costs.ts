// `ringfence costs`: what did telecom checks cost, by upstream and check, and how much of the daily caps is left?

import { titleOf } from '@ringfence/contract'
import type { Command } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { type AnswerOf, runningServer } from '../remote/remote.ts'
import { addRunningServerOptions, keyHelp, type ServerOptions } from '../remote/server-options.ts'
import { printable, table } from '../table.ts'
import { amountText } from './amount.ts'

type Spending = AnswerOf<'readSpending'>

export function addCosts(ringfence: Command): void {
  addRunningServerOptions(
    ringfence
      .command('costs')
      .description('What telecom checks cost today and in the last 30 days, by upstream and check, and the daily caps'),
  )
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
${keyHelp}

Examples:
  ringfence costs --key key.json
  ringfence costs --key key.json --json | jq '.days[0].micros'`,
    )
    .action(answering(costs))
}

async function costs(options: ServerOptions): Promise<Answer> {
  const spending = await runningServer(options).call('readSpending', {})
  return [spending, asText(spending)]
}

function asText({ currency, today, caps, days }: Spending): string {
  if (currency === undefined)
    return 'The configuration has no prices, so no cost is known. Prices: docs/reference/operators.md'
  const amount = (micros: number) => amountText({ currency, micros })
  const parts = days.flatMap(({ day, micros, requests, parts }) => [
    [day, 'all', '', String(requests), amount(micros)],
    ...parts.map((part) => [
      ...['', printable(part.upstream), titleOf(part.check)],
      ...[String(part.requests), amount(part.micros)],
    ]),
  ])
  const limits = caps.map(({ check, capMicros, spentMicros }) => [
    check === undefined ? 'all' : titleOf(check),
    amount(spentMicros),
    amount(Math.max(0, capMicros - spentMicros)),
    amount(capMicros),
  ])
  return [
    parts.length > 0
      ? table(['DAY (UTC)', 'UPSTREAM', 'CHECK', 'REQUESTS', 'COST'], parts)
      : 'Nothing was spent in the last 30 days.',
    limits.length > 0
      ? `Daily caps on ${today} (UTC):\n${table(['CHECK', 'SPENT', 'LEFT', 'CAP'], limits)}`
      : 'There is no daily cap.',
  ].join('\n\n')
}

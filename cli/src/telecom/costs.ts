// `ringfence costs`: what did telecom checks cost, by upstream and check, and how much of the daily caps is left?

import { titleOf } from '@ringfence/contract'
import { type Command, Option } from 'commander'
import { configurationOf } from '../configuration.ts'
import { localUrl } from '../export-command.ts'
import { type AnswerOf, remote } from '../remote/remote.ts'
import { keyHelp, keyOf, type ServerOptions, serverUrl } from '../remote/server-options.ts'
import { printable, table } from '../table.ts'
import { amountText } from './amount.ts'

type Spending = AnswerOf<'readSpending'>

interface CostsOptions extends ServerOptions {
  json?: true
}

export function addCosts(ringfence: Command): void {
  ringfence
    .command('costs')
    .description('What telecom checks cost today and in the last 30 days, by upstream and check, and the daily caps')
    .addOption(
      new Option('--server <url>', 'URL of the server; https, or http on this machine (default: port of the settings)')
        .env('RINGFENCE_URL')
        .argParser(serverUrl),
    )
    .option('--key <file>', 'file with clientId and clientSecret (or RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET)')
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
${keyHelp}

Examples:
  ringfence costs --key key.json
  ringfence costs --key key.json --json | jq '.days[0].micros'`,
    )
    .action(async (options: CostsOptions) => {
      const { server = localUrl(configurationOf({}).settings), json } = options
      const spending = await remote(server, keyOf(options)).call('readSpending', {})
      console.log(json ? JSON.stringify(spending) : asText(spending))
    })
}

function asText({ currency, today, caps, days }: Spending): string {
  if (currency === undefined)
    return 'The configuration has no prices, so no cost is known. Prices: docs/guides/connect-an-operator.md'
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

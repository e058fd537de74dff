// `ringfence watches`: which phone numbers does a running service watch? Lists, adds and removes watches.

import { type WatchableCheck, watchableChecks } from '@ringfence/contract'
import { Ringfence, type Watch } from '@ringfence/node'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { phoneNumber as asDigits } from '../arguments.ts'
import { configurationOf } from '../configuration.ts'
import { localUrl } from '../export-command.ts'
import { CommandFailed } from '../failure.ts'
import { minuteText, printable, table } from '../table.ts'
import { credentialsOf } from './check.ts'
import { addConsentOptions, type ConsentOptions, consentOf } from './consent-options.ts'

interface WatchesOptions {
  url?: string
  clientId?: string
  clientSecret?: string
  data?: string
  json?: true
}

const daySeconds = 86_400

export function addWatches(ringfence: Command): void {
  const watches = ringfence
    .command('watches')
    .description('Watch phone numbers: a change of SIM, phone, operator or subscriber becomes an event')
    .addHelpText(
      'after',
      `
Examples:
  ringfence watches add 917020141726 simSwap portability --days 30 --reference "customer 1001"
  ringfence watches list
  ringfence watches remove 917020141726`,
    )
  const subcommand = (text: string, description: string) =>
    watches
      .command(text)
      .description(description)
      .addOption(
        new Option('--url <url>', 'URL of the service (default: port and host of the settings)').env('RINGFENCE_URL'),
      )
      .addOption(new Option('--client-id <id>', 'client ID').env('RINGFENCE_CLIENT_ID'))
      .addOption(
        new Option('--client-secret <secret>', 'client secret; prefer the variable').env('RINGFENCE_CLIENT_SECRET'),
      )
      .option('--data <folder>', 'without a client: data folder that has the sandbox credentials')
      .option('--json', 'print JSON')

  subcommand('list', 'List all watches, or the one of a number')
    .argument('[number]', 'phone number with country code', asDigits)
    .action(async (number: string | undefined, options: WatchesOptions) => {
      const found: Watch[] = []
      const only = number === undefined ? {} : { phoneNumber: number }
      for (let cursor: string | undefined; ; ) {
        const page = await clientOf(options).listWatches({
          ...only,
          limit: 100,
          ...(cursor !== undefined && { cursor }),
        })
        found.push(...page.watches)
        cursor = page.nextCursor
        if (cursor === undefined) break
      }
      console.log(options.json ? JSON.stringify(found) : found.length === 0 ? 'No number is watched.' : asTable(found))
    })

  addConsentOptions(subcommand('add', 'Watch a number, or add checks to its watch'))
    .argument('<number>', 'phone number with country code', asDigits)
    .argument('[checks...]', `default: all. ${watchableChecks.join(', ')}`, addCheckTo)
    .option('--days <days>', 'how long: 1 to 366 (default: 90)', daysOf)
    .option('--reference <text>', 'your text, returned in each event')
    .action(
      async (
        number: string,
        checks: WatchableCheck[],
        { days, reference, ...options }: WatchesOptions & ConsentOptions & { days?: number; reference?: string },
      ) => {
        const { meta: _, ...watch } = await clientOf(options).watchNumber({
          phoneNumber: number,
          checks: checks.length === 0 ? [...watchableChecks] : checks,
          ...(days !== undefined && { ttlSeconds: days * daySeconds }),
          ...(reference !== undefined && { reference }),
          ...consentOf(options),
        })
        console.log(options.json ? JSON.stringify(watch) : asTable([watch]))
      },
    )

  subcommand('remove', 'Stop watching a number')
    .argument('<number>', 'phone number with country code', asDigits)
    .action(async (phoneNumber: string, options: WatchesOptions) => {
      const client = clientOf(options)
      const [watch] = (await client.listWatches({ phoneNumber })).watches
      const deleted = watch !== undefined && (await client.deleteWatch({ watchId: watch.watchId })).deleted
      if (options.json) console.log(JSON.stringify({ deleted }))
      else console.log(deleted ? `${phoneNumber} is no longer watched.` : `${phoneNumber} was not watched.`)
    })
}

function clientOf(options: WatchesOptions): Ringfence {
  const url = options.url ?? localUrl(configurationOf({}).settings)
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new CommandFailed('--url (or RINGFENCE_URL) must be a URL such as http://127.0.0.1:8080')
  return new Ringfence({ baseUrl: url, ...credentialsOf(options) })
}

function addCheckTo(text: string, checks: WatchableCheck[] = []): WatchableCheck[] {
  const check = watchableChecks.find((name) => name === text)
  if (!check)
    throw new InvalidArgumentError(`There is no check ${text} to watch. Checks: ${watchableChecks.join(', ')}.`)
  return checks.includes(check) ? checks : [...checks, check]
}

function daysOf(text: string): number {
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= 366) return days
  throw new InvalidArgumentError('It must be a whole number from 1 to 366.')
}

const asTable = (watches: readonly Pick<Watch, 'phoneNumber' | 'checks' | 'expiresAt' | 'reference'>[]): string =>
  table(
    ['NUMBER', 'CHECK', 'STATE', 'BY', 'CHECKED', 'CHANGED', 'UNTIL', 'REFERENCE'],
    watches.flatMap(({ phoneNumber, checks, expiresAt, reference = '' }) =>
      checks.map(({ check, state, by, lastCheckedAt, changedAt }) => [
        ...[phoneNumber, check, state, by, timeText(lastCheckedAt), timeText(changedAt)],
        ...[timeText(expiresAt), printable(reference)],
      ]),
    ),
  )

const timeText = (time: string | undefined) => (time === undefined ? '-' : minuteText(Date.parse(time)))

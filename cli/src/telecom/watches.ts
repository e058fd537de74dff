// `ringfence watches`: which phone numbers does a running service watch? Lists, adds and removes watches.

import { type WatchableCheck, watchableChecks } from '@ringfence/contract'
import { Ringfence, type Watch } from '@ringfence/node'
import { type Command, InvalidArgumentError } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { phoneNumber as asDigits, wholeNumber } from '../arguments.ts'
import { CommandFailed } from '../failure.ts'
import { minuteText, printable, table } from '../table.ts'
import { addConsentOptions, type ConsentOptions, consentOf } from './consent-options.ts'
import { addServiceOptions, credentialsOf, type ServiceOptions, serviceUrlOf } from './service-options.ts'

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
    addServiceOptions(watches.command(text).description(description)).option('--json', 'print JSON')

  subcommand('list', 'List all watches, or the one of a number')
    .argument('[number]', 'phone number with country code', asDigits)
    .action(answering(list))

  addConsentOptions(subcommand('add', 'Watch a number, or add checks to its watch'))
    .argument('<number>', 'phone number with country code', asDigits)
    .argument('[checks...]', `default: all. ${watchableChecks.join(', ')}`, addCheckTo)
    .option('--days <days>', 'how long: 1 to 366 (default: 90)', wholeNumber(1, 366))
    .option('--reference <text>', 'your text, returned in each event')
    .action(answering(add))

  subcommand('remove', 'Stop watching a number')
    .argument('<number>', 'phone number with country code', asDigits)
    .action(answering(remove))
}

async function list(phoneNumber: string | undefined, options: ServiceOptions): Promise<Answer> {
  const found: Watch[] = []
  for (let cursor: string | undefined; ; ) {
    const page = {
      limit: 100,
      ...(phoneNumber !== undefined && { phoneNumber }),
      ...(cursor !== undefined && { cursor }),
    }
    const { watches, nextCursor } = await clientOf(options).listWatches(page)
    found.push(...watches)
    cursor = nextCursor
    if (cursor === undefined) return [found, found.length === 0 ? 'No number is watched.' : asTable(found)]
  }
}

type AddOptions = ServiceOptions & ConsentOptions & { days?: number; reference?: string }

async function add(phoneNumber: string, checks: WatchableCheck[], { days, reference, ...options }: AddOptions) {
  const { meta: _, ...watch } = await clientOf(options).watchNumber({
    phoneNumber,
    checks: checks.length === 0 ? [...watchableChecks] : checks,
    ...(days !== undefined && { ttlSeconds: days * daySeconds }),
    ...(reference !== undefined && { reference }),
    ...consentOf(options),
  })
  return [watch, asTable([watch])] as const
}

async function remove(phoneNumber: string, options: ServiceOptions): Promise<Answer> {
  const client = clientOf(options)
  const [watch] = (await client.listWatches({ phoneNumber })).watches
  const deleted = watch !== undefined && (await client.deleteWatch({ watchId: watch.watchId })).deleted
  return [{ deleted }, deleted ? `${phoneNumber} is no longer watched.` : `${phoneNumber} was not watched.`]
}

function clientOf(options: ServiceOptions): Ringfence {
  const baseUrl = serviceUrlOf(options, (message) => {
    throw new CommandFailed(message)
  })
  return new Ringfence({ baseUrl, ...credentialsOf(options) })
}

function addCheckTo(text: string, checks: WatchableCheck[] = []): WatchableCheck[] {
  const check = watchableChecks.find((name) => name === text)
  if (!check)
    throw new InvalidArgumentError(`There is no check ${text} to watch. Checks: ${watchableChecks.join(', ')}.`)
  return checks.includes(check) ? checks : [...checks, check]
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

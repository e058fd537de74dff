// `ringfence check`: what does a running service answer about a number? The three checks, for people and for scripts.

import { maxAgeHours } from '@ringfence/contract'
import { Ringfence, RingfenceError } from '@ringfence/node'
import { type Command, Option } from 'commander'
import { wholeNumber } from './arguments.ts'
import { asJson, asText, type CheckCall, isAnswered } from './check-report.ts'
import { configurationOf } from './configuration.ts'
import { localUrl } from './export-command.ts'
import { CommandFailed, exitCodes } from './failure.ts'
import { readSandboxCredentials } from './serve/sandbox-credentials.ts'

interface CheckOptions {
  simSwap?: true
  maxAge?: number
  callForwarding?: true
  portability?: true
  url?: string
  clientId?: string
  clientSecret?: string
  data?: string
  json?: true
}

export function addCheck(ringfence: Command): void {
  ringfence
    .command('check')
    .description('Call a running service: SIM swap, call forwarding and portability of a number')
    .argument('<number>', 'phone number with country code')
    .option('--sim-swap', "check only: has this number's SIM been swapped?")
    .option(
      '--max-age <hours>',
      "for --sim-swap: within this many hours (default: the service's default)",
      wholeNumber(maxAgeHours.minimum, maxAgeHours.maximum),
    )
    .option('--call-forwarding', 'check only: are calls to this number forwarded?')
    .option('--portability', 'check only: has this number been ported to another operator?')
    .addOption(
      new Option('--url <url>', 'URL of the service (default: port and host of the settings)').env('RINGFENCE_URL'),
    )
    .addOption(new Option('--client-id <id>', 'client ID').env('RINGFENCE_CLIENT_ID'))
    .addOption(
      new Option(
        '--client-secret <secret>',
        'client secret; prefer the variable, because other users can see options',
      ).env('RINGFENCE_CLIENT_SECRET'),
    )
    .option('--data <folder>', 'without a client: data folder that has the sandbox credentials')
    .option('--json', 'print one line of JSON: the response of each check, with its metadata')
    .addHelpText(
      'after',
      `
Runs all three checks unless you name one or more.

Examples:
  ringfence check 917020141726
  ringfence check 917020141726 --sim-swap --max-age 72
  ringfence check 917020141726 --portability --json | jq .portability.phoneDetail.isPorted

The exit code is 0 when every check has an answer, and 1 when a check failed or was refused.`,
    )
    .action(check)
}

async function check(number: string, options: CheckOptions, command: Command): Promise<void> {
  const { simSwap, callForwarding, portability, maxAge, json } = options
  const all = !simSwap && !callForwarding && !portability
  if (maxAge !== undefined && !simSwap && !all) {
    command.error('error: --max-age only applies to --sim-swap: add --sim-swap, or leave --max-age out', {
      exitCode: exitCodes.usage,
    })
  }
  const url = options.url ?? localUrl(configurationOf({}).settings)
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    command.error('error: --url (or RINGFENCE_URL) must be a URL such as http://127.0.0.1:8080', {
      exitCode: exitCodes.usage,
    })
  }
  const ringfence = new Ringfence({ baseUrl: url, ...credentialsOf(options) })
  const request = { phoneNumber: digitsOf(number) }
  const simSwapRequest = { ...request, ...(maxAge !== undefined && { maxAge }) }
  const calls = await Promise.all([
    ...(simSwap || all ? [completed('simSwapCheck', ringfence.simSwapCheck(simSwapRequest))] : []),
    ...(callForwarding || all ? [completed('callForwardingCheck', ringfence.callForwardingCheck(request))] : []),
    ...(portability || all ? [completed('portability', ringfence.portability(request))] : []),
  ])
  if (!json && calls.every(({ result }) => isNotListening(result))) {
    throw new CommandFailed(
      `nothing listens at ${url}: start the service with ringfence serve, or set its URL with --url or RINGFENCE_URL`,
    )
  }
  console.log(json ? JSON.stringify(asJson(calls)) : asText(request.phoneNumber, calls))
  if (!calls.every(isAnswered)) process.exitCode = exitCodes.failed
}

async function completed(
  name: CheckCall['name'],
  answer: Promise<Extract<CheckCall['result'], { success: boolean }>>,
): Promise<CheckCall> {
  try {
    return { name, result: await answer }
  } catch (error) {
    if (error instanceof RingfenceError) return { name, result: error }
    throw error
  }
}

function isNotListening(result: CheckCall['result']): boolean {
  return result instanceof RingfenceError && result.code === 'connection' && /ECONNREFUSED/.test(result.message)
}

/** The given credentials, or the sandbox tenant's. */
function credentialsOf({ clientId, clientSecret, data }: CheckOptions) {
  if (clientId && clientSecret) return { clientId, clientSecret }
  if (clientId || clientSecret) {
    const missing = clientId ? 'RINGFENCE_CLIENT_SECRET' : 'RINGFENCE_CLIENT_ID'
    throw new CommandFailed(`credentials are a client ID and a client secret: set ${missing} too`)
  }
  const { dataFolder } = configurationOf(data === undefined ? {} : { data }).settings
  const stored = readSandboxCredentials(dataFolder)
  if (stored) return stored
  throw new CommandFailed(
    `no credentials: set RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET (${dataFolder} has no sandbox credentials; --data DIR names another folder)`,
  )
}

/** Removes what people put between digits. The service decides whether the rest is a phone number. */
const digitsOf = (number: string) => number.replace(/^\+/, '').replaceAll(/[ ().-]/g, '')

// `ringfence check`: what does a running service say of a number? The three checks, for people and for scripts.

import { maxAgeHours } from '@ringfence/contract'
import { Ringfence, RingfenceError } from '@ringfence/node'
import { type Command, Option } from 'commander'
import { wholeNumber } from './arguments.ts'
import { type Asked, asJson, asText, isAnswered } from './check-report.ts'
import { configurationOf } from './configuration.ts'
import { CommandFailed, exitCodes } from './failure.ts'
import { readDemoCredentials } from './serve/sandbox-credentials.ts'

interface CheckOptions {
  simSwap?: true
  maxAge?: number
  callForwarding?: true
  portability?: true
  url: string
  clientId?: string
  clientSecret?: string
  data?: string
  json?: true
}

export function addCheck(ringfence: Command): void {
  ringfence
    .command('check')
    .description(
      'Ask a running service about a number: SIM swap, call forwarding, portability; all three if none is named',
    )
    .argument('<number>', 'phone number with country code')
    .option('--sim-swap', 'was the SIM swapped?')
    .option(
      '--max-age <hours>',
      "within so many hours, instead of the service's default",
      wholeNumber(maxAgeHours.minimum, maxAgeHours.maximum),
    )
    .option('--call-forwarding', 'are calls forwarded?')
    .option('--portability', 'was it ported to another operator?')
    .addOption(new Option('--url <address>', 'the service').env('RINGFENCE_URL').default('http://127.0.0.1:8080'))
    .addOption(new Option('--client-id <id>', 'who asks').env('RINGFENCE_CLIENT_ID'))
    .addOption(
      new Option('--client-secret <secret>', 'better kept in the environment, as others see options').env(
        'RINGFENCE_CLIENT_SECRET',
      ),
    )
    .option('--data <folder>', 'without credentials: those that serve --demo has kept there')
    .option('--json', 'one line of JSON: the body of each check by its name, with its meta data')
    .addHelpText(
      'after',
      `
Examples:
  ringfence check 917020141726
  ringfence check 917020141726 --sim-swap --max-age 72
  ringfence check 917020141726 --portability --json | jq .portability.phoneDetail.isPorted

Exit code 0 when every check was answered, whatever the answer; 1 when one was not.`,
    )
    .action(check)
}

async function check(number: string, options: CheckOptions, command: Command): Promise<void> {
  const { simSwap, callForwarding, portability, maxAge, json } = options
  const all = !simSwap && !callForwarding && !portability
  if (maxAge !== undefined && !simSwap && !all) {
    command.error('error: --max-age belongs to --sim-swap', { exitCode: exitCodes.usage })
  }
  if (!/^https?:\/\//.test(options.url) || !URL.canParse(options.url)) {
    command.error('error: --url (or RINGFENCE_URL) must be an address such as http://127.0.0.1:8080', {
      exitCode: exitCodes.usage,
    })
  }
  const ringfence = new Ringfence({ baseUrl: options.url, ...credentialsOf(options) })
  const request = { phoneNumber: digitsOf(number) }
  const simSwapRequest = { ...request, ...(maxAge !== undefined && { maxAge }) }
  const asked = await Promise.all([
    ...(simSwap || all ? [outcomeOf('simSwapCheck', ringfence.simSwapCheck(simSwapRequest))] : []),
    ...(callForwarding || all ? [outcomeOf('callForwardingCheck', ringfence.callForwardingCheck(request))] : []),
    ...(portability || all ? [outcomeOf('portability', ringfence.portability(request))] : []),
  ])
  if (!json && asked.every(({ outcome }) => isNotListening(outcome))) {
    throw new CommandFailed(
      `nothing listens at ${options.url}: start the service, or name its address with --url or RINGFENCE_URL`,
    )
  }
  console.log(json ? JSON.stringify(asJson(asked)) : asText(request.phoneNumber, asked))
  if (!asked.every(isAnswered)) process.exitCode = exitCodes.failed
}

async function outcomeOf(
  name: Asked['name'],
  answering: Promise<Extract<Asked['outcome'], { success: boolean }>>,
): Promise<Asked> {
  try {
    return { name, outcome: await answering }
  } catch (error) {
    if (error instanceof RingfenceError) return { name, outcome: error }
    throw error
  }
}

function isNotListening(outcome: Asked['outcome']): boolean {
  return outcome instanceof RingfenceError && outcome.code === 'connection' && /ECONNREFUSED/.test(outcome.message)
}

/** Given ones, else those of the demo tenant. */
function credentialsOf({ clientId, clientSecret, data }: CheckOptions) {
  if (clientId && clientSecret) return { clientId, clientSecret }
  if (clientId || clientSecret) {
    throw new CommandFailed('a clientId and a clientSecret belong together: give both, or set both variables')
  }
  const { dataFolder } = configurationOf(data === undefined ? {} : { data }).settings
  const kept = readDemoCredentials(dataFolder)
  if (kept) return kept
  throw new CommandFailed(
    `no credentials: set RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET, or name with --data the folder of a demo (there is none in ${dataFolder})`,
  )
}

/** As people write numbers; whether it is one, the service says. */
const digitsOf = (number: string) => number.replace(/^\+/, '').replaceAll(/[ ().-]/g, '')

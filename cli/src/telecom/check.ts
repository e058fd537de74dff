// `ringfence check`: what does a running service answer about a number? Its checks, for people and for scripts.

import { Ringfence, RingfenceError, type TelecomChecksRequest } from '@ringfence/node'
import { digitsOfWritten } from '@ringfence/server/phone/read-number.ts'
import { type Command, InvalidArgumentError } from 'commander'
import { CommandFailed, exitCodes } from '../failure.ts'
import { type AskedChecks, addCheckTo, checkUsage, usualChecks } from './asked-checks.ts'
import { checkFile } from './check-file.ts'
import { asJson, asText, type ChecksCall, isAnswered } from './check-report.ts'
import { addConsentOptions, type ConsentOptions, consentOf } from './consent-options.ts'
import { addServiceOptions, credentialsOf, type ServiceOptions, serviceUrlOf } from './service-options.ts'

interface CheckOptions extends ConsentOptions, ServiceOptions {
  json?: true
  file?: string
  out?: string
  cancel?: true
  overwrite?: true
}

export function addCheck(ringfence: Command): void {
  const command = ringfence
    .command('check')
    .description('Call a running service: SIM swap, call forwarding, portability and other checks of a number')
    .argument('[number]', 'phone number with country code; not with --file')
    .argument('[checks...]', `default: those that need nothing but the number. ${checkUsage}`, addCheckTo)
  addServiceOptions(command, ', because other users can see options')
    .option('--json', 'print one line of JSON: the response, with its metadata')
    .option('--file <file>', 'check all numbers of a file: CSV with a column phoneNumber, or .ndjson')
    .option('--out <file>', 'with --file: where the results go, as CSV or .ndjson; there once all are known')
    .option('--overwrite', 'with --file: replace the file of --out when it exists')
    .option('--cancel', 'with --file: cancel the batch that was started for it, and write what is known')
  addConsentOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  ringfence check 917020141726
  ringfence check 917020141726 simSwap:maxAge=72 deviceSwap
  ringfence check 917020141726 kycMatch:givenName=Asha,familyName=Rao
  ringfence check 917020141726 --purpose dpv:FraudPreventionAndDetection --legal-basis LEGITIMATE_INTERESTS
  ringfence check 917020141726 portability --json | jq .phoneDetail.isPorted
  ringfence check --file numbers.csv --out results.csv simSwap:maxAge=72 deviceSwap

The exit code is 0 when every check has an answer, and 1 when a check has none or the service refused the call.

With --file, the service checks the numbers in the background. Ctrl-C leaves it running: the same command shows its progress again and
writes the results, also after a restart of the service. Nothing is checked twice. The exit code is 0 when the results are written.`,
    )
    .action(check)
}

async function check(
  number: string | undefined,
  checks: AskedChecks | readonly never[],
  options: CheckOptions,
  command: Command,
): Promise<void> {
  const usage = (message: string): never => command.error(`error: ${message}`, { exitCode: exitCodes.usage })
  const url = serviceUrlOf(options, usage)
  const { file, out, cancel, json = false } = options
  if (file !== undefined) {
    if (out === undefined) return usage('--file needs --out, the file for the results')
    const asked = number === undefined ? checks : addFirst(number, isNone(checks) ? {} : checks, usage)
    const credentials = credentialsOf(options)
    return checkFile({
      file,
      out,
      url,
      credentials,
      checks: isNone(asked) ? usualChecks : asked,
      consent: consentOf(options).consent,
      cancel: cancel === true,
      overwrite: options.overwrite === true,
      json,
    })
  }
  if (number === undefined) {
    const code = 'commander.missingArgument'
    return command.error("error: missing required argument 'number'", { code, exitCode: exitCodes.usage })
  }
  // What is no number goes as it is: the service refuses it, and scripts get its error.
  const phoneNumber = digitsOfWritten(number) ?? number
  const ringfence = new Ringfence({ baseUrl: url, ...credentialsOf(options) })
  const call = await completed(ringfence, {
    phoneNumber,
    checks: isNone(checks) ? usualChecks : checks,
    ...consentOf(options),
  })
  if (!options.json && isNotListening(call)) {
    throw new CommandFailed(
      `nothing listens at ${url}: start the service with ringfence serve, or set its URL with --url or RINGFENCE_URL`,
    )
  }
  console.log(options.json ? JSON.stringify(asJson(call)) : asText(phoneNumber, call))
  if (!isAnswered(call)) process.exitCode = exitCodes.failed
}

/** With --file, the first argument is a check too. */
function addFirst(text: string, others: AskedChecks, usage: (message: string) => never): AskedChecks {
  try {
    return { ...addCheckTo(text), ...others }
  } catch (error) {
    if (error instanceof InvalidArgumentError) return usage(error.message)
    throw error
  }
}

/** Commander gives an empty list when no check was named. */
const isNone = (checks: AskedChecks | readonly never[]): checks is readonly never[] => Array.isArray(checks)

async function completed(ringfence: Ringfence, request: TelecomChecksRequest): Promise<ChecksCall> {
  try {
    return await ringfence.telecomChecks(request)
  } catch (error) {
    if (error instanceof RingfenceError) return error
    throw error
  }
}

const isNotListening = (call: ChecksCall) =>
  call instanceof RingfenceError && call.code === 'connection' && /ECONNREFUSED/.test(call.message)

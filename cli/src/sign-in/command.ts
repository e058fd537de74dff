// `ringfence sign-in`: what does a page send to its backend when a person has signed in? A made-up person does, in the sandbox.

import { findApp } from '@ringfence/server/apps/stored-apps.ts'
import { commandName } from '@ringfence/server/core/command-name.ts'
import { storeExists } from '@ringfence/server/core/storage/store-exists.ts'
import { digitsOfWritten } from '@ringfence/server/phone/read-number.ts'
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { NothingSent } from '../../../testing/src/inbox.ts'
import { CallRefused } from '../../../testing/src/send.ts'
import { callersOf } from '../../../testing/src/tenant.ts'
import { type Circumstance, circumstanceNames, type PlayedApp } from '../../../testing/src/visitors/devices.ts'
import type { SignedIn } from '../../../testing/src/visits.ts'
import { configurationOf } from '../configuration.ts'
import { CommandFailed, exitCodes } from '../failure.ts'
import { existing, withStore } from '../store.ts'
import { addServiceOptions, credentialsOf, type ServiceOptions, serviceUrlOf } from '../telecom/service-options.ts'

interface SignInOptions extends ServiceOptions {
  number: string
  email?: string
  device?: string
  android?: true | Circumstance[]
  appId?: string
}

/** Without it, `eval` would go on with the sign-in before. */
const failed = 'unset TOKEN ID_TOKEN DFR_ID; false'

/** With nothing to find in the sandbox. */
const ordinaryNumber = '917020141726'

export function addSignIn(ringfence: Command): void {
  const command = ringfence
    .command('sign-in')
    .description('Sign a made-up person in to a running sandbox, and print what the page sends to its backend')
    .option('--number <number>', 'who gets the code: phone number with country code', ordinaryNumber)
    .addOption(new Option('--email <address>', 'or this email address').conflicts('number'))
    .option('--device <name>', 'sign in on this device: the same name is the same device. A program drives robot')
    .addOption(
      new Option(
        '--android [during]',
        `on an Android phone, while these are on it, with commas between: ${circumstanceNames.join(', ')}`,
      ).argParser(readCircumstances),
    )
    .addOption(new Option('--app-id <id>', 'app of the page').env('RINGFENCE_APP_ID'))
  addServiceOptions(command)
    .addHelpText(
      'after',
      `
Examples:
  ringfence sign-in --number 917020141726 --device laptop
  ringfence sign-in --email asha@example.com
  ringfence sign-in --device asha-phone --android call,screen-sharing

It prints variables for a shell: TOKEN and ID_TOKEN, and with a device DFR_ID. Set them with eval:

  eval "$(${commandName} sign-in --device laptop)"

When it fails, they are unset. An Android phone runs the app of --app-id, with its package name and the first of its
androidCertificates, where the store is in --data or DATABASE_URL. Otherwise it runs com.example.app.

It opens a session, sends the facts of the device, asks for a code and enters it. Only ringfence serve --sandbox shows codes.`,
    )
    .configureOutput({
      outputError(text, write) {
        console.log(failed)
        ringfence.configureOutput().outputError?.(text, write)
      },
    })
    .action(async (options: SignInOptions, self: Command) => {
      try {
        await printSignIn(options, self)
      } catch (error) {
        if (!(error instanceof CommanderError)) console.log(failed)
        throw error
      }
    })
}

async function printSignIn(options: SignInOptions, command: Command): Promise<void> {
  const usage = (message: string): never => command.error(`error: ${message}`, { exitCode: exitCodes.usage })
  const url = serviceUrlOf(options, usage)
  const { number, email, device, android, appId } = options
  if (!appId) return usage('--app-id (or RINGFENCE_APP_ID) is missing: paste the export command of the sandbox first')
  const to = email ?? digitsOfWritten(number) ?? number
  const app = android ? await storedApp(appId, options) : undefined
  const callers = callersOf({ url, appId, app, ...credentialsOf(options) })
  const during = Array.isArray(android) ? android : []
  const visitor = android
    ? callers.phone({ platform: 'ANDROID', during, ...(device !== undefined && { device }) })
    : callers.page(deviceOptions(device))
  const report = device !== undefined || android !== undefined
  const { token, idToken, dfrId } = await signedIn(visitor.signIn(to, { report }))
  console.log(`export TOKEN=${token} ID_TOKEN=${idToken}${dfrId === undefined ? '; unset DFR_ID' : ` DFR_ID=${dfrId}`}`)
}

/** Undefined where the app is in a store that is not here. */
async function storedApp(appId: string, { data }: SignInOptions): Promise<PlayedApp | undefined> {
  const place = data === undefined ? {} : { data }
  const { databaseUrl, dataFolder } = configurationOf(place).settings
  if (!(await storeExists(databaseUrl ?? dataFolder))) return undefined
  const found = await withStore(place, existing, ({ database }) => findApp(database, appId))
  return found && { packageName: found.packageNames[0], androidCertificates: found.settings.androidCertificates }
}

const deviceOptions = (device = 'none') => ({ device, automated: device.startsWith('robot') })

function readCircumstances(text: string): Circumstance[] {
  const names = text.split(',')
  const unknown = names.find((name) => !circumstanceNames.some((known) => known === name))
  if (unknown !== undefined) throw new InvalidArgumentError(`allowed: ${circumstanceNames.join(', ')}`)
  return names as Circumstance[]
}

async function signedIn(signingIn: Promise<SignedIn>): Promise<SignedIn> {
  try {
    return await signingIn
  } catch (error) {
    if (error instanceof CallRefused) throw new CommandFailed(`the sign-in was refused: ${error.message}`)
    if (error instanceof NothingSent) throw new CommandFailed(error.message)
    const { code } = Object(Object(error).cause) as { code?: string }
    if (code === 'ECONNREFUSED')
      throw new CommandFailed('nothing listens there: start the service with ringfence serve --sandbox')
    throw error
  }
}

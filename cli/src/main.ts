// `ringfence`: runs the command of a command line. A failure becomes one line on stderr and an exit code.

import { debuglog } from 'node:util'
import { pasteable } from '@ringfence/server/core/command-name.ts'
import {
  type AddHelpTextContext,
  type AddHelpTextPosition,
  Command,
  CommanderError,
  type ErrorOptions,
} from 'commander'
import { addApps } from './apps.ts'
import { addBackup, addRestore } from './backup/commands.ts'
import { addClients } from './clients/clients.ts'
import { addData } from './data.ts'
import { addDecisions } from './decisions/decisions.ts'
import { addReviews } from './decisions/reviews.ts'
import { addDevices } from './devices/devices.ts'
import { addDoctor } from './doctor/command.ts'
import { addEvents } from './events/events.ts'
import { CommandFailed, exitCodes, explain } from './failure.ts'
import { addInit } from './init.ts'
import { addKeys } from './keys.ts'
import { addLists } from './lists/lists.ts'
import { addNumbers } from './numbers.ts'
import { addAudit } from './people/audit.ts'
import { addPeople } from './people/people.ts'
import { addPrivacy } from './privacy/privacy.ts'
import { addAdmin } from './remote/admin.ts'
import { addRules } from './rules/rules.ts'
import { addServe } from './serve/serve.ts'
import { addSignIn } from './sign-in/command.ts'
import { addCheck } from './telecom/check.ts'
import { addCosts } from './telecom/costs.ts'
import { addRoutes } from './telecom/routes.ts'
import { addWatches } from './telecom/watches.ts'
import { addTestService } from './test-service/command.ts'
import { addUsers } from './users/users.ts'
import { version } from './version.ts'
import { addWebhooks } from './webhooks.ts'

/** Runs a command line (without the program name) and sets the exit code of the process. Never throws. */
export async function run(commandLine: readonly string[]): Promise<void> {
  process.stdout.on('error', ignoreClosedPipe)
  process.stderr.on('error', ignoreClosedPipe)
  try {
    const ringfence = program()
    await ringfence.parseAsync(upToUnknownCommand(ringfence, commandLine), { from: 'user' })
  } catch (error) {
    debuglog('ringfence')('%O', error)
    // Commander has already printed the mistake in the command line, or the help.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage
      return
    }
    console.error(pasteable(`ringfence: ${explain(error)}`))
    process.exitCode = error instanceof CommandFailed ? error.exitCode : exitCodes.failed
  }
}

/** Codes of Commander's errors after which the help of the command says what is missing. */
const missingCodes = [
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
]

class HelpfulCommand extends Command {
  #examples: string[] = []

  override createCommand(name?: string): Command {
    const command = new HelpfulCommand(name)
    return command.addHelpText('after', () => (command.#examples.length > 0 ? '' : this.#examplesOf(command)))
  }

  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    if (typeof text === 'string') {
      this.#examples.push(...text.split('\n').filter((line) => line.startsWith('  ringfence ')))
    }
    return super.addHelpText(position, text as string)
  }

  /** A subcommand without examples shows those in the help of its group. */
  #examplesOf(command: Command): string {
    const start = `  ${pathOf(command)} `
    const lines = this.#examples.filter((line) => `${line} `.startsWith(start))
    return lines.length === 0 ? '' : ['', 'Examples:', ...lines].join('\n')
  }

  override error(message: string, options?: ErrorOptions): never {
    const hint = missingCodes.includes(options?.code ?? '') ? `; see ${pathOf(this)} --help` : ''
    return super.error(`${message}${hint}`, options)
  }
}

/** "ringfence apps create" */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

/**
 * For `help chek` and `chek --help`, Commander prints the help of the program and succeeds. It refuses `chek` alone and
 * suggests the nearest command, so this leaves out the rest.
 */
function upToUnknownCommand(program: Command, commandLine: readonly string[]): readonly string[] {
  const path: string[] = []
  let command = program
  for (const word of commandLine) {
    if (command.commands.length === 0 || word.startsWith('-')) break
    if (word === 'help') continue
    path.push(word)
    const next = command.commands.find((each) => each.name() === word)
    if (!next) return path
    command = next
  }
  return commandLine
}

/** The command with all of its subcommands. */
export function program(): Command {
  const ringfence = new HelpfulCommand('ringfence')
    .description('Self-hosted fraud prevention for phone numbers, sign-in and devices')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(pasteable(text.replace(/^error: /, 'ringfence: '))) })
    .addHelpText(
      'after',
      `
Examples:
  ringfence serve --sandbox               try Ringfence without a mobile operator
  ringfence init --tenant shop            create a tenant and its first credentials
  ringfence apps --help                   register a web site or mobile app
  ringfence sign-in --device laptop       sign a made-up person in to a sandbox
  ringfence check 917020141726            check a phone number
  ringfence numbers import ported.csv     import ported numbers
  ringfence data status                   show the IP data in use
  ringfence rules test rules.yaml         test a rules file
  ringfence lists show                    list the values that you allow, block or watch
  ringfence devices list                  list known devices
  ringfence users import customers.csv    import your customers
  ringfence webhooks list                 list the webhooks that receive events
  ringfence backup monday.age             back up a running service
  ringfence doctor                        check an installation

Run ringfence COMMAND --help for the options of a command.
Exit codes: 0 success, 1 failure, 2 wrong command line. Of commands with --server also 3, the key or
its role is refused, and 4, the server was not reached.`,
    )
  // Each command is added to the program, because it inherits the settings above.
  addServe(ringfence)
  addInit(ringfence)
  addClients(ringfence)
  addApps(ringfence)
  addKeys(ringfence)
  addSignIn(ringfence)
  addTestService(ringfence)
  addCheck(ringfence)
  addRoutes(ringfence)
  addCosts(ringfence)
  addWatches(ringfence)
  addNumbers(ringfence)
  addData(ringfence)
  addRules(ringfence)
  addLists(ringfence)
  addDevices(ringfence)
  addDecisions(ringfence)
  addReviews(ringfence)
  addEvents(ringfence)
  addWebhooks(ringfence)
  addUsers(ringfence)
  addPeople(ringfence)
  addAudit(ringfence)
  addPrivacy(ringfence)
  addAdmin(ringfence)
  addBackup(ringfence)
  addRestore(ringfence)
  addDoctor(ringfence)
  return ringfence
}

/** The reader of the output has closed it (`ringfence clients list | head -1`). */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

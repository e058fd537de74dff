// What does `ringfence` do? Reads the command line, runs the command, and turns its failure into one line and an exit code.

import { readFileSync } from 'node:fs'
import { debuglog } from 'node:util'
import { Command, CommanderError } from 'commander'
import { addApps } from './apps.ts'
import { addCheck } from './check.ts'
import { addClients } from './clients.ts'
import { addData } from './data.ts'
import { CommandFailed, exitCodes, explain } from './failure.ts'
import { addInit } from './init.ts'
import { addKeys } from './keys.ts'
import { addNumbers } from './numbers.ts'
import { addRules } from './rules/rules.ts'
import { addServe } from './serve/serve.ts'

/** Runs a command line (without the program's name) and sets the exit code of the process. Never throws. */
export async function run(commandLine: readonly string[]): Promise<void> {
  process.stdout.on('error', ignoreClosedPipe)
  process.stderr.on('error', ignoreClosedPipe)
  try {
    await program().parseAsync(commandLine, { from: 'user' })
  } catch (error) {
    debuglog('ringfence')('%O', error)
    // Commander has told already what is wrong with the command line, or shown the help that was asked for.
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage
      return
    }
    console.error(`ringfence: ${explain(error)}`)
    process.exitCode = error instanceof CommandFailed ? error.exitCode : exitCodes.failed
  }
}

function program(): Command {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  const ringfence = new Command('ringfence')
    .description('Self-hosted fraud prevention: can this phone number, this sign-in, this device be trusted?')
    .version(version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'ringfence: ')) })
    .addHelpText(
      'after',
      `
Examples:
  ringfence serve --sandbox               try Ringfence without a mobile operator
  ringfence init --tenant shop            a tenant and its first credentials
  ringfence apps create --help            a web site or mobile app whose SDK may call
  ringfence check 917020141726            all three checks of a number
  ringfence numbers import ported.csv     which numbers have been ported
  ringfence data status                   how old the address data are, and whose
  ringfence rules test rules.yaml         are these rules right?

Exit codes: 0 done, 1 failed, 2 wrong command line. Each command has a --help of its own.`,
    )
  // The commands inherit the settings above, which is why they are added to the program and not made on their own.
  addServe(ringfence)
  addInit(ringfence)
  addClients(ringfence)
  addApps(ringfence)
  addKeys(ringfence)
  addCheck(ringfence)
  addNumbers(ringfence)
  addData(ringfence)
  addRules(ringfence)
  return ringfence
}

/** Whoever read our output has gone (`ringfence clients list | head -1`). */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

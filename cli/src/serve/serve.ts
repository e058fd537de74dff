// `ringfence serve`: which options does the service take? start.ts runs it.

import { Settings } from '@ringfence/server/core/config/settings.ts'
import { type Command, Option } from 'commander'
import { portNumber } from '../arguments.ts'
import { addPlaceOptions } from '../configuration.ts'
import type { ServeOptions } from './run-service.ts'

export function addServe(ringfence: Command): void {
  addPlaceOptions(ringfence.command('serve').description('Run the service'))
    .option('--host <address>', 'IP address to listen on; 0.0.0.0 for all (HOST; default 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 for any free port (PORT; default 8080)', portNumber)
    .addOption(
      new Option(
        '--log-level <level>',
        'lowest level that is logged (LOG_LEVEL; default info, with --sandbox warn)',
      ).choices(Settings.properties.logLevel.enum),
    )
    .addOption(
      new Option(
        '--log-format <format>',
        'json, or pretty for people (LOG_FORMAT; default: pretty at a terminal)',
      ).choices(Settings.properties.logFormat.enum),
    )
    .option(
      '--workers <number>',
      'processes that share the port, or auto for one of each core; needs PostgreSQL (WORKERS; default 1)',
    )
    .option(
      '--create',
      'create the data folder, or the tables in PostgreSQL, if there are none; ringfence init does so too',
    )
    .option(
      '--sandbox',
      'try Ringfence without a mobile operator: adds test operators, a tenant with credentials and an app, and shows messages instead of sending them',
    )
    .addOption(
      new Option('--sandbox-port <number>', 'port of the sandbox operator on 127.0.0.1; 0 for any free port')
        .argParser(portNumber)
        .default(0)
        .implies({ sandbox: true }),
    )
    .option('--no-demo', 'with --sandbox: do not fill an empty store with a month of demo traffic')
    .addHelpText(
      'after',
      `
Examples:
  ringfence serve --sandbox
  ringfence serve --config ringfence.yaml --data /var/lib/ringfence
  DATABASE_URL=postgres://ringfence@db/ringfence ringfence serve --host 0.0.0.0

Every setting has an environment variable and a key in the configuration file: see docs/reference/configuration.md.
The log goes to stderr: readable at a terminal, else one JSON object per line. On SIGTERM or SIGINT the service completes the requests in progress
and exits with code 0. A second signal stops it at once. With --workers, SIGHUP replaces the workers one after the other.`,
    )
    // Imported only here, because loading the service takes as long as loading the rest of the command.
    .action(async (options: ServeOptions) => (await import('./start.ts')).serve(options))
}

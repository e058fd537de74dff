// `ringfence serve`: with which options does the service run? run-service.ts runs it.

import { Settings } from '@ringfence/server/config/settings.ts'
import { type Command, Option } from 'commander'
import { portNumber } from '../arguments.ts'
import { addPlaceOptions, type PlaceOptions } from '../configuration.ts'

export interface ServeOptions extends PlaceOptions {
  host?: string
  port?: number
  logLevel?: Settings['logLevel']
  sandbox?: true
  sandboxPort: number
  demo?: true
  tryOut?: true
}

export function addServe(ringfence: Command): void {
  addPlaceOptions(ringfence.command('serve').description('Run the service'))
    .option('--host <address>', 'address to listen on, 0.0.0.0 for all (HOST; default 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for a free one (PORT; default 8080)', portNumber)
    .addOption(
      new Option('--log-level <level>', 'least severe lines of the log (LOG_LEVEL; default info)').choices(
        Settings.properties.logLevel.enum,
      ),
    )
    .option('--sandbox', 'a made-up operator in the same process, added to the configuration')
    .addOption(
      new Option('--sandbox-port <number>', 'its port on 127.0.0.1, 0 for a free one')
        .argParser(portNumber)
        .default(0)
        .implies({ sandbox: true }),
    )
    .option('--demo', 'a tenant named demo, with an app, and credentials that are kept in the data folder; printed')
    .option('--try-out', 'both, unless the configuration file names operators of its own; npm start does this')
    .addHelpText(
      'after',
      `
Examples:
  ringfence serve --try-out
  ringfence serve --config ringfence.yaml --data /var/lib/ringfence
  DATABASE_URL=postgres://ringfence@db/ringfence ringfence serve --host 0.0.0.0

Every setting has an environment variable and a key in the configuration file: see docs/reference/configuration.md.
The log goes to stderr, a JSON object a line. SIGTERM and SIGINT answer what is under way and end with exit code 0; a
second one ends at once.`,
    )
    // Loaded when it is needed: the service takes as long to load as everything else of the command.
    .action(async (options: ServeOptions) => (await import('./run-service.ts')).runService(options))
}

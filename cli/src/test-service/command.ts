// `ringfence test-service`: a service for the tests of a backend. run-test-service.ts runs it; @ringfence/testing starts it.

import { Settings } from '@ringfence/server/core/config/settings.ts'
import { type Command, Option } from 'commander'
import { portNumber } from '../arguments.ts'
import type { TestServiceOptions } from './run-test-service.ts'

export function addTestService(ringfence: Command): void {
  ringfence
    .command('test-service')
    .description(
      'Run a service with made-up data for the tests of a backend; @ringfence/testing does so for tests in Node',
    )
    .option('--port <number>', 'port to listen on; 0 for any free port', portNumber, 0)
    .option('--config <file>', 'configuration file, such as one with channels of your own')
    .addOption(
      new Option('--log-level <level>', 'lowest level that is logged')
        .choices(Settings.properties.logLevel.enum)
        .default('error'),
    )
    .addHelpText(
      'after',
      `
Examples:
  ringfence test-service
  ringfence test-service --config ringfence.test.yaml

It prints one line of JSON: the URLs of the service and of its sandbox operator, a tenant with a client and an app, IP addresses that hide a page
(send one as X-Forwarded-For), and the key that attests those of Android phones. Its data are in a
temporary folder. It ends, and removes them, when its standard input ends or at SIGTERM.

Whoever is on this machine can move its clock (/sandbox/clock of the operator moves both) and create tenants (POST /sandbox/tenants). Never use it
for anything but tests.`,
    )
    // Imported only here, because loading the service takes as long as loading the rest of the command.
    .action(async (options: TestServiceOptions) => (await import('./run-test-service.ts')).runTestService(options))
}

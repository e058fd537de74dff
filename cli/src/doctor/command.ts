// `ringfence doctor`: which options does it take? Its code is loaded when it runs.

import { type Command, Option } from 'commander'
import { addPlaceOptions } from '../configuration.ts'
import type { DoctorOptions } from './doctor.ts'

export function addDoctor(ringfence: Command): void {
  addPlaceOptions(ringfence.command('doctor'))
    .description('Check configuration, store, keys, clock, upstreams, data and the public URL, and say what to do')
    .addOption(
      new Option('--url <url>', 'URL of the service on this machine (default: port and host of the settings)').env(
        'RINGFENCE_URL',
      ),
    )
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      `
It changes nothing, checks no phone number, and works while the service runs and while it is stopped.
Exit code 1 when something is broken, 0 when there are only warnings.

Examples:
  ringfence doctor --data /var/lib/ringfence --config /etc/ringfence.yaml
  ringfence doctor --json | jq '.findings[] | select(.state == "broken")'`,
    )
    .action(async (options: DoctorOptions, command: Command) => (await import('./doctor.ts')).doctor(options, command))
}

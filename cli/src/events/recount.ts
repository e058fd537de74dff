// `ringfence events recount`: makes the counts and the tables of users, devices and numbers again from the event log.

import { recountActivity } from '@ringfence/server/admin/overview/count-activity.ts'
import { systemClock } from '@ringfence/server/core/clock.ts'
import { openCompression } from '@ringfence/server/device/store/compression/compression.ts'
import type { Command } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'

export function addRecount(events: Command): void {
  addTenantOptions(
    events.command('recount').description('Count the event log again, for Overview, Performance and the tables'),
    'events',
  )
    .addHelpText(
      'after',
      `
The console shows counts that the service makes from the event log. This makes them again, for example after events with
earlier times were written. Counts of days that the log no longer has (EVENT_DAYS) stay. It runs beside the service.`,
    )
    .action(answering(recount))
}

async function recount(options: TenantOptions): Promise<Answer> {
  await withTenant(options, (store, { id }) =>
    recountActivity(id, { ...store, clock: systemClock, compression: openCompression() }),
  )
  return [{ recounted: true }, 'The event log is counted again.']
}

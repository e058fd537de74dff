// `ringfence devices heal`: which devices are one that was split? Merges them.

import { systemClock } from '@ringfence/server/core/clock.ts'
import { mergeDevices } from '@ringfence/server/decisions/merge-devices.ts'
import { healSplits, type Split } from '@ringfence/server/device/identity/heal.ts'
import type { Command } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { stoppable } from '../stopping.ts'
import { table } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'

export function addHeal(devices: Command): void {
  addTenantOptions(devices.command('heal').description('Merge devices that are one device which was split'), 'devices')
    .option('--dry-run', 'only print what would be merged')
    .addHelpText(
      'after',
      `
Two devices are merged if their facts fit as those of one device do, and both came from one network and were never in use at
the same time, or a backend confirmed both for one account. The older id remains; the newer is another name of it. The service does
the same by itself, a little every minute. You can stop the command and run it again.`,
    )
    .action(answering(heal))
}

async function heal({ dryRun = false, ...options }: TenantOptions & { dryRun?: boolean }): Promise<Answer> {
  const healed = await stoppable((signal) =>
    withTenant(options, (store, { id }) => {
      const merge = (split: Split) => mergeDevices(id, split, { ...store, clock: systemClock })
      return healSplits(id, store, { merge: dryRun ? undefined : merge, signal })
    }),
  )
  return [{ merged: healed, isDryRun: dryRun }, healedText(healed, dryRun)]
}

function healedText(healed: readonly Split[], dryRun: boolean): string {
  if (healed.length === 0) return 'No device was split.'
  const count = `${healed.length} ${healed.length === 1 ? 'device' : 'devices'}`
  return [
    table(
      ['DEVICE', 'IS', 'BECAUSE OF A COMMON'],
      healed.map(({ from, into, because }) => [from, into, because]),
    ),
    dryRun
      ? `${count} would be merged. Nothing was changed.`
      : `Merged ${count}. The ids of the first column are other names of the second.`,
  ].join('\n\n')
}

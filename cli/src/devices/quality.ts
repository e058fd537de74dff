// `ringfence devices quality`: how often is recognition by similarity right on a tenant's own traffic?

import { systemClock } from '@ringfence/server/core/clock.ts'
import { type Answers, type Quality, qualityOf } from '@ringfence/server/device/identity/quality.ts'
import type { Command } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { wholeNumber } from '../arguments.ts'
import { stoppable } from '../stopping.ts'
import { table } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'

interface Options extends TenantOptions {
  days: number
  limit: number
}

export function addQuality(devices: Command): void {
  addTenantOptions(
    devices.command('quality').description('Compare what similarity would have said with what keys prove'),
    'devices',
  )
    .option('--days <number>', 'only installations that were seen in the last days', wholeNumber(1, 365), 30)
    .option('--limit <number>', 'how many installations to compare', wholeNumber(1, 1_000_000), 10_000)
    .addHelpText(
      'after',
      `
Reads only; safe beside a running server. A key proves which visits are of one browser. The command asks similarity about
each such browser as if it had lost its key and storage (right: its own device), and as if it came for the first time
(right: a new device).`,
    )
    .action(answering(quality))
}

async function quality({ days, limit, ...options }: Options): Promise<Answer> {
  const since = systemClock.now() - days * 86_400_000
  const found = await stoppable(
    (signal) => withTenant(options, (store, { id }) => qualityOf(id, { since, limit, signal }, store)),
    () => 'stopped before the end',
  )
  return [found, qualityText(found, days)]
}

export function qualityText({ installations, returns, firstVisits, calibration }: Quality, days: number): string {
  if (installations === 0)
    return `No browser with a key and enough facts was seen in the last ${days} days: there is nothing to compare.`
  const row = (title: string, { ownDevice, newDevice, otherDevice, undecided }: Answers) => [
    title,
    share(ownDevice, installations),
    share(newDevice, installations),
    share(otherDevice, installations),
    share(undecided, installations),
  ]
  const bins = calibration.filter(({ decisions }) => decisions > 0)
  return [
    `${installations} installation${installations === 1 ? '' : 's'} with a key, seen in the last ${days} days. What similarity would have said:`,
    table(
      ['VISIT', 'ITS OWN DEVICE', 'A NEW DEVICE', 'ANOTHER DEVICE', 'UNDECIDED'],
      [row('returns with storage cleared', returns), row('comes for the first time', firstVisits)],
    ),
    `Splits: ${share(returns.newDevice, installations)}. Merges: ${share(returns.otherDevice, installations)} of returns, ${share(firstVisits.otherDevice, installations)} of first visits.
Undecided: neither key nor account proves whether it is the same browser.`,
    bins.length === 0
      ? 'No decision for a known device.'
      : table(
          ['CONFIDENCE', 'DECISIONS', 'SAID', 'RIGHT'],
          bins.map(({ from, decisions, said, right }) => [
            `from ${from.toFixed(2)}`,
            String(decisions),
            percent(said, decisions),
            percent(right, decisions),
          ]),
        ),
    `Calibration error: ${calibrationError(bins).toFixed(3)} (mean difference of said and right, by decisions)`,
  ].join('\n\n')
}

function calibrationError(bins: Quality['calibration']): number {
  const all = bins.reduce((sum, { decisions }) => sum + decisions, 0)
  return bins.reduce((sum, { said, right }) => sum + Math.abs(said - right), 0) / Math.max(1, all)
}

const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`

/** "12 (0.4 %)" */
const share = (count: number, all: number) => `${count} (${percent(count, all)})`

// `ringfence devices quality`: how often is recognition by similarity right on a tenant's own traffic? And may it learn from that?

import { systemClock } from '@ringfence/server/core/clock.ts'
import { type Answers, type Quality, qualityOf } from '@ringfence/server/device/identity/quality.ts'
import { judge, type Lesson, learnFrom, sinceDays, worseBecause } from '@ringfence/server/device/learning/learn.ts'
import { findLearning } from '@ringfence/server/device/store/device-learning.ts'
import { type Command, Option } from 'commander'
import { type Answer, answering } from '../answer.ts'
import { wholeNumber } from '../arguments.ts'
import { stoppable } from '../stopping.ts'
import { table } from '../table.ts'
import { addTenantOptions, type TenantOptions, withTenant } from '../tenant-options.ts'
import { changeLearning, type Learning, learningText } from './learning.ts'
import { calibrationError, percent, share } from './shares.ts'

interface Options extends TenantOptions {
  days: number
  limit: number
  use?: true
  freeze?: true
  reset?: true
}

export function addQuality(devices: Command): void {
  addTenantOptions(
    devices.command('quality').description('Compare what similarity would have said with what keys prove'),
    'devices',
  )
    .option('--days <number>', 'only installations that were seen in the last days', wholeNumber(1, 365), sinceDays)
    .option('--limit <number>', 'how many installations to compare', wholeNumber(1, 1_000_000), 10_000)
    .addOption(
      new Option('--use', 'use the learned weights, and go on learning once a day').conflicts(['freeze', 'reset']),
    )
    .addOption(new Option('--freeze', 'use the learned weights as they are').conflicts('reset'))
    .option('--reset', 'use the weights of the release again')
    .addHelpText(
      'after',
      `
Safe beside a running server; reads only, without --use, --freeze and --reset. A key proves which visits are of one browser.
The command asks similarity about each such browser as if it had lost its key and storage (right: its own device), and as if
it came for the first time (right: a new device). It also learns weights from one half of the devices, and judges them by the
other half. Nothing learned is used before --use, which refuses weights that judge worse.`,
    )
    .action(answering(quality))
}

async function quality(options: Options): Promise<Answer> {
  const { days, limit, use, freeze, reset } = options
  const since = systemClock.now() - days * 86_400_000
  const change = use ? 'use' : freeze ? 'freeze' : reset ? 'reset' : undefined
  const found = await stoppable(
    (signal) =>
      withTenant(options, async (store, { id }) => {
        const read = { since, limit, signal }
        if (change === 'freeze' || change === 'reset') return changeLearning(change, id, store)
        const all = await qualityOf(id, read, store)
        const row = await findLearning(store.database, id)
        const isUsed = row !== undefined && row.state !== 'off'
        const lesson: Lesson = await learnFrom(id, read, store)
        // Weights in use are shown as they are; with --use, those that replace them.
        const learned = isUsed && change === undefined ? row.learned : lesson
        const judgement = await judge(id, learned, read, store)
        const worse = worseBecause(lesson, judgement)
        const learning: Learning = {
          state: row?.state ?? 'off',
          revision: row?.revision ?? 0,
          pairs: lesson.pairs,
          ...judgement,
          ...(worse !== undefined && { worse }),
        }
        if (change === 'use') return changeLearning(change, id, store, { lesson, learning })
        return { ...all, learning }
      }),
    () => 'stopped before the end',
  )
  if (!('learning' in found)) return [found, found.text]
  const { learning, ...all } = found
  return [found, [qualityText(all, days), ...(all.installations === 0 ? [] : [learningText(learning)])].join('\n\n')]
}

export function qualityText(
  { installations, returns, firstVisits, calibration }: Omit<Quality, 'shares'>,
  days: number,
): string {
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

// Which stored sessions have a label? Reads all of them with what rules would have read, and keeps a sample of the labelled ones.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BacktestOptions } from '../backtest.ts'
import { isBad } from '../label.ts'
import { ReplayedInputs } from '../replayed-input.ts'
import type { RuleSet } from '../rule.ts'
import type { StoredReport } from '../stored-report.ts'
import { LabelledSample } from './sample.ts'

export interface CollectOptions
  extends Pick<BacktestOptions, 'reports' | 'labelsOf' | 'inListFor' | 'onProgress' | 'signal'> {
  /** Its velocities are counted again. */
  readonly rules: RuleSet
  /** Bad and good sessions to keep. */
  readonly most?: number
}

/** Sessions without a label count in velocities, too. @throws NotReplayable, the error of the source, or the reason of the signal */
export async function collect(options: CollectOptions): Promise<LabelledSample> {
  const { reports, rules, labelsOf, inListFor, onProgress, signal, most } = options
  const sample = new LabelledSample(most)
  const inputs = new ReplayedInputs([rules])
  let done = 0
  const addAll = async (batch: readonly StoredReport[]): Promise<void> => {
    const lookedUp = labelsOf ? await labelsOf(batch) : []
    for (const [index, report] of batch.entries()) {
      const [input] = inputs.of(report, await inListFor?.(report))
      const label = report.outcome ?? lookedUp[index]
      if (label !== undefined) sample.add({ input: input!, isBad: isBad(label) })
    }
    done += batch.length
    onProgress?.(done, batch.at(-1)?.at)
    await nextTurn()
    signal?.throwIfAborted()
  }
  let batch: StoredReport[] = []
  for await (const report of reports) {
    batch.push(report)
    if (batch.length < 100) continue
    await addAll(batch)
    batch = []
  }
  await addAll(batch)
  return sample
}

// Which stored sessions have a label? Reads all of them with what rules would have read, and keeps a sample of the labelled ones.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { isBad } from '../../device/history/label.ts'
import { type BacktestOptions, isOne } from '../backtests/backtest.ts'
import { ReplayedInputs } from '../backtests/replayed-input.ts'
import type { StoredReport } from '../backtests/stored-report.ts'
import { evaluate } from '../evaluate.ts'
import { compileRules } from '../language/compile.ts'
import { actions, type RuleSet } from '../language/rule.ts'
import { compileRequirements, decidedAction } from '../requirements/required.ts'
import { LabelledSample } from './sample.ts'

export interface CollectOptions
  extends Pick<BacktestOptions, 'reports' | 'labelsOf' | 'inListFor' | 'onProgress' | 'signal'> {
  /** Its velocities are counted again, and what it stops is left out of the sample. */
  readonly rules: RuleSet
  /** Bad and good sessions to keep. */
  readonly most?: number
}

/** A person looks at the session, or it needs another proof, or it ends. */
const firstThatStops = actions.indexOf('REVIEW')

/** Sessions without a label count in velocities, too. @throws NotReplayable, the error of the source, or the reason of the signal */
export async function collect(options: CollectOptions): Promise<LabelledSample> {
  const { reports, rules, labelsOf, inListFor, onProgress, signal, most } = options
  const sample = new LabelledSample(most)
  const inputs = new ReplayedInputs([rules])
  const compiled = compileRules(rules.rules)
  const requirements = compileRequirements(rules)
  let done = 0
  const addAll = async (batch: readonly StoredReport[]): Promise<void> => {
    const lookedUp = labelsOf ? await labelsOf(batch) : []
    for (const [index, report] of batch.entries()) {
      const inList = await inListFor?.(report)
      const input = inputs.of(report, inList)[0]!
      const label = report.outcome ?? lookedUp[index]
      if (label === undefined) continue
      const { action: ofRules } = evaluate(compiled, input, inList).ruleAction
      const action = report.decisionId !== undefined ? decidedAction(ofRules, requirements.of(input)) : ofRules
      if (actions.indexOf(action) < firstThatStops) sample.add({ input, isBad: isBad(label) })
      else sample.stopped[isBad(label) ? 'bad' : 'good']++
    }
    done += batch.length
    onProgress?.(done, batch.at(-1)?.at)
    await nextTurn()
    signal?.throwIfAborted()
  }
  let batch: StoredReport[] = []
  for await (const some of reports) {
    if (isOne(some)) batch.push(some)
    else batch.push(...some)
    if (batch.length < 100) continue
    await addAll(batch)
    batch = []
  }
  await addAll(batch)
  return sample
}

// How far is a batch, for whoever waits? A bar on a terminal; elsewhere a line now and then.

import type { Batch } from '@ringfence/node'
import { progressBar } from '../progress.ts'
import { amountText } from './amount.ts'

const everyMs = 10_000
/** Without another result for so long, an upstream has asked for a pause, or does not answer. */
const standstillMs = 5_000

export interface BatchProgress {
  show(batch: Batch): void
  /** The service does not answer at present. */
  waiting(reason: string): void
  end(): void
}

export function batchProgress(stream: NodeJS.WriteStream = process.stderr): BatchProgress {
  const bar = progressBar(stream)
  let shownAt = Number.NEGATIVE_INFINITY
  let last = { done: 0, at: performance.now() }
  const line = (text: string) => {
    if (stream.isTTY || performance.now() - shownAt < everyMs) return
    shownAt = performance.now()
    stream.write(`${text}\n`)
  }
  return {
    show(batch) {
      const { done, total } = batch.counts
      if (done !== last.done) last = { done, at: performance.now() }
      const stoodMs = performance.now() - last.at
      const detail = detailOf(batch, batch.status === 'running' && stoodMs >= standstillMs ? stoodMs : undefined)
      bar.show({ phase: 'checked', done, total, detail })
      line(`${done} of ${total} checked${detail === '' ? '' : `, ${detail}`}`)
    },
    waiting(reason) {
      line(`waiting for the service: ${reason}`)
    },
    end: bar.end,
  }
}

/** "310/s, 3 min left, 82.02 EUR"; `stoodMs`: for so long nothing was answered. */
export function detailOf({ counts, linesPerSecond, cost, status }: Batch, stoodMs?: number): string {
  const left = counts.total - counts.done
  const pace =
    stoodMs !== undefined
      ? [`no answer for ${durationText(stoodMs / 1000)}: an operator has asked for a pause or does not answer`]
      : linesPerSecond
        ? [`${Math.round(linesPerSecond)}/s`, `${durationText(left / linesPerSecond)} left`]
        : []
  return [
    ...(status === 'queued' ? ['waits for its turn'] : []),
    ...(status === 'canceling' ? ['canceling'] : []),
    ...pace,
    ...(cost ? [amountText(cost)] : []),
  ].join(', ')
}

export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h ${Math.ceil((seconds % 3600) / 60)} min`
}

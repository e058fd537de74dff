// How far is a batch, for whoever waits? A bar on a terminal; elsewhere a line now and then.

import type { Batch } from '@ringfence/node'
import { progressBar } from '../progress.ts'

const everyMs = 10_000

export interface BatchProgress {
  show(batch: Batch): void
  /** The service does not answer at present. */
  waiting(reason: string): void
  end(): void
}

export function batchProgress(stream: NodeJS.WriteStream = process.stderr): BatchProgress {
  const bar = progressBar(stream)
  let shownAt = Number.NEGATIVE_INFINITY
  const line = (text: string) => {
    if (stream.isTTY || performance.now() - shownAt < everyMs) return
    shownAt = performance.now()
    stream.write(`${text}\n`)
  }
  return {
    show(batch) {
      const { done, total } = batch.counts
      const detail = detailOf(batch)
      bar.show({ phase: 'checked', done, total, detail })
      line(`${done} of ${total} checked${detail === '' ? '' : `, ${detail}`}`)
    },
    waiting(reason) {
      line(`waiting for the service: ${reason}`)
    },
    end: bar.end,
  }
}

/** "310/s, 3 min left, EUR 82.02" */
export function detailOf({ counts, linesPerSecond, cost, status }: Batch): string {
  const left = counts.total - counts.done
  return [
    ...(status === 'queued' ? ['waits for its turn'] : []),
    ...(status === 'canceling' ? ['canceling'] : []),
    ...(linesPerSecond ? [`${Math.round(linesPerSecond)}/s`, `${durationText(left / linesPerSecond)} left`] : []),
    ...(cost ? [costText(cost)] : []),
  ].join(', ')
}

export const costText = ({ currency, micros }: NonNullable<Batch['cost']>): string =>
  `${currency} ${(micros / 1_000_000).toFixed(micros % 10_000 === 0 ? 2 : 4)}`

export function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`
  if (seconds < 3600) return `${Math.ceil(seconds / 60)} min`
  return `${Math.floor(seconds / 3600)} h ${Math.ceil((seconds % 3600) / 60)} min`
}

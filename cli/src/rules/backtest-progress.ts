// How far is a backtest? A bar where the end is known, a count of reports elsewhere; on a terminal, on stderr.

import { statSync } from 'node:fs'
import type { BacktestOptions } from '@ringfence/server/rules/backtests/backtest.ts'
import { progressBar } from '../progress.ts'

export interface BacktestProgress extends Required<Pick<BacktestOptions, 'onProgress'>> {
  /** Bytes of the file that were read. */
  onBytes(bytes: number): void
  end(): void
}

/** `file`: `-` for stdin. `from`: the replay of decisions goes from here to now, epoch milliseconds. */
export function progressOf(
  { file, from, now }: { file: string | undefined; from: number | undefined; now: number },
  stream: NodeJS.WriteStream = process.stderr,
): BacktestProgress {
  const bar = progressBar(stream)
  const show = (done: number, total: number) => bar.show({ phase: 'replay', done: Math.min(done, total), total })
  const bytes = file === undefined ? undefined : statSync(file, { throwIfNoEntry: false })?.size
  return {
    onBytes(read) {
      if (bytes !== undefined) show(read, bytes)
    },
    onProgress(reports, at) {
      if (bytes !== undefined) return
      if (from !== undefined && at !== undefined) show(at - from, now - from)
      else if (stream.isTTY && reports % 10_000 === 0) stream.write(`\r${reports.toLocaleString('en')} reports\r`)
    },
    end: () => bar.end(),
  }
}

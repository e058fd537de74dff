// How far is an export? Events, rate and time that is left, on a terminal; nothing elsewhere.

import { Presets, SingleBar } from 'cli-progress'

export interface ExportProgress {
  show(done: number, seconds: number): void
  end(): void
}

export function exportProgress(total: number, stream: NodeJS.WriteStream = process.stderr): ExportProgress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined }
  const format = '[{bar}] {percentage}%  {value} of {total} events  {rate}/s  {left} left'
  const bar = new SingleBar({ stream, format, hideCursor: true, gracefulExit: false }, Presets.legacy)
  bar.start(total, 0, { rate: 0, left: '' })
  return {
    show: (done, seconds) => bar.update(done, progressTexts(done, total, seconds)),
    end: () => bar.stop(),
  }
}

/** `left`: the rest at the rate so far. */
export function progressTexts(done: number, total: number, seconds: number): { rate: string; left: string } {
  const rate = done / Math.max(seconds, 0.001)
  const left = Math.ceil(Math.max(0, total - done) / Math.max(rate, 0.001))
  const text = left < 90 ? `${left} s` : `${Math.ceil(left / 60)} min`
  return { rate: Math.round(rate).toLocaleString('en'), left: text }
}

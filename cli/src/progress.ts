// How far is a long command? Shows a progress bar on a terminal, and nothing elsewhere.

import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  /** `detail`: what stands behind the bar, such as the rate. */
  show(progress: { phase: string; done: number; total: number; detail?: string }): void
  end(): void
}

/** A bar for each phase, on stderr: stdout is for the result. */
export function progressBar(stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return { show: () => undefined, end: () => undefined }
  // The command itself handles Ctrl-C.
  const options = { stream, format: '{phase} [{bar}] {percentage}%{detail}', hideCursor: true, gracefulExit: false }
  let bar: SingleBar | undefined
  let phase: string | undefined
  return {
    show(progress) {
      if (progress.phase !== phase) {
        bar?.stop()
        phase = progress.phase
        bar = new SingleBar(options, Presets.legacy)
        bar.start(progress.total, progress.done, { phase: phase.padEnd(7), detail: '' })
      }
      bar?.update(progress.done, { detail: progress.detail === undefined ? '' : `  ${progress.detail}` })
    },
    end: () => bar?.stop(),
  }
}

// How are facts read without blocking the page? In workers that end when they are read.

import type { Report } from './read-facts.ts'
import type { WorkerMessage } from './worker.ts'

/** The bundled text of worker.ts; scripts/build-browser-sdk.ts inserts it. */
declare const workerSource: string

export interface OffThread {
  /**
   * True when the workers have reported every fact, or the page may not start one. False when they
   * have been silent for this many milliseconds.
   */
  stopped(silentMs: number): Promise<boolean>
  end(): void
}

/** Reads facts in new workers, side by side: one for each share. */
export function offThread(shares: readonly (readonly string[])[], report: Report): OffThread {
  let left = 0
  let heard = () => {}
  let url = ''
  const workers: Worker[] = []
  try {
    url = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
    for (const names of shares) if (names.length > 0) start(names)
  } catch {
    left = 0
  }

  function start(names: readonly string[]): void {
    const worker = new Worker(url)
    workers.push(worker)
    left += names.length
    worker.onerror = (event) => {
      event.preventDefault() // keeps it out of the page's error handlers
      left = 0
      heard()
    }
    worker.onmessage = ({ data: [name, value, absence] }: MessageEvent<WorkerMessage>) => {
      report(name, value, absence)
      left--
      heard()
    }
    worker.postMessage(names)
  }

  return {
    stopped: (silentMs) =>
      new Promise((resolve) => {
        let timer: ReturnType<typeof setTimeout>
        heard = () => {
          clearTimeout(timer)
          if (left <= 0) resolve(true)
          else timer = setTimeout(resolve, silentMs, false)
        }
        heard()
      }),
    end() {
      for (const worker of workers) worker.terminate()
      URL.revokeObjectURL(url)
    },
  }
}

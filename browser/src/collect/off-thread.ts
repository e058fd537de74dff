// How are facts read without blocking the page? In a worker that ends when they are read.

import type { Report } from './read-facts.ts'
import type { WorkerMessage } from './worker.ts'

/** The bundled text of worker.ts; scripts/build-browser-sdk.ts inserts it. */
declare const workerSource: string

export interface OffThread {
  /**
   * True when the worker has reported every fact, or the page may not start one. False when it has
   * been silent for this many milliseconds.
   */
  stopped(silentMs: number): Promise<boolean>
  end(): void
}

/** Reads facts in a new worker. */
export function offThread(names: readonly string[], report: Report): OffThread {
  let left = names.length
  let heard = () => {}
  let end = () => {}
  try {
    if (left > 0) start()
  } catch {
    left = 0
  }

  function start(): void {
    const url = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
    end = () => URL.revokeObjectURL(url)
    const worker = new Worker(url)
    end = () => {
      worker.terminate()
      URL.revokeObjectURL(url)
    }
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
    end: () => end(),
  }
}

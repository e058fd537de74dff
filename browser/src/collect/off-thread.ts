// How are facts read without blocking the page? In a worker that ends when they are read.

import { within } from './read-facts.ts'
import type { WorkerMessage } from './worker.ts'

/** The bundled text of worker.ts; scripts/build-browser-sdk.ts inserts it. */
declare const workerSource: string

export interface WorkerFacts {
  readonly facts: Readonly<Record<string, unknown>>
  /** Facts that the worker could not read. All of them where the page may not start a worker. */
  readonly missing: readonly string[]
}

/**
 * Reads facts in a new worker. A late fact is in neither list: it would be late in the page too.
 */
export async function offThread(names: readonly string[], limitMs: number): Promise<WorkerFacts> {
  const facts: Record<string, unknown> = {}
  const missing: string[] = []
  let close = () => {}
  const answered = new Promise<void>((resolve, reject) => {
    if (names.length === 0) return resolve()
    let left = names.length
    const url = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
    close = () => URL.revokeObjectURL(url)
    const worker = new Worker(url)
    close = () => {
      worker.terminate()
      URL.revokeObjectURL(url)
    }
    worker.onerror = (event) => {
      event.preventDefault() // keeps it out of the page's error handlers
      reject(event)
    }
    worker.onmessage = ({ data: [name, value] }: MessageEvent<WorkerMessage>) => {
      if (value === undefined) missing.push(name)
      else facts[name] = value
      if (--left === 0) resolve()
    }
    worker.postMessage(names)
  })
  try {
    await within(limitMs, answered)
    return { facts: { ...facts }, missing: [...missing] }
  } catch {
    return { facts, missing: names.filter((name) => !(name in facts)) }
  } finally {
    close()
  }
}

// What can be told without keeping the page busy? Facts from a worker that lives as long as the question.

import { within } from './read-facts.ts'
import type { WorkerMessage } from './worker.ts'

/** The text of worker.ts, put in by scripts/build-browser-sdk.ts. */
declare const workerSource: string

export interface ToldOffThread {
  readonly facts: Readonly<Record<string, unknown>>
  /** What the worker could not tell; all names where the page may have no worker (its policy, or an old browser). */
  readonly untold: readonly string[]
}

/** Asks a new worker for facts by name. What is late is neither told nor untold: it would be late beside the page as well. */
export async function offThread(names: readonly string[], limitMs: number): Promise<ToldOffThread> {
  const facts: Record<string, unknown> = {}
  const untold: string[] = []
  let close = () => {}
  const answered = new Promise<void>((resolve, reject) => {
    if (names.length === 0) return resolve()
    let left = names.length
    const address = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }))
    close = () => URL.revokeObjectURL(address)
    const worker = new Worker(address)
    close = () => {
      worker.terminate()
      URL.revokeObjectURL(address)
    }
    worker.onerror = (event) => {
      event.preventDefault() // not the page's failure
      reject(event)
    }
    worker.onmessage = ({ data: [name, value] }: MessageEvent<WorkerMessage>) => {
      if (value === undefined) untold.push(name)
      else facts[name] = value
      if (--left === 0) resolve()
    }
    worker.postMessage(names)
  })
  try {
    await within(limitMs, answered)
    return { facts: { ...facts }, untold: [...untold] }
  } catch {
    return { facts, untold: names.filter((name) => !(name in facts)) }
  } finally {
    close()
  }
}

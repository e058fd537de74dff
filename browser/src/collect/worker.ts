// What runs in the worker? It reads facts that need no page, and posts each as soon as it is ready.

import { workerFacts } from '../facts/index.ts'
import { type Readers, type Report, readFacts } from './read-facts.ts'

/** One fact, as `Report` gets it. */
export type WorkerMessage = Parameters<Report>

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<readonly string[]>) => void
  postMessage(message: WorkerMessage): void
}

/** Reads the facts that the page names. */
export const answerPage = () => {
  scope.onmessage = ({ data: names }) => {
    const wanted = Object.fromEntries(
      Object.entries<Readers[string]>(workerFacts).filter(([name]) => names.includes(name)),
    )
    readFacts(wanted, { deviceToken: undefined }, (...fact) => scope.postMessage(fact))
  }
}

// What runs in the worker? It reads facts that need no page, and posts each as soon as it is ready.

import { workerFacts } from '../facts/index.ts'
import { eachFact, type Readers } from './read-facts.ts'

/** One fact; without a value where the worker cannot read it. */
export type WorkerMessage = readonly [name: string, value?: unknown]

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<readonly string[]>) => void
  postMessage(message: WorkerMessage): void
}

scope.onmessage = ({ data: names }) => {
  const wanted = Object.fromEntries(
    Object.entries<Readers[string]>(workerFacts).filter(([name]) => names.includes(name)),
  )
  eachFact(wanted, { deviceToken: undefined }, (name, value) => scope.postMessage([name, value]))
}

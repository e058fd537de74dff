// What runs in the worker? The facts that need no page, each told as soon as it is read.

import { workerFacts } from '../facts/index.ts'
import { eachFact, type Readers } from './read-facts.ts'

/** What the worker says: a fact by name, without a value where there is none to tell. */
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

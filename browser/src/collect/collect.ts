// What does this browser tell of itself? Runs the facts: none can fail the collection, hold it up, or keep the page busy.

import { pageFacts, plainFacts, workerFacts } from '../facts/index.ts'
import type { WebFacts } from '../wire.ts'
import type { FactContext } from './fact.ts'
import { offThread } from './off-thread.ts'
import { type Readers, readFacts } from './read-facts.ts'

export interface Collection {
  readonly context: FactContext
  /** Of the app, of the page: a fact that any of them sets to `false` is not collected, and its code does not run. */
  readonly switches: readonly Readonly<Record<string, boolean>>[]
  /** A fact that is not there within this many milliseconds is left out. */
  readonly limitMs: number
}

/** What costs nothing to tell. */
export function collectPlainFacts({ context, switches, limitMs }: Collection): Promise<WebFacts> {
  return readFacts(switchedOn(plainFacts, switches), context, limitMs)
}

/** Everything; what needs no page is read in a worker, and beside the page only what a worker here cannot tell. */
export async function collectFacts({ context, switches, limitMs }: Collection): Promise<WebFacts> {
  const inWorker = offThread(Object.keys(switchedOn(workerFacts, switches)), limitMs)
  const ofPage = await readFacts(switchedOn(pageFacts, switches), context, limitMs)
  const { facts, untold } = await inWorker
  const left = Object.fromEntries(Object.entries(workerFacts).filter(([name]) => untold.includes(name)))
  return { ...ofPage, ...facts, ...(await readFacts(left, context, limitMs)) }
}

function switchedOn(readers: Readers, switches: Collection['switches']): Readers {
  return Object.fromEntries(
    Object.entries(readers).filter(([name]) => switches.every((wanted) => wanted[name] !== false)),
  )
}

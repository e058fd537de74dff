// Which facts does this browser report? No fact can fail, delay or block the collection.

import { pageFacts, plainFacts, workerFacts } from '../facts/index.ts'
import type { WebFacts } from '../wire.ts'
import type { FactContext } from './fact.ts'
import { offThread } from './off-thread.ts'
import { type Readers, readFacts } from './read-facts.ts'

export interface Collection {
  readonly context: FactContext
  /** Settings of the app and of the page. A fact that one of them sets to `false` is not read. */
  readonly switches: readonly Readonly<Record<string, boolean>>[]
  /** A fact that takes longer than this many milliseconds is left out. */
  readonly limitMs: number
}

/** Collects the facts that the browser answers at once. */
export function collectPlainFacts({ context, switches, limitMs }: Collection): Promise<WebFacts> {
  return readFacts(switchedOn(plainFacts, switches), context, limitMs)
}

/**
 * Collects every fact. Facts that need no page are read in a worker, or in the page where the
 * worker cannot read them.
 */
export async function collectFacts({ context, switches, limitMs }: Collection): Promise<WebFacts> {
  const inWorker = offThread(Object.keys(switchedOn(workerFacts, switches)), limitMs)
  const fromPage = await readFacts(switchedOn(pageFacts, switches), context, limitMs)
  const { facts, missing } = await inWorker
  const retried = Object.fromEntries(Object.entries(workerFacts).filter(([name]) => missing.includes(name)))
  return { ...fromPage, ...facts, ...(await readFacts(retried, context, limitMs)) }
}

function switchedOn(readers: Readers, switches: Collection['switches']): Readers {
  return Object.fromEntries(
    Object.entries(readers).filter(([name]) => switches.every((enabled) => enabled[name] !== false)),
  )
}

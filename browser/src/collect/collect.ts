// Which facts does this browser report? No fact can fail, delay or block the collection.

import { pageFacts, plainFacts, shares, workerFacts } from '../facts/index.ts'
import type { WebFacts } from '../wire.ts'
import type { FactContext } from './fact.ts'
import { offThread } from './off-thread.ts'
import { type Readers, readFacts } from './read-facts.ts'
import { type Collected, type Readings, readings } from './readings.ts'

/** The important facts of the contract; scripts/build-browser-sdk.ts inserts them. */
declare const importantFacts: readonly string[]

export interface Collection {
  readonly context: FactContext
  /** Settings of the app and of the page. A fact that one of them sets to `false` is not read. */
  readonly switches: readonly Readonly<Record<string, boolean>>[]
  /**
   * Milliseconds to wait for all facts. The important ones get two and a half times as long, which
   * leaves a slow page time to end within three times the limit.
   */
  readonly limitMs: number
}

/** Collects the facts that the browser answers at once. */
export async function collectPlainFacts({ context, switches, limitMs }: Collection): Promise<WebFacts> {
  const readers = switchedOn(plainFacts, switches)
  const names = Object.keys(readers)
  const read = readings<WebFacts>(names)
  readInPage(readers, context, read)
  await read.known(names, limitMs)
  return read.end().facts
}

/**
 * Collects every fact. Facts that need no page are read in workers. The page reads those that the
 * workers could not read, and all that are left when they fall silent. It does not help workers that
 * are merely slow: all would be slower.
 */
export async function collectFacts({ context, switches, limitMs }: Collection): Promise<Collected<WebFacts>> {
  const inPage = switchedOn(pageFacts, switches)
  const inWorker = switchedOn(workerFacts, switches)
  const names = Object.keys({ ...inPage, ...inWorker })
  const read = readings<WebFacts>(names)
  const workers = offThread(
    shares.map((names) => names.filter((name) => name in inWorker)),
    read.add,
  )
  readInPage(inPage, context, read)
  const important = names.filter((name) => importantFacts.includes(name))
  workers.stopped(limitMs).then(async (hasEnded) => {
    await readFacts(inWorker, context, read.add, read.isOpen)
    read.close(hasEnded ? Object.keys(inWorker) : important.filter((name) => name in inWorker))
  })
  await read.known(names, limitMs)
  await read.known(important, limitMs * 1.5)
  workers.end()
  return read.end()
}

function readInPage(readers: Readers, context: FactContext, read: Readings<WebFacts>): void {
  readFacts(
    readers,
    context,
    (...fact) => {
      read.add(...fact)
      read.close([fact[0]])
    },
    read.isOpen,
  )
}

function switchedOn(readers: Readers, switches: Collection['switches']): Readers {
  return Object.fromEntries(
    Object.entries(readers).filter(([name]) => switches.every((enabled) => enabled[name] !== false)),
  )
}

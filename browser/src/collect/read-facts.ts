// How are facts read, in a page and in a worker alike? One after the other, with room for others between them.

import type { FactContext } from './fact.ts'
import { turns } from './turns.ts'

/** Functions of facts by name; the types of the facts are those of facts/index.ts. */
export type Readers = Readonly<Record<string, (context: FactContext) => unknown>>

/** The facts by name; those that fail, tell nothing, or are not there after `limitMs` are left out. */
export async function readFacts(readers: Readers, context: FactContext, limitMs: number) {
  const facts: Record<string, unknown> = {}
  await within(
    limitMs,
    eachFact(readers, context, (name, value) => {
      if (value !== undefined) facts[name] = value
    }),
  )
  return { ...facts } // what comes later stays out
}

/** Reads each fact and reports it when it is there; `undefined` where it tells nothing. Ends when all are reported. */
export async function eachFact(
  readers: Readers,
  context: FactContext,
  report: (name: string, value: unknown) => void,
): Promise<void> {
  const pending: Promise<void>[] = []
  const turn = turns()
  for (const [name, read] of Object.entries(readers)) {
    await turn()
    const fact = (async () => read(context))()
    pending.push(
      fact.then(
        (value) => report(name, value),
        () => report(name, undefined),
      ),
    )
  }
  await Promise.all(pending)
}

/** Waits for work, but no longer than `limitMs`. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

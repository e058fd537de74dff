// How are facts read, in a page or a worker? One after the other, with pauses for other work.

import type { FactContext } from './fact.ts'
import { turns } from './turns.ts'

/** Fact readers by name; facts/index.ts has their types. */
export type Readers = Readonly<Record<string, (context: FactContext) => unknown>>

/**
 * Returns the facts by name, without those that fail, are not supported, or take longer than
 * `limitMs`.
 */
export async function readFacts(readers: Readers, context: FactContext, limitMs: number) {
  const facts: Record<string, unknown> = {}
  await within(
    limitMs,
    eachFact(readers, context, (name, value) => {
      if (value !== undefined) facts[name] = value
    }),
  )
  return { ...facts } // a copy, so that late facts stay out
}

/**
 * Reads each fact and reports it as soon as it is ready, with `undefined` where there is none. Ends
 * after the last report.
 */
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

/** Waits for the work, at most `limitMs`. */
export async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, late])
  clearTimeout(timer)
}

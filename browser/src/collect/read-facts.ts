// How are facts read, in a page or a worker? One after the other, with pauses for other work.

import type { FactContext } from './fact.ts'
import { turns } from './turns.ts'

/** Fact readers by name; facts/index.ts has their types. */
export type Readers = Readonly<Record<string, (context: FactContext) => unknown>>

/** Why a fact has no value. `refused`: reading it failed. `unavailable`: the browser does not have it. */
export type Absence = 'refused' | 'unavailable'

/** Gets each fact as soon as it is ready: its value, or why there is none. */
export type Report = (name: string, value: unknown, absence?: Absence) => void

/** Reads each fact for which `isWanted` still holds at its turn. Ends after the last report. */
export async function readFacts(
  readers: Readers,
  context: FactContext,
  report: Report,
  isWanted: (name: string) => boolean = () => true,
): Promise<void> {
  const pending: Promise<void>[] = []
  const turn = turns()
  for (const [name, read] of Object.entries(readers)) {
    await turn()
    if (!isWanted(name)) continue
    const fact = (async () => read(context))()
    pending.push(
      fact.then(
        (value) => report(name, value, value === undefined ? 'unavailable' : undefined),
        () => report(name, undefined, 'refused'),
      ),
    )
  }
  await Promise.all(pending)
}

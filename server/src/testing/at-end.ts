// What happens at the end of a test, once? node:test keeps each function that `after` is given until the process ends, and with it the
// whole service that the function closes: 6 MB a test, 4 GB in a run.

import type { TestContext } from 'node:test'

/** A test, or anything else that cleans up at its end. */
export type Ending = Pick<TestContext, 'after'>

/** Runs `work` when the test has ended, and lets go of it. */
export function atEnd(t: Ending, work: () => unknown): void {
  const works = [work]
  t.after(async () => {
    await works.pop()?.()
  })
}

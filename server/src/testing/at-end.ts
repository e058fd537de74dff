// What happens at the end of a test, and in which order? What was made last ends first: a folder is removed when nobody writes in it.
//
// node:test alone runs what `after` is given in the order of its registration, ends with the first failure, and keeps each function until
// the process ends, with the whole service that it closes: 6 MB a test, 4 GB in a run.

import type { TestContext } from 'node:test'

/** A test, or anything else that cleans up at its end. */
export type Ending = Pick<TestContext, 'after'>

type Work = () => unknown

/** Runs `work` when the test has ended, before everything that was given for this test earlier, and lets go of it. */
export function atEnd(t: Ending, work: Work): void {
  const works = worksOf.get(t)
  if (works) {
    works.push(work)
    return
  }
  const first = [work]
  worksOf.set(t, first)
  t.after(() => runAll(first))
}

const worksOf = new WeakMap<Ending, Work[]>()

/** Also those after one that fails. */
async function runAll(works: Work[]): Promise<void> {
  const failures: unknown[] = []
  for (let work = works.pop(); work; work = works.pop()) {
    try {
      await work()
    } catch (failure) {
      failures.push(failure)
    }
  }
  if (failures.length > 1) throw new AggregateError(failures, 'a test does not end well')
  if (failures.length > 0) throw failures[0]
}

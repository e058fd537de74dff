// Which tests passed, failed and were skipped? A reporter for node:test that writes it as JSON; a skip without a reason has failed.

import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

export interface Outcome {
  readonly passed: number
  /** Name and file of each. */
  readonly failed: readonly string[]
  /** Name, file and reason of each. */
  readonly skipped: readonly string[]
}

export default async function* testOutcome(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let passed = 0
  const failed: string[] = []
  const skipped: string[] = []
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const name = data.file === undefined ? data.name : `${data.name} (${relative('.', data.file)})`
    const isSuite = data.details.type === 'suite'
    if (type === 'test:fail' && isSuite && isBySubtests(data.details.error)) continue
    if (type === 'test:fail') failed.push(name)
    else if (data.skip === undefined || data.skip === false) passed += isSuite ? 0 : 1
    else if (typeof data.skip === 'string' && data.skip !== '') skipped.push(`${name}: ${data.skip}`)
    else failed.push(`${name}: skipped without a reason`)
  }
  yield JSON.stringify({ passed, failed, skipped } satisfies Outcome)
}

const isBySubtests = (error: unknown): boolean =>
  error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed'

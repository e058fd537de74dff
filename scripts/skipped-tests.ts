// Which tests were skipped, and why? A reporter for node:test that lists them at the end; a skip without a reason fails the run.

import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

export default async function* skippedTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const lines: string[] = []
  for await (const { type, data } of events) {
    if (type !== 'test:pass' || data.skip === undefined || data.skip === false) continue
    const hasReason = typeof data.skip === 'string' && data.skip !== ''
    if (!hasReason) process.exitCode = 1
    const file = data.file === undefined ? '' : ` (${relative('.', data.file)})`
    lines.push(`  ${data.name}${file}: ${hasReason ? data.skip : 'no reason is given, so this run fails'}`)
  }
  if (lines.length === 0) return
  yield `\nSkipped on this machine, ${lines.length} ${lines.length === 1 ? 'test' : 'tests'}:\n${lines.join('\n')}\n`
}

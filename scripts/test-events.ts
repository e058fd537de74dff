// Which test runs, and how did it end? A reporter for node:test that tells scripts/test.ts, a JSON line each on file descriptor 3.

import { writeSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/** What became of one test, or that a file begins. A skip has its reason; without one it has failed. */
export interface TestResult {
  readonly file: string
  readonly name: string
  readonly result: 'begins' | 'passed' | 'failed' | 'skipped'
  readonly detail?: string
}

const longestDetail = 4000
const fileTagStart = 'file:'

/** The tag of tests that a helper registers: node:test takes the helper for their file. node:test writes tags in lower case. */
export const fileTag = (file: string): string => `${fileTagStart}${file}`

// Written at once and not yielded: what a test prints goes to the output too, and a process that is killed has told all so far.
// biome-ignore lint/correctness/useYield: a reporter must be a generator.
export default async function* testEvents(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type === 'test:dequeue' && data.nesting === 0 && data.file !== undefined)
      tell({ file: fileOf(data), name: data.name, result: 'begins' })
    if (type === 'test:pass' || type === 'test:fail') tellResult(type, data)
  }
}

function tellResult(
  type: 'test:pass' | 'test:fail',
  data: Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'],
): void {
  const { name, skip } = data
  const file = fileOf(data)
  const error = 'error' in data.details ? data.details.error : undefined
  if (isBySubtests(error) || (type === 'test:pass' && data.details.type === 'suite')) return
  if (type === 'test:fail') tell({ file, name, result: 'failed', detail: textOf(error) })
  else if (skip === undefined || skip === false) tell({ file, name, result: 'passed' })
  else if (typeof skip === 'string' && skip !== '') tell({ file, name, result: 'skipped', detail: skip })
  else tell({ file, name, result: 'failed', detail: 'skipped without a reason' })
}

const tell = (result: TestResult): void => void writeSync(3, `${JSON.stringify(result)}\n`)

/** A test of a command changes the folder of its process. */
const root = join(import.meta.dirname, '..')

const fileOf = ({ file, tags }: { file?: string | undefined; tags: readonly string[] }): string =>
  tags.find((tag) => tag.startsWith(fileTagStart))?.slice(fileTagStart.length) ?? relative(root, file ?? '')

function textOf(error: unknown): string {
  const whole = inspect(error instanceof Error && error.cause instanceof Error ? error.cause : error)
  const text = whole.replaceAll(/\n +at .*\(?node:internal\/.*/g, '')
  return text.length > longestDetail ? `${text.slice(0, longestDetail)} …` : text
}

const isBySubtests = (error: unknown): boolean =>
  error instanceof Error && 'failureType' in error && error.failureType === 'subtestsFailed'

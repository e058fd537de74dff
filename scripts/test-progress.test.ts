import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestResult } from './test-events.ts'
import { testProgress } from './test-progress.ts'

function followed(count: number) {
  const printed: string[] = []
  let time = 0
  const progress = testProgress(
    count,
    (line: string) => void printed.push(line),
    () => time,
  )
  const pass = (milliseconds: number) => {
    time += milliseconds
  }
  return { printed, progress, pass }
}

const result = (file: string, outcome: TestResult['result'], detail?: string): TestResult => ({
  file,
  name: `a test of ${file}`,
  result: outcome,
  ...(detail !== undefined && { detail }),
})

test('has a line for each file that ended, and the time that is left', () => {
  const { printed, progress, pass } = followed(3)
  const process = progress.process(['a', 'b', 'c'])
  process.took(result('a', 'begins'))
  pass(60_000)
  process.took(result('a', 'passed'))
  process.took(result('b', 'begins'))
  process.took(result('b', 'skipped', 'no browser'))
  process.took(result('c', 'passed'))
  process.ended(0)
  assert.deepEqual(printed, [
    '✔ 1/3 a: 1 passed, 60.0 s; about 2 min left',
    '✔ 2/3 b: 0 passed, 1 skipped, 0.0 s; about 1 min left',
    '✔ 3/3 c: 1 passed, 0.0 s; about 0 min left',
  ])
  assert.equal(progress.end(), true)
  assert.match(printed.at(-1)!, /2 passed, 0 failed, 1 skipped in 1\.0 min/)
})

test('says a failure where it happens and again at the end, with its reason', () => {
  const { printed, progress } = followed(1)
  const process = progress.process(['a'])
  process.took(result('a', 'failed', 'expected 1\nwas 2'))
  process.took(result('a', 'passed'))
  process.ended(1)
  assert.equal(printed[0], '✖ a test of a (a)\n    expected 1\n    was 2')
  assert.equal(progress.end(), false)
  assert.ok(printed.includes('\nFailed:\n  a test of a (a)\n    expected 1\n    was 2'))
})

test('a process that ends before its tests have ended is a failure, also after one of its tests failed', () => {
  for (const [status, before] of [
    [7, 'passed'],
    ['SIGKILL', 'failed'],
    [1, 'passed'],
  ] as const) {
    const { printed, progress } = followed(2)
    const process = progress.process(['a', 'b'])
    process.took(result('a', before))
    process.ended(status)
    assert.equal(progress.end(), false)
    assert.ok(
      printed.some((line) => line.includes(`a: its process ended with ${status}; 1 of its files did not run`)),
      printed.join('\n'),
    )
  }
})

test('is no success when nothing passed', () => {
  const { progress } = followed(1)
  progress.process(['a']).ended(0)
  assert.equal(progress.end(), false)
})

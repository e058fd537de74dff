import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { recorded } from '../testdata/recordings.ts'
import { judgeAll, signals } from './index.ts'

const folder = new URL('.', import.meta.url)

test('every signal is a file of its own with its test beside it, and is in the list', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const defining = files.filter((file) =>
    /^export const \w+: Signal</m.test(readFileSync(new URL(file, folder), 'utf8')),
  )
  assert.equal(defining.length, Object.keys(signals).length)
  for (const file of defining) {
    const name = /^export const (\w+): Signal</m.exec(readFileSync(new URL(file, folder), 'utf8'))?.[1]
    assert.ok(name && name in signals, `${file} is not in index.ts`)
    assert.ok(existsSync(new URL(file.replace('.ts', '.test.ts'), folder)), `${file} has no test`)
  }
})

test('a detector whose evidence is missing is absent, never a constant', () => {
  const nothing = { platform: 'WEB', facts: {}, malformedFacts: [], headers: {}, network: undefined, now: 0 } as const
  assert.deepEqual(judgeAll(nothing), { verdicts: {}, reasons: {}, versions: {} })
})

test('a signal of browsers is not asked of a phone', () => {
  const { verdicts } = judgeAll({ ...recorded('playwright-headless'), platform: 'IOS' })
  assert.deepEqual(verdicts, {})
})

test('the reasons and versions of what answered stand beside the verdicts', () => {
  const { verdicts, reasons, versions } = judgeAll(recorded('chromium-elsewhere'))
  const { suspectScore, ...detectors } = verdicts
  assert.deepEqual(suspectScore, { result: 3 })
  assert.deepEqual(Object.keys(reasons), Object.keys(detectors))
  assert.deepEqual(Object.keys(versions), Object.keys(detectors))
})

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { promises } from './index.ts'
import { runPromise } from './promise.ts'

// Three at a time: most of their time goes into waiting for processes, time-outs and disks.
describe('what Ringfence promises, in short runs', { concurrency: 3 }, () => {
  for (const program of promises) {
    test(`${program.name}: ${program.promise}`, async (t) => {
      if (program.skippedInTests !== undefined) return t.skip(program.skippedInTests)
      const { broken, skipped } = await runPromise(program)
      assert.deepEqual(broken, [])
      // The part that this machine cannot run counts as a skipped test.
      if (skipped !== undefined) await t.test('what this machine lacks', (part) => part.skip(skipped))
    })
  }
})

test('each file of this folder is a promise of the list, and each promise is a file of its name', () => {
  const machinery = ['index.ts', 'main.ts', 'promise.ts', 'promises.test.ts']
  const files = readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !machinery.includes(entry.name))
    .map(({ name }) => name)
  assert.deepEqual(files.toSorted(), promises.map(({ name }) => `${name}.ts`).toSorted())
})

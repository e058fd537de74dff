import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { describe, test } from 'node:test'
import { promises } from './index.ts'
import { runPromise } from './promise.ts'

// Some at a time: most of their time is spent waiting for processes, time-outs and disks.
describe('what Ringfence promises, in short runs', { concurrency: 3 }, () => {
  for (const program of promises) {
    test(`${program.name}: ${program.promise}`, async (t) => {
      const { broken, skipped } = await runPromise(program)
      if (skipped !== undefined) t.diagnostic(skipped)
      assert.deepEqual(broken, [])
    })
  }
})

test('every promise is in the list: npm run promises -- NAME finds it', () => {
  const files = readdirSync(new URL('.', import.meta.url)).map((file) => file.replace(/\.ts$/, ''))
  for (const { name } of promises) assert.ok(files.includes(name), `${name} is not the name of its file`)
  assert.equal(new Set(promises.map(({ name }) => name)).size, promises.length)
})

// How long does a file of the origin take, which shows a private window? With files in place of those of a browser.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fileSystem } from './storage.ts'

/** The fact where each call on the file takes `microsAt(ms)`, by a clock that only these calls and pauses move. */
async function factWhere(t: TestContext, microsAt: (ms: number) => number) {
  let now = 0
  const getSize = () => {
    now += microsAt(now) / 1000
    return 0
  }
  t.mock.method(performance, 'now', () => now)
  t.mock.method(globalThis, 'setTimeout', ((work: () => void, ms: number) => {
    now += ms
    queueMicrotask(work)
  }) as never)
  const handle = { createSyncAccessHandle: async () => ({ getSize, close: () => undefined }) }
  const folder = { getFileHandle: async () => handle, removeEntry: async () => undefined }
  Object.defineProperty(navigator, 'storage', { configurable: true, value: { getDirectory: async () => folder } })
  t.after(() => Reflect.deleteProperty(navigator, 'storage'))
  return (await fileSystem())?.callMicros
}

test('a file that is answered by another process takes long each time', async (t) => {
  assert.equal(await factWhere(t, () => 113), 113)
})

test('a machine that stands still for 5 ms has no private window', async (t) => {
  assert.equal(await factWhere(t, (ms) => (ms < 5 ? 113 : 3)), 3)
})

test('one slow round of four counts for nothing, and no time is lost', async (t) => {
  assert.equal(await factWhere(t, (ms) => (ms < 0.5 ? 113 : 3)), 3)
})

// How long does a file of the origin take, which shows a private window? With files in place of those of a browser.

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { fileSystem } from './storage.ts'

/** The fact where each call on the file takes `micros()`. */
async function factWhere(t: TestContext, micros: () => number) {
  const getSize = () => {
    const end = performance.now() + micros() / 1000
    while (performance.now() < end);
    return 0
  }
  const handle = { createSyncAccessHandle: async () => ({ getSize, close: () => undefined }) }
  const folder = { getFileHandle: async () => handle, removeEntry: async () => undefined }
  Object.defineProperty(navigator, 'storage', { configurable: true, value: { getDirectory: async () => folder } })
  t.after(() => Reflect.deleteProperty(navigator, 'storage'))
  return (await fileSystem())?.callMicros ?? Number.NaN
}

test('a file that is answered by another process takes long each time', async (t) => {
  const micros = await factWhere(t, () => 100)
  assert.ok(micros >= 100, String(micros))
})

test('a machine that stands still for 5 ms has no private window', async (t) => {
  const start = performance.now()
  const micros = await factWhere(t, () => (performance.now() < start + 5 ? 100 : 1))
  assert.ok(micros < 25, String(micros))
})

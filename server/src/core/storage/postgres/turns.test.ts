// Does a batch that had its turn leave anything behind while others still wait?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Turns } from './turns.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const take = <T>(turns: Turns, work: () => Promise<T>) => turns.take([1n], performance.now() + 600_000, work)

/** Two batches of a flood, one of which fails: what they leave. */
function finished(turns: Turns): { settled: Promise<unknown>; left: readonly WeakRef<object>[] } {
  const [rows, failure] = [[{}], new Error('a required statement returned no row')]
  const batches = [take(turns, async () => rows), take(turns, () => Promise.reject(failure))]
  return { settled: Promise.allSettled(batches).then(() => undefined), left: [new WeakRef(rows), new WeakRef(failure)] }
}

test('what batches returned, and why they failed, is forgotten while others still wait', async () => {
  const turns = new Turns()
  const { settled, left } = finished(turns)
  const { promise, resolve } = Promise.withResolvers<void>()
  const last = take(turns, () => promise)
  await settled
  await new Promise(setImmediate)
  collectGarbage()
  assert.deepEqual(
    left.map((each) => each.deref()),
    [undefined, undefined],
  )
  resolve()
  await last
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whileRead } from './lines.ts'

test('an answer of lines is ended when its reader stops, and not while it reads or waits for the next text', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let stops = 0
  async function* texts() {
    yield 'first\n'
    t.mock.timers.tick(5000) // a slow store is not a slow reader
    yield 'second\n'
    yield 'third\n'
  }
  const reading = whileRead(texts(), () => stops++, 1000)
  await reading.next()
  t.mock.timers.tick(999)
  await reading.next()
  assert.equal(stops, 0)
  t.mock.timers.tick(1000)
  assert.equal(stops, 1)
  await reading.return(undefined)
  t.mock.timers.tick(5000)
  assert.equal(stops, 1)
})

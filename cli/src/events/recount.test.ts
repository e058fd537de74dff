import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLine } from '../testing.ts'

test('counts the event log of a tenant again', async (t) => {
  const { run } = await commandLine(t)
  await run(['init', '--tenant', 'shop'])
  const { code, stdout } = await run(['events', 'recount', '--json'])
  assert.equal(code, 0)
  assert.deepEqual(JSON.parse(stdout), { recounted: true })
  const unknown = await run(['events', 'recount', '--tenant', 'nobody'])
  assert.notEqual(unknown.code, 0)
  assert.match(unknown.stderr, /nobody/)
})

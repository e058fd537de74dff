import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFailed, commandLine } from './testing.ts'

test('lists and rotates keys, also at once, and shows nothing private', async (t) => {
  const { run } = await commandLine(t)
  assertFailed(await run(['keys', 'list']), /ringfence-data has no data/)
  await run(['init', '--tenant', 'shop'])
  assert.match((await run(['keys', 'list'])).stdout, /There are no keys yet/)
  assert.match((await run(['keys', 'rotate'])).stdout, /is the first key, so it signs from now on\./)
  assert.match((await run(['keys', 'list'])).stdout, /in use/)
  const first = JSON.parse((await run(['keys', 'rotate', '--at-once', '--json'])).stdout)
  const next = await run(['keys', 'rotate'])
  assert.match(next.stdout, /published now and signs from tomorrow\./)
  const [listed, readable] = [await run(['keys', 'list', '--json']), await run(['keys', 'list'])]
  const keys = JSON.parse(listed.stdout)
  assert.deepEqual([keys[0].keyId, keys[0].use, keys[1].use], [first.keyId, 'in use', 'next'])
  assert.deepEqual(Object.keys(keys[0]), ['keyId', 'algorithm', 'use', 'startsAt'])
  assert.match(readable.stdout, /^KEY ID +ALGORITHM +SIGNS FROM +USE\n/)
  assert.match((await run(['keys', 'rotate', '--at-once'])).stdout, /signs from now on/)
  assert.equal(JSON.parse((await run(['keys', 'list', '--json'])).stdout).length, 1)
})

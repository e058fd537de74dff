import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientFiles } from './generate-client-types.ts'

test('writes the same text for the same contract', async () => {
  assert.deepEqual(await clientFiles(), await clientFiles())
})

test('turns descriptions into doc comments, and a check into a union that success discriminates', async () => {
  const { 'node/src/types.ts': text } = await clientFiles()
  assert.match(text!, /\* true: a SIM swap occurred within the window; false: none was found within it\n/)
  assert.match(text!, /export type SimSwapResult =\n {2}\| \{\n {6}success: true\n[^|]*\| \{\n {6}success: false/)
})

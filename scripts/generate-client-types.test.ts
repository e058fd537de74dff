import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { clientFiles, staleClientFiles } from './generate-client-types.ts'

test('keeps the types of the Node client equal to the contract', async () => {
  assert.deepEqual(await staleClientFiles(), [], 'stale: run node scripts/generate-client-types.ts')
})

test('writes the same text for the same contract', async () => {
  assert.deepEqual(await clientFiles(), await clientFiles())
})

test('turns descriptions into doc comments, and a check into a union that success discriminates', async () => {
  const { 'node/src/types.ts': text } = await clientFiles()
  assert.match(text!, /\* true: a SIM swap occurred within the window; false: none was found within it\n/)
  assert.match(text!, /export type SimSwapResult =\n {2}\| \{\n {6}success: true\n[^|]*\| \{\n {6}success: false/)
})

test('reports a changed or missing file as stale, by its path', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-stale-'))
  try {
    const files = await clientFiles()
    const paths = Object.keys(files)
    await mkdir(join(folder, 'node/src'), { recursive: true })
    await writeFile(join(folder, paths[0]!), files[paths[0]!]!.replace('swapped: boolean', 'swapped: string'))
    assert.deepEqual(await staleClientFiles(pathToFileURL(`${folder}/`)), paths)
    await writeFile(join(folder, paths[0]!), files[paths[0]!]!)
    assert.deepEqual(await staleClientFiles(pathToFileURL(`${folder}/`)), paths.slice(1))
  } finally {
    await rm(folder, { recursive: true })
  }
})

// Does the code of the README compile in an app that has this package?

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** What the page leaves to the app. */
const ofApp = 'declare const otp: string\n'

test('TypeScript accepts each block of code in the README', async (t) => {
  const page = await readFile(join(root, 'react-native/README.md'), 'utf8')
  const blocks = [...page.matchAll(/^```tsx?\n(.*?)^```/gms)].map(([, code = '']) => code)
  assert.ok(blocks.length > 0)
  await mkdir(join(root, '.build'), { recursive: true })
  const folder = await mkdtemp(join(root, '.build/readme-'))
  t.after(() => rm(folder, { recursive: true }))
  const names = blocks.map((_, index) => `block${index}.ts`)
  for (const [index, name] of names.entries()) await writeFile(join(folder, name), ofApp + blocks[index])
  const compilerOptions = {
    target: 'esnext',
    module: 'preserve',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
    paths: { '@ringfence/react-native': [join(root, 'react-native/src/index.ts')] },
  }
  const files = [...names, join(root, 'react-native/react-native.d.ts')]
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  assert.deepEqual([stdout, status], ['', 0])
})

// What does the packed Node client contain? Builds node/src into node/dist: one CommonJS bundle, an ESM wrapper, and
// declarations for both. Run by npm ci (the root's prepare script) and by npm pack.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import * as client from '../node/src/index.ts'
import { declarationsOf } from './declarations.ts'

const nodeFolder = fileURLToPath(new URL('../node/', import.meta.url))

/** Fills `folder`, created if missing, with the built client and nothing else; needs no network. */
export async function buildNodeClient(folder: string = join(nodeFolder, 'dist')): Promise<void> {
  const files: Record<string, string> = {
    'index.cjs': await bundle(),
    // One copy of the classes for both module systems, so that `instanceof RingfenceError` works in a program that uses both.
    'index.js': `export { ${Object.keys(client).join(', ')} } from './index.cjs'\n`,
    ...(await declarations()),
  }
  await mkdir(folder, { recursive: true })
  const left = (await readdir(folder)).filter((name) => !(name in files))
  for (const name of left) await rm(join(folder, name), { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(nodeFolder, 'src/index.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    write: false,
    logLevel: 'warning',
  })
  return outputFiles[0]!.text
}

const declarations = () =>
  declarationsOf(join(nodeFolder, 'tsconfig.build.json'), async (emitted) => {
    const files: Record<string, string> = {}
    await addDeclarations('index', emitted, files)
    return files
  })

/** Adds a module and everything it refers to, as .d.ts for ESM and .d.cts for CommonJS; each kind refers to its own kind. */
async function addDeclarations(name: string, emitted: string, files: Record<string, string>): Promise<void> {
  if (`${name}.d.ts` in files) return
  const text = await readFile(join(emitted, `${name}.d.ts`), 'utf8')
  const specifier = /(?<=from '\.\/)([\w-]+)\.ts(?=')/g
  files[`${name}.d.ts`] = text.replace(specifier, '$1.js')
  files[`${name}.d.cts`] = text.replace(specifier, '$1.cjs')
  for (const [, other] of text.matchAll(specifier)) await addDeclarations(other!, emitted, files)
}

if (import.meta.main) await buildNodeClient()

// What does a packed package for Node contain? One CommonJS bundle, an ESM wrapper, and declarations for both.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { fillFolder } from '../built-files.ts'
import { declarationsOf } from '../declarations.ts'

export interface NodePackage {
  /** Folder of the workspace, with src/index.ts and tsconfig.build.json. */
  readonly workspace: 'node' | 'testing'
  /** What src/index.ts exports. */
  readonly exported: object
  /** Where the compiler puts the declarations of src/, which follows from rootDir. */
  readonly emittedTo: string
}

/** Fills `folder`, created if missing, with the built package and nothing else; needs no network. */
export async function buildNodePackage(
  { workspace, exported, emittedTo }: NodePackage,
  folder: string | undefined,
): Promise<void> {
  const home = fileURLToPath(new URL(`../../${workspace}/`, import.meta.url))
  const files: Record<string, string> = {
    'index.cjs': await bundle(join(home, 'src/index.ts')),
    // One copy of the classes for both module systems, so that `instanceof` works in a program that uses both.
    'index.js': `export { ${Object.keys(exported).join(', ')} } from './index.cjs'\n`,
    ...(await declarationsOf(join(home, 'tsconfig.build.json'), async (emitted) => {
      const declarations: Record<string, string> = {}
      await addDeclarations('index', join(emitted, emittedTo), declarations)
      return declarations
    })),
  }
  fillFolder(folder ?? join(home, 'dist'), files)
}

async function bundle(entryPoint: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entryPoint],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    define: { 'import.meta.dirname': '__dirname' },
    write: false,
    logLevel: 'warning',
  })
  return outputFiles[0]!.text
}

/** Adds a module and everything it refers to, as .d.ts for ESM and .d.cts for CommonJS; each kind refers to its own kind. */
async function addDeclarations(name: string, emitted: string, files: Record<string, string>): Promise<void> {
  if (`${name}.d.ts` in files) return
  const text = await readFile(join(emitted, `${name}.d.ts`), 'utf8')
  const specifier = /(?<=from '\.\/)([\w-]+)\.ts(?=')/g
  files[`${name}.d.ts`] = text.replace(specifier, '$1.js')
  files[`${name}.d.cts`] = text.replace(specifier, '$1.cjs')
  for (const [, other] of text.matchAll(specifier)) await addDeclarations(other!, emitted, files)
}

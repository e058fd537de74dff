// What do pages load? Builds browser/src into browser/dist: the package's modules with declarations, and the script for a tag.
// Run by npm ci (the root's prepare script) and by npm pack.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { importantFacts } from '@ringfence/contract'
import { type BuildOptions, build } from 'esbuild'
import { minify } from 'vite'
import browserPackage from '../browser/package.json' with { type: 'json' }
import { fillFolder } from './built-files.ts'
import { declarationsOf } from './declarations.ts'

const browserFolder = fileURLToPath(new URL('../browser/', import.meta.url))
const source = (file: string) => join(browserFolder, 'src', file)

/** Size limit of the script, gzipped, with everything in it. */
export const largestGzipBytes = 15 * 1024

/** The contents of /sdk/browser.json, and what the server serves by it. */
export interface BrowserScript {
  version: string
  /** The name contains the hash: a file of this name never changes. */
  file: string
  /** For the `integrity` of a script tag (Subresource Integrity, W3C). */
  integrity: string
  bytes: number
  gzipBytes: number
}

/** Fills `folder`, created if missing, with the built SDK and nothing else; needs no network. */
export async function buildBrowserSdk(folder: string = join(browserFolder, 'dist')): Promise<BrowserScript> {
  const text = await scriptOf('script-tag.ts')
  const script = describeScript(text)
  const files: Record<string, string> = {
    ...(await modules()),
    ...(await declarations()),
    'browser.js': text,
    'headless.js': await scriptOf('adapters/headless-script.ts'),
    'browser.json': `${JSON.stringify(script)}\n`,
  }
  fillFolder(folder, files)
  return script
}

function describeScript(text: string): BrowserScript {
  const { version } = browserPackage
  const digest = createHash('sha384').update(text).digest()
  return {
    version,
    file: `browser-${version}-${digest.toString('hex').slice(0, 16)}.js`,
    integrity: `sha384-${digest.toString('base64')}`,
    bytes: Buffer.byteLength(text),
    gzipBytes: gzipSync(text, { level: 9 }).length,
  }
}

const shared = {
  bundle: true,
  write: false,
  platform: 'browser',
  target: ['chrome90', 'firefox91', 'safari15.4'],
  // Chrome 90 has it; only with a spread of arguments, which we do not use, it fails there.
  supported: { 'optional-chain': true },
  logLevel: 'warning',
} satisfies BuildOptions

/** Bundles an entry into one minified script for browsers. Plug-ins apply to the SDK's worker too. */
export const bundleForBrowsers = async (options: BuildOptions): Promise<string> =>
  minified(await bundled(options), options.format === 'esm')

async function bundled(options: BuildOptions): Promise<string> {
  const given = { ...(await constants(options.plugins)), ...options }
  const { outputFiles } = await build({ ...shared, minify: true, ...given, write: false })
  return outputFiles[0]!.text
}

/** Takes another 2 % off what esbuild leaves. */
async function minified(text: string, module: boolean): Promise<string> {
  const { code, errors } = await minify('browser.js', text, { module, compress: { target: 'es2021' } })
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'))
  return code
}

/** A script for a tag. Its worker runs the text of the script itself: a copy of the facts would be a third of its size. */
async function scriptOf(entry: string): Promise<string> {
  const define = { ...sdkConstants, workerSource: 'ringfenceSource' }
  const text = await bundled({ entryPoints: [source(entry)], format: 'esm', define })
  return minified(`(function f(){"use strict";const ringfenceSource="("+f+")()";${text}})()`, false)
}

const sdkConstants = {
  sdkVersion: JSON.stringify(browserPackage.version),
  importantFacts: JSON.stringify(importantFacts),
}

/** The entries of the package, readable, with their shared code in a separate file. */
async function modules(): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    ...shared,
    ...(await constants()),
    entryPoints: [source('index.ts'), source('react.ts')],
    format: 'esm',
    splitting: true,
    external: ['react'],
    outdir: '.',
  })
  return Object.fromEntries(outputFiles.map(({ path, text }) => [basename(path), text]))
}

/** Values that the sources leave open: the version, the important facts, and the worker that reads facts, as text. */
async function constants(plugins: BuildOptions['plugins'] = []): Promise<Pick<BuildOptions, 'define'>> {
  const entryPoints = [source('collect/worker-script.ts')]
  const worker = await build({ ...shared, plugins, minify: true, entryPoints, format: 'iife' })
  return {
    define: { ...sdkConstants, workerSource: JSON.stringify(worker.outputFiles[0]!.text) },
  }
}

const declarations = () =>
  declarationsOf(join(browserFolder, 'tsconfig.build.json'), async (emitted) => {
    const files: Record<string, string> = {}
    for (const name of ['index', 'react']) await addDeclarations(name, emitted, files)
    return files
  })

/** Adds the declarations of a module and of everything it refers to. */
async function addDeclarations(name: string, emitted: string, files: Record<string, string>): Promise<void> {
  if (`${name}.d.ts` in files) return
  const text = await readFile(join(emitted, `${name}.d.ts`), 'utf8')
  const specifier = /(?<=from ')(\.[\w./-]+)\.ts(?=')/g
  files[`${name}.d.ts`] = text.replace(specifier, '$1.js')
  for (const [, other] of text.matchAll(specifier)) {
    await addDeclarations(posix.join(posix.dirname(name), other!), emitted, files)
  }
}

if (import.meta.main) {
  const { file, bytes, gzipBytes } = await buildBrowserSdk()
  console.log(`${file}: ${bytes} bytes, ${gzipBytes} gzipped`)
}

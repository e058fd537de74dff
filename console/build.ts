// What does a browser load as the console? Builds into dist/, each file compressed, with a list of what a first visit loads.
// Run by npm ci (the root's prepare script).

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

const folder = fileURLToPath(new URL('./', import.meta.url))

/** Limit for what a first visit loads, gzipped: page, scripts and style sheets. */
export const largestFirstLoadBytes = 250 * 1024

export interface BuiltConsole {
  /** Names below /console/assets. Each contains a hash: a file of this name never changes. */
  readonly assets: readonly string[]
  /** Those that the page itself names. */
  readonly firstLoad: readonly string[]
  /** The page and `firstLoad`, gzipped. */
  readonly firstLoadGzipBytes: number
}

/** Fills `dist/` with the built console and nothing else; needs no network. */
export async function buildConsole(): Promise<BuiltConsole> {
  const { NODE_ENV } = process.env
  await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn' })
  // Vite sets it, for the rest of the process too: npm would then leave out what development needs.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  const assets = (await readdir(join(folder, 'dist/assets'))).toSorted()
  const html = await readFile(join(folder, 'dist/index.html'), 'utf8')
  const firstLoad = assets.filter((name) => html.includes(`/console/assets/${name}"`))
  let firstLoadGzipBytes = 0
  for (const file of ['index.html', ...assets.map((name) => `assets/${name}`)]) {
    const path = join(folder, 'dist', file)
    const content = await readFile(path)
    const gzipped = gzipSync(content, { level: 9 })
    await writeFile(`${path}.gz`, gzipped)
    await rm(path)
    const isLoadedFirst = file === 'index.html' || firstLoad.includes(file.slice('assets/'.length))
    if (!isLoadedFirst) continue
    firstLoadGzipBytes += gzipped.length
    // Most bytes of any page are here; of small files it would save little.
    if (file.endsWith('.js')) await writeFile(`${path}.br`, brotliCompressSync(content))
  }
  const built = { assets, firstLoad, firstLoadGzipBytes }
  await writeFile(join(folder, 'dist/console.json'), `${JSON.stringify(built)}\n`)
  return built
}

if (import.meta.main) {
  const { assets, firstLoadGzipBytes } = await buildConsole()
  console.log(`${assets.length} files; a first visit loads ${firstLoadGzipBytes} bytes gzipped`)
}

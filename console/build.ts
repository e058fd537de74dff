// What does a browser load as the console? Builds into dist/, each file compressed, with a list of what a first visit loads.
// Run by npm ci (the root's prepare script).

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { fillFolder } from '../scripts/built-files.ts'

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
  const out = await mkdtemp(join(tmpdir(), 'ringfence-console-'))
  try {
    const { NODE_ENV } = process.env
    const options = { outDir: out, emptyOutDir: true }
    await build({ root: folder, configFile: join(folder, 'vite.config.ts'), logLevel: 'warn', build: options })
    // Vite sets it, for the rest of the process too: npm would then leave out what development needs.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    const { built, files } = await compressed(out)
    fillFolder(join(folder, 'dist'), { ...files, 'console.json': `${JSON.stringify(built)}\n` })
    return built
  } finally {
    await rm(out, { recursive: true })
  }
}

/** What Vite has built, each file as browsers load it. */
async function compressed(out: string): Promise<{ built: BuiltConsole; files: Record<string, Buffer> }> {
  const assets = (await readdir(join(out, 'assets'))).toSorted()
  const html = await readFile(join(out, 'index.html'), 'utf8')
  const firstLoad = assets.filter((name) => html.includes(`/console/assets/${name}"`))
  const files: Record<string, Buffer> = {}
  let firstLoadGzipBytes = 0
  for (const file of [...assets.map((name) => `assets/${name}`), 'index.html']) {
    const content = await readFile(join(out, file))
    const gzipped = gzipSync(content, { level: 9 })
    files[`${file}.gz`] = gzipped
    const isLoadedFirst = file === 'index.html' || firstLoad.includes(file.slice('assets/'.length))
    if (!isLoadedFirst) continue
    firstLoadGzipBytes += gzipped.length
    // Most bytes of any page are here; of small files it would save little.
    if (file.endsWith('.js')) files[`${file}.br`] = brotliCompressSync(content)
  }
  return { built: { assets, firstLoad, firstLoadGzipBytes }, files }
}

if (import.meta.main) {
  const { assets, firstLoadGzipBytes } = await buildConsole()
  console.log(`${assets.length} files; a first visit loads ${firstLoadGzipBytes} bytes gzipped`)
}

// What runs on a server? Bundles command, service, sandbox and their dependencies, and names the files that they read.

import { readFile } from 'node:fs/promises'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build, type Plugin } from 'esbuild'

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** Where the bundle is in the package. All its files are directly in this folder. */
const bundleFolder = 'dist'
const command = 'cli/bin/ringfence.js'

export interface ServerBundle {
  /** Content by path in the package: `dist/ringfence.js` and what it imports. */
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Folders of the npm packages in the bundle, from the repository: `node_modules/fastify`. */
  readonly packages: readonly string[]
  /** Files and folders of the repository that the code opens: `server/src/core/storage/schema/`. */
  readonly opened: readonly string[]
}

/**
 * A module that opens files finds them from its own place in the repository, so the package has them in the same places.
 * Source maps are left out: names are not shortened, so a stack shows what failed.
 */
export async function bundleServer(): Promise<ServerBundle> {
  const opened = new Set<string>()
  const threads = new Set<string>()
  const options = {
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    write: false,
    logLevel: 'warning',
    absWorkingDir: root,
    outdir: bundleFolder,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    // CommonJS packages load Node's own modules with require.
    banner: {
      js: `import { createRequire as requireOfRingfence } from 'node:module'; const require = requireOfRingfence(import.meta.url);`,
    },
    // An optional driver of pg, which is not installed.
    external: ['pg-native'],
    plugins: [placesOfSources(opened, threads), usedPartsOfNode],
  } satisfies BuildOptions
  // The first pass finds the threads, in an order that differs from time to time. Each is a separate entry.
  await build({ ...options, entryPoints: [command] })
  const { outputFiles, metafile } = await build({ ...options, entryPoints: [command, ...[...threads].toSorted()] })
  const inputs = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/'))
  return {
    files: new Map(outputFiles.map(({ path, contents }) => [relative(root, path), contents])),
    packages: [...new Set(inputs.map(packageFolder))].toSorted(),
    opened: [...opened].filter((path) => !threads.has(path)).toSorted(),
  }
}

/** `node_modules/pino` of `node_modules/pino/lib/proto.js`; of nested packages the innermost. */
function packageFolder(path: string): string {
  const [folder = ''] = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []
  return folder
}

/** Gives each module of ours the URL it has in the repository, and each thread the URL of its bundle. */
function placesOfSources(opened: Set<string>, threads: Set<string>): Plugin {
  return {
    name: 'places of sources',
    setup({ onLoad }) {
      onLoad({ filter: /\/(?:cli|contract|sandbox|server|testing)\/(?:src|bin)\/.*\.[jt]s$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8')
        if (!text.includes('import.meta')) return undefined
        const [place, folder] = [relative(root, path), relative(root, dirname(path))]
        const unknown = /import\.meta\.(?!url\b|main\b)\w+/.exec(text)
        if (unknown) throw new Error(`${place}: the release cannot replace ${unknown[0]}. Use import.meta.url.`)
        const withThreads = text.replaceAll(/new URL\('([^']+)', import\.meta\.url\)/g, (found, target: string) => {
          const file = join(folder, target)
          opened.add(file)
          if (!/\.ts$/.test(file)) return found
          threads.add(file)
          return `new URL(${JSON.stringify(`./${/([^/]+)\.ts$/.exec(file)?.[1]}.js`)}, import.meta["url"])`
        })
        // A name that is only known at run time: the folder is opened.
        for (const [, start = ''] of text.matchAll(/new URL\(`([^`$]*\/)\$\{[^`]*`, import\.meta\.url\)/g)) {
          opened.add(join(folder, start))
        }
        const own = `new URL(${JSON.stringify(`../${place}`)}, import.meta["url"]).href`
        const contents = withThreads.replaceAll('import.meta.url', own).replaceAll('import.meta.main', 'false')
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
      })
    },
  }
}

/**
 * Takes from a module of Node only what is imported. An import statement would read all of its properties, and some of them load
 * more: that of node:http loads a WebSocket and all of fetch.
 */
const usedPartsOfNode: Plugin = {
  name: 'used parts of Node',
  setup({ onResolve, onLoad }) {
    const namespace = 'node-part'
    onResolve({ filter: /^[a-z]/ }, ({ path, kind }) => {
      if (kind !== 'import-statement' || !isBuiltin(path)) return undefined
      return { path: path.replace(/^node:/, ''), namespace, sideEffects: false }
    })
    onLoad({ filter: /./, namespace }, ({ path }) => {
      const names = Object.keys(createRequire(import.meta.url)(`node:${path}`)).filter((name) => name !== 'default')
      const parts = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => all.${name})()`)
      return { contents: [`const all = require('node:${path}')`, 'export default all', ...parts].join('\n') }
    })
  },
}

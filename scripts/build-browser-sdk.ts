// What do pages load? Builds browser/src into browser/dist: the package's modules, and one script for a tag with its hash.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildOptions, build } from 'esbuild'
import browserPackage from '../browser/package.json' with { type: 'json' }

const browserFolder = fileURLToPath(new URL('../browser/', import.meta.url))
const source = (file: string) => join(browserFolder, 'src', file)

/** What the script weighs at most, gzipped, with all it does. */
export const largestGzipBytes = 15 * 1024

/** Bundles an entry for browsers, minified, with the worker that reads facts as text within. */
export async function bundleForBrowsers(options: BuildOptions): Promise<string> {
  const shared: BuildOptions = {
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    target: ['chrome90', 'firefox91', 'safari15'],
    logLevel: 'warning',
  }
  const worker = await build({ ...shared, entryPoints: [source('collect/worker.ts')], format: 'iife' })
  const { outputFiles } = await build({
    ...shared,
    ...options,
    define: {
      workerSource: JSON.stringify(worker.outputFiles![0]!.text),
      sdkVersion: JSON.stringify(browserPackage.version),
    },
  })
  return outputFiles![0]!.text
}

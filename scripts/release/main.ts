// `npm run release`: writes the files of a release into release/, and with --tag creates its git tags.

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from './server-bundle.ts'
import { setVersion } from './set-version.ts'
import { releaseSource, tagRelease } from './source.ts'

const usage = `Usage: npm run release -- [--allow-dirty | --tag | --set-version VERSION]

Builds the tarballs of server, Node client, testing package and browser SDK, the Swift package, the Android SDK (needs a JDK and Maven), SBOM, provenance, NOTICE and checksums into release/.

  --allow-dirty   also when files differ from the commit, for a trial
  --tag           create the tags of service and iOS SDK; push them with git push --tags
  --set-version   write another version into all packages, instead of building`

const { values } = parseArgs({
  options: {
    'allow-dirty': { type: 'boolean', default: false },
    tag: { type: 'boolean', default: false },
    'set-version': { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

async function release(): Promise<void> {
  const allowDirty = values['allow-dirty']
  if (allowDirty && values.tag) throw new Error('a tag names a commit: use --tag without --allow-dirty')
  const source = await releaseSource({ allowDirty })
  // Only here: without what development needs, importing it fails.
  const { buildRelease } = await import('./build.ts').catch(explainMissing)
  const { androidTarball, missingForAndroid } = await import('./android-package.ts')
  const reason = missingForAndroid()
  if (reason) console.log(`The Android SDK is left out: ${reason}.`)
  const files = await buildRelease(source, reason ? {} : { android: await androidTarball(source.committedAt) })
  const folder = join(root, 'release')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  for (const [name, bytes] of files) {
    await writeFile(join(folder, name), bytes)
    console.log(`release/${name}`.padEnd(44), `${(bytes.length / 1e6).toFixed(1).padStart(6)} MB`)
  }
  if (values.tag) {
    const tags = await tagRelease(source)
    console.log(tags.length > 0 ? `Created the tags ${tags.join(', ')}` : 'The tags exist already')
  }
}

function explainMissing(cause: NodeJS.ErrnoException): never {
  if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
  throw new Error(`install with npm ci, not with --omit=dev (${cause.message})`, { cause })
}

if (values.help) console.log(usage)
else {
  const version = values['set-version']
  await (version === undefined ? release() : setVersion(version)).catch((error: Error) => {
    console.error(`release: ${error.message}`)
    process.exitCode = 1
  })
}

// `npm run release`: writes the files of a release into release/, and with --tag creates its git tags.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { root } from './server-bundle.ts'
import { setVersion } from './set-version.ts'
import { checkOut, plainEnvironment, releaseSource, type Source, tagRelease } from './source.ts'

const usage = `Usage: npm run release -- [--allow-dirty | --tag | --set-version VERSION]

Builds the tarballs of server, Node client, testing package and browser SDK, the Swift package, the Android SDK (needs a JDK and Maven), SBOM, provenance, NOTICE and checksums into release/, from a fresh clone of the commit.

  --allow-dirty   from this folder as it is, for a trial
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
  const folder = join(root, 'release')
  // Only here: without what development needs, importing it fails.
  if (allowDirty) await (await import('./write.ts').catch(explainMissing)).writeRelease(source, folder)
  else await writeFromCommit(source, folder)
  if (values.tag) {
    const tags = await tagRelease(source)
    console.log(tags.length > 0 ? `Created the tags ${tags.join(', ')}` : 'The tags exist already')
  }
}

/** In a fresh clone with packages of the lock file: git calls a tree clean that has ignored files, and each of them could be released. */
async function writeFromCommit({ commit }: Source, folder: string): Promise<void> {
  const clone = await mkdtemp(join(tmpdir(), 'ringfence-release-'))
  const run = (...[program, ...words]: [string, ...string[]]) =>
    promisify(execFile)(program, words, { cwd: clone, env: plainEnvironment(), maxBuffer: 1 << 24 })
  try {
    await checkOut(commit, clone)
    console.log('Installing the packages of the lock file ...')
    await run('npm', 'ci', '--no-audit', '--no-fund')
    const { stdout } = await run(process.execPath, 'scripts/release/write.ts', folder)
    process.stdout.write(stdout)
  } finally {
    await rm(clone, { recursive: true, force: true })
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

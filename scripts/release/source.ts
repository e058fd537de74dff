// What is released? The commit of a clean tree, its date, and the one version number of all packages.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import rootPackage from '../../package.json' with { type: 'json' }
import { root } from './server-bundle.ts'

export interface Source {
  readonly version: string
  readonly iosVersion: string
  /** The tag of `iosVersion`, if an earlier release made it: the package is then that of the tag. */
  readonly iosTag: string | undefined
  readonly iosReleasedAt: Date
  readonly commit: string
  /** Files of the release have this date. */
  readonly committedAt: Date
  /** Whether files differ from the commit. */
  readonly isDirty: boolean
}

/** The code of the Swift package. When it changes, its version does. */
export const iosCode = ['Package.swift', 'ios/Sources'] as const

/** The commit of `folder`. Rejects when the tree has no commit, or has changes and `allowDirty` is not set. */
export async function releaseSource({ allowDirty }: { allowDirty: boolean }, folder: string = root): Promise<Source> {
  const git = gitIn(folder)
  const [commit = '', seconds = ''] = (await git('log', '-1', '--format=%H %ct')).split(' ')
  const changes = await git('status', '--porcelain')
  if (changes !== '' && !allowDirty) {
    throw new Error(
      `these files differ from the commit. Commit or remove them, or use --allow-dirty for a trial:\n${changes}`,
    )
  }
  const version = await iosVersion()
  const iosTag = allowDirty ? undefined : (await git('tag', '--list', version)) || undefined
  const iosSeconds = iosTag === undefined ? seconds : await git('log', '-1', '--format=%ct', iosTag)
  if (iosTag !== undefined && (await git('diff', '--stat', iosTag, '--', ...iosCode)) !== '') {
    throw new Error(`the Swift package differs from the tag ${iosTag}. Raise sdkVersion in ${versionFile}`)
  }
  return {
    version: rootPackage.version,
    iosVersion: version,
    iosTag,
    iosReleasedAt: new Date(Number(iosSeconds) * 1000),
    commit,
    committedAt: new Date(Number(seconds) * 1000),
    isDirty: changes !== '',
  }
}

/** What git needs: no file and no variable of the machine sets it up. */
export const plainGit = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
})

/** The environment of this process, without what makes git read another folder, or Node run other code. */
export const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:GIT_(?!AUTHOR_|COMMITTER_)|NODE_OPTIONS$)/.test(name)),
  )

/** Writes the files of the commit into an empty folder, as a clone with the tags. No setting or hook of the machine counts. */
export async function checkOut(commit: string, folder: string, from: string = root): Promise<void> {
  const git = (...words: string[]) => promisify(execFile)('git', words, { cwd: folder, env: plainGit() })
  await git('clone', '--quiet', '--no-checkout', '--template=', from, '.')
  await git('checkout', '--quiet', '--detach', commit)
}

/** Creates `v0.1.0` for the service and `1.2.0` for the Swift package, whose users find versions as tags. */
export async function tagRelease({ version, iosVersion, commit }: Source, folder: string = root): Promise<string[]> {
  const git = gitIn(folder)
  const tags = { [`v${version}`]: `Ringfence ${version}`, [iosVersion]: `iOS SDK ${iosVersion}` }
  const created: string[] = []
  for (const [tag, message] of Object.entries(tags)) {
    const existing = await git('rev-list', '-n1', tag).catch(() => undefined)
    // Several releases of the service may contain the same iOS SDK, which stays at its first commit.
    if (existing !== undefined && (existing === commit || tag === iosVersion)) continue
    if (existing !== undefined) {
      throw new Error(`tag ${tag} is commit ${existing}, not ${commit}. Raise "version" in package.json first.`)
    }
    await git('tag', '--annotate', '--message', message, tag, commit)
    created.push(tag)
  }
  return created
}

const versionFile = 'ios/Sources/RingfenceCore/Identifiers.swift'

/** The version that the iOS SDK sends with its calls. */
export async function iosVersion(): Promise<string> {
  const text = await readFile(join(root, versionFile), 'utf8')
  const [, version] = /^public let sdkVersion = "(\d+\.\d+\.\d+)"$/m.exec(text) ?? []
  if (version === undefined) throw new Error('Identifiers.swift has no sdkVersion')
  return version
}

const gitIn =
  (folder: string) =>
  async (...words: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('git', words, { cwd: folder, env: plainEnvironment() })
    return stdout.trim()
  }

// What does an iOS team add by its URL? A Git repository with the Swift package alone, one commit and its tag, as a bundle.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { relinked } from './relinked.ts'
import { root } from './server-bundle.ts'
import { iosCode, plainEnvironment, plainGit, type Source } from './source.ts'

const run = promisify(execFile)

/** Where a file of the repository is in the package, if it is elsewhere. */
const moved: Readonly<Record<string, string>> = {
  'ios/README.md': 'README.md',
  'ios/CHANGELOG.md': 'CHANGELOG.md',
  'ios/.spi.yml': '.spi.yml',
}
const xcframeworks = 'ios/xcframeworks.sh'
const documents = [...Object.keys(moved), 'LICENSE', 'docs/guides/ios.md', 'docs/reference/ios-sdk.md']

/** A bundle that `git clone` reads: the same source always gives the same commit. */
export async function iosBundle(source: Source): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-package-'))
  try {
    for (const [path, content] of await iosPackageFiles(source)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content)
    }
    await chmod(join(folder, xcframeworks), 0o755)
    const { iosVersion, iosReleasedAt } = source
    const git = (...words: string[]) => run('git', words, { cwd: folder, env: gitOf(iosReleasedAt) })
    await git('init', '--quiet', '--object-format=sha1', '--initial-branch=main')
    await git('add', '--all')
    await git('commit', '--quiet', '--message', `iOS SDK ${iosVersion}`)
    await git('tag', '--annotate', '--message', `iOS SDK ${iosVersion}`, iosVersion)
    // With one thread a pack has the same bytes each time.
    await git('-c', 'pack.threads=1', 'bundle', 'create', '--quiet', '.git/bundle', 'HEAD', 'main', iosVersion)
    return await readFile(join(folder, '.git/bundle'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The content by path in the package. Of a version that is tagged already, as it was then. */
async function iosPackageFiles({ iosVersion, iosTag }: Source): Promise<Map<string, string>> {
  const git = async (...words: string[]) =>
    (await run('git', words, { cwd: root, env: plainEnvironment(), maxBuffer: 1 << 24 })).stdout
  const paths = [...iosCode, 'ios/Tests', xcframeworks, ...documents]
  const list = iosTag
    ? await git('ls-tree', '-r', '-z', '--name-only', iosTag, '--', ...paths)
    : await git('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...paths)
  // Without what a trial has deleted.
  const names = list.split('\0').filter((name) => name !== '' && (iosTag || existsSync(join(root, name))))
  const to = (name: string) => moved[name] ?? name
  const inPackage = new Map(names.map((name) => [name, to(name)]))
  const files = new Map<string, string>()
  for (const name of names) {
    const text = iosTag ? await git('show', `${iosTag}:${name}`) : await readFile(join(root, name), 'utf8')
    files.set(to(name), name.endsWith('.md') ? relinked(text, name, inPackage) : text)
  }
  for (const pod of pods(iosVersion)) files.set(`${pod.name}.podspec.json`, `${JSON.stringify(pod, null, 2)}\n`)
  return files
}

/** CocoaPods has one module in a pod. Its `:git` option replaces the source. */
function pods(version: string) {
  const source = { git: 'https://git.example.com/ringfence-ios.git', tag: version }
  const pod = (name: string, target: string, summary: string, more: object) => ({
    name,
    module_name: target,
    version,
    summary,
    homepage: source.git,
    license: { type: 'Apache-2.0', file: 'LICENSE' },
    authors: 'Ringfence',
    source,
    platforms: { ios: '13.0' },
    swift_versions: ['5.5', '6.0'],
    source_files: `ios/Sources/${target}/**/*.swift`,
    ...more,
  })
  const product = (target: string, summary: string) =>
    pod(`Ringfence${target}`, target, summary, {
      resource_bundles: { [`Ringfence${target}`]: [`ios/Sources/${target}/PrivacyInfo.xcprivacy`] },
      dependencies: { RingfenceCore: [version] },
    })
  return [
    pod('RingfenceCore', 'RingfenceCore', 'What both products of Ringfence share', {}),
    product('DeviceIntelligence', 'Device intelligence of Ringfence'),
    product('HeadlessAuthentication', 'Sign-in with Ringfence and your own screens'),
  ]
}

/** The committer is nobody's; no setting of the machine counts. */
function gitOf(date: Date): NodeJS.ProcessEnv {
  const person = (role: string) => ({
    [`GIT_${role}_NAME`]: 'Ringfence',
    [`GIT_${role}_EMAIL`]: 'release@ringfence.example',
    [`GIT_${role}_DATE`]: `${date.getTime() / 1000} +0000`,
  })
  return { ...plainGit(), ...person('AUTHOR'), ...person('COMMITTER') }
}

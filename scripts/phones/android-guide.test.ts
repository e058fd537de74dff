import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { androidVersion } from '../release/android-package.ts'
import { root } from '../release/server-bundle.ts'
import { guideApp } from './android-guide.ts'

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
test('takes the code of the guide and of the example for the app that npm run test:android runs', () => {
  const files = guideApp({ appId: 'rfa_test', url: 'http://127.0.0.1:1' })
  const code = [...files.values()].join('\n')
  for (const name of [
    'GuideApp0.kt',
    'GuideApp1.kt',
    'ringfence/guide/GuideInJava.java',
    'ringfence/guide/SignInInJava.java',
    'example/ShopApp.kt',
  ])
    assert.ok(files.has(name))
  assert.match(code, /APP_ID = "rfa_test"\nconst val RINGFENCE_URL = "http:\/\/127\.0\.0\.1:1"\n/)
  assert.doesNotMatch(code, /rfa_…|ringfence\.example|10\.0\.2\.2:8080/)
})

/** `ringfence:ringfence-core:1.0.0`, `ringfence-android-1.0.0.tgz`, or the version of a project of Maven. */
const place =
  /ringfence-(?:android|core|device|app-checks)[-:](\d+\.\d+\.\d+)|<groupId>ringfence<\/groupId>\s*<artifactId>[\w-]+<\/artifactId>\s*<version>(\d.*?)<\/version>/g

test('names one version of the SDK in all of its files', async () => {
  const version = await androidVersion()
  const named = new Map<string, string[]>()
  const files = ['{android,react-native,examples/android-login}/**/*.{gradle,kts,xml,md,podspec}', 'docs/**/*.md']
  for (const file of globSync(files, { cwd: root, exclude: ['**/node_modules/**'] })) {
    const found = [...text(file).matchAll(place)].map(([, ofArtifact, ofProject]) => ofArtifact ?? ofProject!)
    if (found.length > 0) named.set(file, found)
  }
  for (const [file, found] of named) assert.deepEqual([...new Set(found)], [version], file)
  const users = ['react-native/android/build.gradle', 'examples/android-login/app/build.gradle.kts']
  const poms = ['', 'core/', 'device/', 'golden/', 'guide/'].map((folder) => `android/${folder}pom.xml`)
  for (const file of [...users, ...poms, 'docs/guides/android.md']) assert.ok(named.has(file), file)
  assert.ok(text('android/CHANGELOG.md').includes(`## ${version}`))
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
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

test('names one version of the SDK in all of its files', () => {
  const [, version = ''] =
    /SDK_VERSION: String = "(.*)"/.exec(text('android/core/src/main/kotlin/Identifiers.kt')) ?? []
  assert.match(version, /^\d+\.\d+\.\d+$/)
  for (const folder of ['', 'core/', 'device/']) {
    assert.ok(text(`android/${folder}pom.xml`).includes(`<version>${version}</version>`), folder)
  }
  const guide = text('docs/guides/android.md')
  for (const named of [`ringfence-android-${version}.tgz`, `ringfence:ringfence-device:${version}`]) {
    assert.ok(guide.includes(named), named)
  }
  const users = ['react-native/android/build.gradle', 'examples/android-login/app/build.gradle.kts']
  for (const file of users) assert.ok(text(file).includes(`ringfence:ringfence-device:${version}`), file)
  assert.ok(text('android/CHANGELOG.md').includes(`## ${version}`))
})

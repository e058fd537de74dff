import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
/** The layout of the code is that of its file. */
const words = (code: string) => code.replaceAll(/\s+/g, ' ').trim()

test('has the Kotlin of the guide in a file that npm run test:android compiles', () => {
  const blocks = [...text('docs/guides/android.md').matchAll(/^```kotlin\n(.*?)^```/gms)].map(([, code = '']) =>
    words(code),
  )
  assert.equal(blocks.length, 3)
  const app = words(text('android/device/src/test/kotlin/GuideApp.kt'))
  for (const block of blocks) assert.ok(app.includes(block), block)
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

// Does Gradle read the repository of a release? A project of plain Java names the SDK as an app does. Android's own plugin cannot be had.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { androidVersion } from '../release/android-package.ts'
import { root } from '../release/server-bundle.ts'

/** Maven has fetched what is not of the SDK. */
const build = (repository: string, version: string) => `apply plugin: 'java-library'
repositories {
  maven { url = uri('${repository}') }
  mavenLocal()
}
configurations { sdk }
dependencies {
  implementation 'ringfence:ringfence-core:${version}'
  sdk 'ringfence:ringfence-app-checks:${version}'
}
task show {
  doLast { configurations.sdk.files.each { println "has \${it.name}" } }
}
`

const app = `import ringfence.core.UpdateInfo;

public final class App {
  public static UpdateInfo info() {
    return new UpdateInfo();
  }
}
`

/** Compiles with the repository in `folder`, and lists what an app gets that names one artifact. Skipped where Gradle is not installed. */
export async function checkGradle(repository: string): Promise<void> {
  if (spawnSync('gradle', ['--version']).status !== 0) {
    console.log('Gradle is not installed, so what it resolves is not checked.\n0 passed, 0 failed, 1 skipped')
    return
  }
  const folder = join(root, '.build/android/gradle')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'src/main/java'), { recursive: true })
  const version = await androidVersion()
  writeFileSync(join(folder, 'settings.gradle'), '')
  writeFileSync(join(folder, 'build.gradle'), build(repository, version))
  writeFileSync(join(folder, 'src/main/java/App.java'), app)
  const tasks = [
    '--no-daemon',
    '--offline',
    '--quiet',
    '--gradle-user-home',
    join(folder, 'home'),
    'compileJava',
    'show',
  ]
  const { status, stdout, stderr } = spawnSync('gradle', tasks, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  const files = [...stdout.matchAll(/^has (.+)$/gm)].map(([, name = '']) => name)
  const sdk = [`app-checks-${version}.aar`, `core-${version}.jar`, `device-${version}.aar`]
  assert.deepEqual(
    files.filter((name) => name.startsWith('ringfence-')).toSorted(),
    sdk.map((name) => `ringfence-${name}`),
  )
  assert.ok(files.some((name) => name.startsWith('kotlin-stdlib-')))
  console.log(`Gradle resolves ${files.join(', ')}`)
}

// What does an Android team add? A Maven repository in a folder, which Gradle reads as it is: an AAR, the JAR that it needs, their sources.

import { execFile, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './server-bundle.ts'
import { tarball } from './tarball.ts'

const run = promisify(execFile)

const manifest = `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="ringfence.device">
  <uses-sdk android:minSdkVersion="23" />
</manifest>
`
/** Rules that an app's shrinker reads. */
const consumerRules = '# The SDK looks nothing up by name, so its classes may be renamed and removed.\n'

type Packaging = 'jar' | 'aar'

/** The version that the SDK sends with its calls. */
export async function androidVersion(): Promise<string> {
  const text = await readFile(join(root, 'android/core/src/main/kotlin/Identifiers.kt'), 'utf8')
  const [, version] = /^public const val SDK_VERSION: String = "(\d+\.\d+\.\d+)"$/m.exec(text) ?? []
  if (version === undefined) throw new Error('Identifiers.kt has no SDK_VERSION')
  return version
}

export async function compileAndroid(): Promise<void> {
  const quiet = ['--batch-mode', '--no-transfer-progress', '--quiet']
  await run('mvn', [...quiet, '--file', 'android/pom.xml', '-DskipTests', 'package'], { cwd: root })
}

/** The files of the repository by path, of what is compiled. The same classes always give the same bytes. */
export async function androidRepository(): Promise<Map<string, Buffer>> {
  const version = await androidVersion()
  const files = new Map<string, Buffer>()
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-android-'))
  try {
    for (const [name, packaging] of Object.entries({ core: 'jar', device: 'aar' } as const)) {
      const artifact = `ringfence-${name}`
      const path = `ringfence/${artifact}/${version}/${artifact}-${version}`
      const classes = await zip(join(root, '.build/android', artifact, 'classes'), join(folder, `${name}.jar`))
      files.set(`${path}.${packaging}`, packaging === 'jar' ? classes : await aar(classes, join(folder, name)))
      files.set(
        `${path}-sources.jar`,
        await zip(join(root, 'android', name, 'src/main/kotlin'), join(folder, 'sources.jar')),
      )
      files.set(`${path}.pom`, Buffer.from(await pom(artifact, packaging, version)))
    }
    return files
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The repository as one file of a release. */
export async function androidTarball(committedAt: Date): Promise<{ name: string; bytes: Buffer }> {
  await compileAndroid()
  const files = [...(await androidRepository())].map(([path, content]) => [path, { content }] as const)
  const folder = `ringfence-android-${await androidVersion()}`
  return { name: `${folder}.tgz`, bytes: await tarball(folder, new Map(files), committedAt) }
}

/** Why this machine cannot build it. Maven says which Java it runs with. */
export function missingForAndroid(): string | undefined {
  const { stdout, error } = spawnSync('mvn', ['--version'], { encoding: 'utf8' })
  if (error) return 'Maven is not installed'
  const version = Number(/^Java version: (\d+)/m.exec(stdout)?.[1] ?? 0)
  return version >= 17 ? undefined : `Maven runs with Java ${version}, and a JDK of 17 or later is needed`
}

async function aar(classes: Buffer, folder: string): Promise<Buffer> {
  const parts = { 'AndroidManifest.xml': manifest, 'classes.jar': classes, 'proguard.txt': consumerRules, 'R.txt': '' }
  await mkdir(folder)
  for (const [name, content] of Object.entries(parts)) await writeFile(join(folder, name), content)
  return zip(folder, `${folder}.aar`)
}

/** A ZIP file of a folder, in a fixed order and with a fixed date. */
async function zip(folder: string, file: string): Promise<Buffer> {
  const names = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
  const words = names.flatMap((name) => ['-C', folder, name])
  await run('jar', ['--create', '--file', file, '--no-manifest', '--date', '2026-01-01T00:00:00Z', ...words])
  return readFile(file)
}

/** A project description for Gradle and Maven. */
async function pom(artifact: string, packaging: Packaging, version: string): Promise<string> {
  const parent = await readFile(join(root, 'android/pom.xml'), 'utf8')
  const [, kotlin = ''] = /<kotlin.stdlib.version>(.*)<\/kotlin.stdlib.version>/.exec(parent) ?? []
  const needed = [['org.jetbrains.kotlin', 'kotlin-stdlib', kotlin]]
  if (artifact !== 'ringfence-core') needed.unshift(['ringfence', 'ringfence-core', version])
  const dependencies = needed.map(
    ([group, name, of]) => `    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${name}</artifactId>
      <version>${of}</version>
      <scope>compile</scope>
    </dependency>
`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>ringfence</groupId>
  <artifactId>${artifact}</artifactId>
  <version>${version}</version>
  <packaging>${packaging}</packaging>
  <licenses>
    <license>
      <name>Apache-2.0</name>
    </license>
  </licenses>
  <dependencies>
${dependencies.join('')}  </dependencies>
</project>
`
}

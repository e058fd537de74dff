// What does an Android team add? A Maven repository in a folder, which Gradle reads as it is: an AAR, the JAR that it needs, their sources.

import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
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
const consumerRules = `# The SDK looks nothing up by name, so its classes may be renamed and removed.
# An app without coroutines does not have it, and the SDK then does without.
-dontwarn kotlinx.coroutines.**
`

interface Artifact {
  readonly name: 'core' | 'device' | 'app-checks'
  readonly packaging: 'jar' | 'aar'
  /** An artifact of the SDK. */
  readonly needs?: Artifact
}

const core: Artifact = { name: 'core', packaging: 'jar' }
const device: Artifact = { name: 'device', packaging: 'aar', needs: core }
const artifacts: readonly Artifact[] = [core, device, { name: 'app-checks', packaging: 'aar', needs: device }]

/** The version that the SDK sends with its calls. */
export async function androidVersion(): Promise<string> {
  const text = await readFile(join(root, 'android/core/src/main/kotlin/Identifiers.kt'), 'utf8')
  const [, version] = /^public const val SDK_VERSION: String = "(\d+\.\d+\.\d+)"$/m.exec(text) ?? []
  if (version === undefined) throw new Error('Identifiers.kt has no SDK_VERSION')
  return version
}

/** Compiles into `folder`. */
export async function compileAndroid(folder: string = buildFolder): Promise<void> {
  const quiet = ['--batch-mode', '--no-transfer-progress', '--strict-checksums', '--quiet']
  await run('mvn', [...quiet, '--file', 'android/pom.xml', `-Dbuild.folder=${folder}`, 'compile'], { cwd: root })
}

/** Where Maven puts what it makes. */
const buildFolder = join(root, '.build/android')

/** The files of the repository by path, of what is compiled in `built`. The same classes always give the same bytes. */
export async function androidRepository(built: string = buildFolder): Promise<Map<string, Buffer>> {
  const version = await androidVersion()
  const files = new Map<string, Buffer>()
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-android-'))
  try {
    for (const artifact of artifacts) {
      const { name, packaging } = artifact
      const full = `ringfence-${name}`
      const path = `ringfence/${full}/${version}/${full}-${version}`
      if (name === 'app-checks') {
        const parts = { 'AndroidManifest.xml': await appChecksManifest(), 'classes.jar': emptyZip }
        files.set(`${path}.aar`, await aar(parts, join(folder, name)))
      } else {
        const classes = await zip(join(built, full, 'classes'), join(folder, `${name}.jar`))
        const parts = { 'AndroidManifest.xml': manifest, 'classes.jar': classes, 'proguard.txt': consumerRules }
        files.set(`${path}.${packaging}`, packaging === 'jar' ? classes : await aar(parts, join(folder, name)))
        const sources = join(root, 'android', name, 'src/main/kotlin')
        files.set(`${path}-sources.jar`, await zip(sources, join(folder, 'sources.jar')))
      }
      files.set(`${path}.pom`, Buffer.from(await pom(artifact, version)))
    }
    // Maven warns of a file without one.
    for (const [path, content] of [...files])
      files.set(`${path}.sha1`, Buffer.from(createHash('sha1').update(content).digest('hex')))
    return files
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The files of the repository, compiled in a new folder: what somebody else left in one would be in the JAR. */
export async function freshRepository(): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-android-'))
  try {
    await compileAndroid(folder)
    return await androidRepository(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The repository as one file of a release. */
export async function androidTarball(committedAt: Date): Promise<{ name: string; bytes: Buffer }> {
  const files = [...(await freshRepository())].map(([path, content]) => [path, { content }] as const)
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

/** The names are in `<queries>`, which an app cannot read, so they are given to the SDK too. */
async function appChecksManifest(): Promise<string> {
  const text = await readFile(join(root, 'android/app-checks/AndroidManifest.xml'), 'utf8')
  const names = [...text.matchAll(/<package android:name="(.+?)"/g)].map(([, name]) => name)
  return text.replace(/\$\{remoteAccessApps\}/, names.join())
}

async function aar(parts: Readonly<Record<string, string | Buffer>>, folder: string): Promise<Buffer> {
  await mkdir(folder)
  for (const [name, content] of Object.entries({ ...parts, 'R.txt': '' })) await writeFile(join(folder, name), content)
  return zip(folder, `${folder}.aar`)
}

/** Not each build tool reads an AAR without classes. `jar` makes no file of nothing. */
const emptyZip = Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex')

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
async function pom({ name, packaging, needs }: Artifact, version: string): Promise<string> {
  const parent = await readFile(join(root, 'android/pom.xml'), 'utf8')
  const [, kotlin = ''] = /<kotlin.stdlib.version>(.*)<\/kotlin.stdlib.version>/.exec(parent) ?? []
  const needed = [
    ...(needs ? [['ringfence', `ringfence-${needs.name}`, version, needs.packaging]] : []),
    ...(name === 'app-checks' ? [] : [['org.jetbrains.kotlin', 'kotlin-stdlib', kotlin, 'jar']]),
  ]
  const dependencies = needed.map(
    ([group, artifact, of, type]) => `    <dependency>
      <groupId>${group}</groupId>
      <artifactId>${artifact}</artifactId>
      <version>${of}</version>
      <type>${type}</type>
      <scope>compile</scope>
    </dependency>
`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>ringfence</groupId>
  <artifactId>ringfence-${name}</artifactId>
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

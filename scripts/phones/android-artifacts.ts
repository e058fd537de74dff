// Is what an Android team gets right? What apps see of the classes, whether Android can run them, and each file of the repository.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { androidRepository, freshRepository } from '../release/android-package.ts'
import { root } from '../release/server-bundle.ts'

const quiet = ['--batch-mode', '--no-transfer-progress', '--quiet']
const built = join(root, '.build/android')
/** Where `checkAndroidPackage` unpacks what a release has. */
export const repositoryFolder = join(built, 'repository')

/** Throws when a command fails; its output is shown. */
export function run(title: string, command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd: root })
  if (status !== 0) throw new Error(`${title}: failed`)
}

/** The path of a JAR of Maven Central. */
export function jarOf(artifact: string): string {
  const folder = join(built, 'tools')
  const [, name, version, , classifier] = artifact.split(':')
  const file = join(folder, `${[name, version, classifier].filter((part) => part !== undefined).join('-')}.jar`)
  const copy = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]
  if (!existsSync(file)) run(artifact, 'mvn', [...quiet, ...copy])
  return file
}

/** A folder with what `android/${name}/pom.xml` needs. */
export function librariesIn(name: string): string {
  const folder = join(built, 'tools', name)
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${folder}`]
  run(`tools of android/${name}`, 'mvn', [...quiet, '--file', `android/${name}/pom.xml`, ...copy])
  return folder
}

/** The classes that an app has beside those of the SDK, by the versions of the POMs. */
export function librariesOfApp(): string[] {
  const versionIn = (file: string, place: RegExp) =>
    place.exec(readFileSync(join(root, 'android', file), 'utf8'))?.[1] ?? 'none'
  const android = versionIn('device/pom.xml', /<artifactId>android-all<\/artifactId>\s*<version>(.*)</)
  const kotlin = versionIn('pom.xml', /<kotlin.stdlib.version>(.*)</)
  return [`org.robolectric:android-all:${android}`, `org.jetbrains.kotlin:kotlin-stdlib:${kotlin}`].map(jarOf)
}

/** Compares what apps see with android/golden; `update` writes it there. Throws when it differs. */
export function checkAndroidSurface(update: boolean): void {
  const libraries = librariesIn('golden')
  for (const name of ['ringfence-core', 'ringfence-device']) {
    const program = ['-cp', `${libraries}/*`, 'android/golden/Surface.java', join(built, name, 'classes')]
    const now = execFileSync('java', program, { cwd: root, encoding: 'utf8' })
    const file = join(root, 'android/golden', `${name}.api`)
    if (update) writeFileSync(file, now)
    else if (now !== readFileSync(file, 'utf8')) {
      spawnSync('diff', ['-u', file, '-'], { input: now, stdio: ['pipe', 'inherit', 'inherit'] })
      throw new Error(`${file} differs: apps would notice. If that is meant: npm run test:android -- --update`)
    }
  }
}

/** Makes DEX of the classes, as the build of an app does. Android 8 is the oldest that this tool knows lambdas of; D8 rewrites them for older ones. */
export function checkDex(): void {
  const folders = ['ringfence-core', 'ringfence-device'].map((name) => join(built, name, 'classes'))
  const tool = ['-cp', jarOf('com.jakewharton.android.repackaged:dalvik-dx:16.0.1'), 'com.android.dx.command.Main']
  const file = join(built, 'classes.dex')
  run('DEX', 'java', [...tool, '--dex', '--min-sdk-version=26', `--output=${file}`, ...folders])
  const dex = readFileSync(file)
  // Where the header of the format has its counts.
  const [methods, classes] = [dex.readUInt32LE(0x58), dex.readUInt32LE(0x60)]
  assert.equal(dex.toString('latin1', 0, 4), 'dex\n')
  assert.equal(classes, folders.flatMap((folder) => globSync('**/*.class', { cwd: folder })).length)
  // An APK is compressed. Without R8, which takes away what the app does not use.
  const added = gzipSync(dex, { level: 9 }).length
  assert.ok(added <= 150_000, `an app grows by ${added} bytes`)
  console.log(`DEX: ${classes} classes, ${methods} methods, ${dex.length} bytes, ${added} compressed`)
}

/** Checks the package of a release: its parts and its sizes. Returns the classes that an app gets with it. */
export async function checkAndroidPackage(): Promise<string[]> {
  const folder = repositoryFolder
  await rm(folder, { recursive: true, force: true })
  const files = await androidRepository()
  for (const [path, content] of files) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  checkForMaven(files)
  const ends = [/core-[\d.]+\.jar$/, /device-[\d.]+\.aar$/, /app-checks-[\d.]+\.aar$/, /device-[\d.]+\.pom$/]
  const [jar, aar, checks, pom] = ends.map((end) => [...files.keys()].find((path) => end.test(path)))
  const parts = await unpacked(join(folder, aar!), join(folder, 'aar'))
  assert.deepEqual(parts, ['AndroidManifest.xml', 'R.txt', 'classes.jar', 'proguard.txt'])
  const partsOfChecks = await unpacked(join(folder, checks!), join(folder, 'checks'))
  assert.deepEqual(partsOfChecks, ['AndroidManifest.xml', 'R.txt', 'classes.jar'])
  assert.equal(execFileSync('jar', ['--list', '--file', join(folder, 'checks/classes.jar')], { encoding: 'utf8' }), '')
  checkNamedApps(readFileSync(join(folder, 'checks/AndroidManifest.xml'), 'utf8'))
  const bytes = { aar: files.get(aar!)!.length, jar: files.get(jar!)!.length }
  assert.ok(bytes.aar <= 150_000, JSON.stringify(bytes))
  await checkSameAgain(files)
  console.log(`package: ${bytes.aar} bytes of AAR, ${bytes.jar} of JAR, the same when compiled and built again`)
  return [join(folder, 'aar/classes.jar'), ...needsOf(folder, pom!)]
}

/** What the POM of an artifact needs: JARs of the repository, and of Maven Central. */
function needsOf(folder: string, pom: string): string[] {
  const text = readFileSync(join(folder, pom), 'utf8')
  const needs = text.matchAll(
    /<dependency>\s+<groupId>(.+)<\/groupId>\s+<artifactId>(.+)<\/artifactId>\s+<version>(.+)<\/version>/g,
  )
  const jars = [...needs].flatMap(([, group, name, version]) => {
    if (group !== 'ringfence') return [jarOf(`${group}:${name}:${version}`)]
    const path = `ringfence/${name}/${version}/${name}-${version}`
    return [join(folder, `${path}.jar`), ...needsOf(folder, `${path}.pom`)]
  })
  return [...new Set(jars)]
}

/** Maven finds each artifact that another one needs only under its type, and compares each file with its checksum. */
function checkForMaven(files: ReadonlyMap<string, Buffer>): void {
  const dependency =
    /<dependency>\s*<groupId>ringfence<.*>\s*<artifactId>(.*)<.*>\s*<version>(.*)<.*>\s*(?:<type>(.*)<.*>)?/g
  let found = 0
  for (const [path, content] of files) {
    if (path.endsWith('.sha1')) continue
    const sum = createHash('sha1').update(content).digest('hex')
    assert.equal(files.get(`${path}.sha1`)?.toString(), sum, path)
    if (!path.endsWith('.pom')) continue
    for (const [, name, version, type = 'jar'] of content.toString().matchAll(dependency)) {
      assert.ok(
        files.has(`ringfence/${name}/${version}/${name}-${version}.${type}`),
        `${path}: ${name} of type ${type}`,
      )
      found++
    }
  }
  assert.equal(found, 2)
}

async function unpacked(file: string, folder: string): Promise<string[]> {
  await mkdir(folder)
  execFileSync('jar', ['--extract', '--file', file], { cwd: folder })
  return readdirSync(folder).toSorted()
}

/** Each app that the manifest may see is one that the SDK looks for, and the report has room for all. */
function checkNamedApps(manifest: string): void {
  const seen = [...manifest.matchAll(/<package android:name="(.+?)"/g)].map(([, name]) => name)
  const value = /android:name="ringfence.remoteAccessApps" android:value="(.*)"/.exec(manifest)?.[1]
  assert.equal(value, seen.join())
  assert.ok(seen.length > 0 && seen.length <= 16)
  assert.deepEqual(seen, [...new Set(seen)].toSorted())
}

/** What a release compiles in another folder has the same bytes, and nothing that lies in this one. */
async function checkSameAgain(files: ReadonlyMap<string, Buffer>): Promise<void> {
  const planted = join(built, 'ringfence-core/classes/Planted.class')
  await writeFile(planted, 'of nobody')
  const again = await freshRepository().finally(() => rm(planted))
  for (const [path, content] of files) assert.ok(again.get(path)?.equals(content), `${path} is the same again`)
}

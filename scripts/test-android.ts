// Does the Android SDK keep its promises? Its tests on a JVM, against the real service and its faults.

import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { levelFaults, methodsOf, readDeclarations } from './phones/android-levels.ts'
import { startPhoneServices } from './phones/services.ts'
import { androidRepository, compileAndroid, missingForAndroid } from './release/android-package.ts'

const usage = `npm run test:android                       everything, as CI does
npm run test:android -- NAME…              tests of the classes whose names hold one of these
npm run test:android -- --format           writes the layout that the tests ask for, and nothing else
npm run test:android -- --package          the package of a release, and nothing else
npm run test:android -- --help

Needs a JDK of 17 or later, and Maven. Without them it is skipped.`

const root = fileURLToPath(new URL('..', import.meta.url))

/** Throws when a command fails. */
function run(title: string, command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd: root })
  if (status !== 0) throw new Error(`${title}: failed`)
}

const maven = ['--batch-mode', '--no-transfer-progress']

/** Compares the layout of the Kotlin files with that of ktfmt, or writes it. */
function layout(isWritten: boolean): void {
  const artifact = 'com.facebook:ktfmt:0.61:jar:with-dependencies'
  const folder = '.build/android/tools'
  const copy = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`]
  run('ktfmt', 'mvn', [...maven, '--quiet', ...copy])
  const files = globSync('android/**/*.kt', { cwd: root })
  const check = isWritten ? [] : ['--dry-run', '--set-exit-if-changed']
  const program = `${folder}/ktfmt-0.61-with-dependencies.jar`
  run('layout (npm run test:android -- --format)', 'java', ['-jar', program, '--google-style', ...check, ...files])
}

/** Compares each use of a member of Android with the level that has it. */
function checkLevels(): void {
  run('declarations of Android', 'npm', ['ci', '--silent', '--ignore-scripts', '--prefix', 'android/levels'])
  const folder = 'android/levels/node_modules/@nativescript/types-android/lib/android'
  const classes = readDeclarations(readFileSync(`${root}/${folder}/android-platform-21-37-merged.d.ts`, 'utf8'))
  const methods = globSync('.build/android/*/classes', { cwd: root }).flatMap(methodsOf)
  const faults = levelFaults(classes, methods)
  if (faults.length > 0) throw new Error(`levels of Android:\n${faults.join('\n')}`)
  console.log(`levels of Android: ${methods.length} methods use what API 23 has, or know the level`)
}

/** The package of a release: its parts, its size, and an app in Java that compiles with nothing else. */
async function checkPackage(): Promise<void> {
  const folder = `${root}.build/android/repository`
  await rm(folder, { recursive: true, force: true })
  const files = await androidRepository()
  for (const [path, content] of files) {
    await mkdir(dirname(`${folder}/${path}`), { recursive: true })
    await writeFile(`${folder}/${path}`, content)
  }
  const aar = [...files.keys()].find((path) => path.endsWith('.aar'))!
  const jar = [...files.keys()].find((path) => /core-[\d.]+\.jar$/.test(path))!
  await mkdir(`${folder}/aar`)
  execFileSync('jar', ['--extract', '--file', `../${aar}`], { cwd: `${folder}/aar` })
  assert.deepEqual(readdirSync(`${folder}/aar`).toSorted(), [
    'AndroidManifest.xml',
    'R.txt',
    'classes.jar',
    'proguard.txt',
  ])
  const bytes = { aar: files.get(aar)!.length, jar: files.get(jar)!.length }
  assert.ok(bytes.aar <= 150_000 && bytes.jar <= 200_000, JSON.stringify(bytes))
  const again = await androidRepository()
  for (const [path, content] of files) assert.ok(again.get(path)?.equals(content), `${path} is the same again`)
  const [android = '', kotlin = ''] = ['device/pom.xml', 'pom.xml'].map((file) => {
    const text = readFileSync(`${root}android/${file}`, 'utf8')
    return /<artifactId>android-all<\/artifactId>\s*<version>(.*)<|<kotlin.stdlib.version>(.*)</
      .exec(text)
      ?.slice(1)
      .join('')
  })
  const libraries = `${root}.build/android/libraries`
  for (const artifact of [`org.robolectric:android-all:${android}`, `org.jetbrains.kotlin:kotlin-stdlib:${kotlin}`]) {
    const copy = ['dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${libraries}`]
    run(artifact, 'mvn', [...maven, '--quiet', ...copy])
  }
  const classPath = [`${folder}/aar/classes.jar`, `${folder}/${jar}`, ...globSync(`${libraries}/*.jar`)]
  const app = 'android/device/src/test/java/ringfence/JavaApp.java'
  run('an app in Java', 'javac', ['-d', `${folder}/app`, '-cp', classPath.join(':'), app])
  console.log(`package: ${bytes.aar} bytes of AAR, ${bytes.jar} of JAR, the same when built again`)
}

async function test(names: readonly string[]): Promise<void> {
  const started = performance.now()
  const services = await startPhoneServices({ platform: 'ANDROID', packageName: 'com.example.shop' })
  try {
    const some =
      names.length > 0
        ? [`-Dtest=${names.map((name) => `*${name}*`).join()}`, '-Dsurefire.failIfNoSpecifiedTests=false']
        : []
    // Not `spawnSync`: the fault server is part of this process, and must be able to answer.
    const child = spawn('mvn', [...maven, '--file', 'android/pom.xml', ...some, 'verify'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...services.variables },
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('the tests of the Android SDK failed')
  } finally {
    await services.close()
  }
  console.log(`Android SDK: ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    format: { type: 'boolean', default: false },
    package: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const reason = values.help ? undefined : missingForAndroid()
if (values.help) console.log(usage)
else if (reason) console.log(`The tests of the Android SDK are skipped: ${reason}.\n0 passed, 0 failed, 1 skipped`)
else if (values.format) layout(true)
else if (values.package) {
  await compileAndroid()
  await checkPackage()
} else {
  if (positionals.length === 0) layout(false)
  await test(positionals)
  if (positionals.length === 0) {
    checkLevels()
    await checkPackage()
  }
}

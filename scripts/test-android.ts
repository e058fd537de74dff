// Does the Android SDK keep its promises? Its tests on a JVM, against the real service and its faults.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  checkAndroidPackage,
  checkAndroidSurface,
  checkDex,
  jarOf,
  librariesOfApp,
  repositoryFolder,
  run,
} from './phones/android-artifacts.ts'
import { checkGradle } from './phones/android-gradle.ts'
import { checkGuideApp } from './phones/android-guide.ts'
import { levelFaults, methodsOf, readDeclarations } from './phones/android-levels.ts'
import { writeReactNativeSpec } from './phones/react-native-spec.ts'
import { startPhoneServices } from './phones/services.ts'
import { takeTurn } from './phones/turn.ts'
import { compileAndroid, missingForAndroid } from './release/android-package.ts'
import { root } from './release/server-bundle.ts'

const usage = `npm run test:android                       everything, as CI does
npm run test:android -- NAME…              tests of the classes whose names hold one of these
npm run test:android -- --format           writes the layout that the tests ask for, and nothing else
npm run test:android -- --package          what an Android team gets, and nothing else
npm run test:android -- --update           the same, and writes android/golden: what apps see is meant to change
npm run test:android -- --help

Needs a JDK of 17 or later, and Maven. Without them it is skipped.`

const maven = ['--batch-mode', '--no-transfer-progress', '--strict-checksums']

/** Compares the layout of the Kotlin files with that of ktfmt, or writes it. */
function layout(isWritten: boolean): void {
  const program = jarOf('com.facebook:ktfmt:0.61:jar:with-dependencies')
  const files = globSync(['android/**/*.kt', 'examples/android-login/**/*.kt'], { cwd: root })
  const check = isWritten ? [] : ['--dry-run', '--set-exit-if-changed']
  run('layout (npm run test:android -- --format)', 'java', ['-jar', program, '--google-style', ...check, ...files])
}

/** Compares each use of a member of Android with the level that has it. */
function checkLevels(): void {
  run('declarations of Android', 'npm', ['ci', '--silent', '--ignore-scripts', '--prefix', 'android/levels'])
  const folder = 'android/levels/node_modules/@nativescript/types-android/lib/android'
  const classes = readDeclarations(readFileSync(`${root}${folder}/android-platform-21-37-merged.d.ts`, 'utf8'))
  const wrapper = '.build/android/ringfence-device/test-classes/ringfence/reactnative'
  const methods = [...globSync('.build/android/*/classes', { cwd: root }), wrapper].flatMap(methodsOf)
  const faults = levelFaults(classes, methods)
  if (faults.length > 0) throw new Error(`levels of Android:\n${faults.join('\n')}`)
  console.log(`levels of Android: ${methods.length} methods use what API 23 has, or know the level`)
}

/** Returns the classes that an app gets. */
async function checkArtifacts(update: boolean): Promise<string[]> {
  checkAndroidSurface(update)
  checkDex()
  return checkAndroidPackage()
}

/** Not `spawnSync`: the fault server is part of this process, and must be able to answer. */
async function ended(
  title: string,
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  folder = '',
): Promise<void> {
  const [program, ...args] = command
  const [code] = await once(spawn(program, args, { cwd: `${root}${folder}`, stdio: 'inherit', env }), 'exit')
  if (code !== 0) throw new Error(`${title}: failed`)
}

/** Prints what `initialize` and a first fetch cost a process that has just started, and later ones. */
async function measure(env: NodeJS.ProcessEnv): Promise<void> {
  const classes = ['classes', 'test-classes'].map((name) => `${root}.build/android/ringfence-core/${name}`)
  const classPath = [...classes, ...librariesOfApp()].join(':')
  await ended('the measurement', ['java', '-cp', classPath, 'ringfence.MeasureKt'], env, 'android/core')
}

async function test(names: readonly string[]): Promise<void> {
  const started = performance.now()
  writeReactNativeSpec()
  const services = await startPhoneServices({ platform: 'ANDROID', packageName: 'com.example.shop' })
  try {
    const some =
      names.length > 0
        ? [`-Dtest=${names.map((name) => `*${name}*`).join()}`, '-Dsurefire.failIfNoSpecifiedTests=false']
        : []
    const env = { ...process.env, ...services.variables }
    const command = ['mvn', ...maven, '--file', 'android/pom.xml', ...some, 'verify'] as const
    await ended('the tests of the Android SDK', command, env)
    if (names.length === 0) {
      await measure(env)
      checkLevels()
      const sdk = await checkArtifacts(false)
      await checkGradle(repositoryFolder)
      const { closedUrl, service } = services
      await checkGuideApp({ url: closedUrl, appId: service.appId }, sdk, (program) =>
        ended('the app of the guide', program, env, 'android/core'),
      )
    }
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
    update: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const reason = values.help ? undefined : missingForAndroid()
if (!values.help && !reason) await takeTurn()
if (values.help) console.log(usage)
else if (reason) console.log(`The tests of the Android SDK are skipped: ${reason}.\n0 passed, 0 failed, 1 skipped`)
else if (values.format) layout(true)
else if (values.package || values.update) {
  await compileAndroid()
  await checkArtifacts(values.update)
} else {
  if (positionals.length === 0) layout(false)
  await test(positionals)
}

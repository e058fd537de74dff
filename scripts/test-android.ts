// Does the Android SDK keep its promises? Its tests on a JVM, against the real service and its faults.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { levelFaults, methodsOf, readDeclarations } from './phones/android-levels.ts'
import { startPhoneServices } from './phones/services.ts'

const usage = `npm run test:android                       everything, as CI does
npm run test:android -- NAME…              tests of the classes whose names hold one of these
npm run test:android -- --format           writes the layout that the tests ask for, and nothing else
npm run test:android -- --help

Needs a JDK of 17 or later, and Maven. Without them it is skipped.`

const root = fileURLToPath(new URL('..', import.meta.url))

/** Why the tests cannot run on this machine. */
function missing(): string | undefined {
  // Maven says which Java it runs with.
  const { stdout, error } = spawnSync('mvn', ['--version'], { encoding: 'utf8' })
  if (error) return 'Maven is not installed'
  const version = Number(/^Java version: (\d+)/m.exec(stdout)?.[1] ?? 0)
  return version >= 17 ? undefined : `Maven runs with Java ${version}, and a JDK of 17 or later is needed`
}

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
  options: { format: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
})
const reason = values.help ? undefined : missing()
if (values.help) console.log(usage)
else if (reason) console.log(`The tests of the Android SDK are skipped: ${reason}.\n0 passed, 0 failed, 1 skipped`)
else if (values.format) layout(true)
else {
  if (positionals.length === 0) layout(false)
  await test(positionals)
  if (positionals.length === 0) checkLevels()
}

// Does the iOS SDK keep its promises? Swift tests on Linux against the real service and its faults, then the type-check for iOS.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { checkDocumented, checkSurface } from './ios-surface.ts'
import { writeReactNativeSpec } from './phones/react-native-spec.ts'
import type { PhoneService } from './phones/service.ts'
import { startPhoneServices } from './phones/services.ts'
import { takeTurn } from './phones/turn.ts'
import { iosBundle } from './release/ios-package.ts'
import { releaseSource } from './release/source.ts'

const usage = `npm run test:ios                          everything, as CI does
npm run test:ios -- NAME…                 Swift tests whose names hold one of these, and nothing else
npm run test:ios -- --sanitize thread     the Swift tests under a sanitizer, and nothing else
npm run test:ios -- --update              writes ios/golden: what apps see of the package is meant to change`

const root = fileURLToPath(new URL('..', import.meta.url))
const toolchain = join(root, 'scripts/swift-toolchain.sh')

/** Runs a command and prints how long it took; throws when it fails. */
function run(title: string, command: string, args: readonly string[]): void {
  const started = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: root })
  if (status !== 0) throw new Error(`${title}: failed`)
  console.log(`${title}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

const strict = ['-Xswiftc', '-warnings-as-errors']
const swift = (title: string, ...args: string[]) => run(title, toolchain, ['run', root, '--', ...args])

/** An app outside of the repository that depends on the package of a release by URL and version: gets its dfrId. */
async function dfrIdOfApp({ url, appId, packageName }: PhoneService, folder: string): Promise<string> {
  await writeFile(join(folder, 'release.bundle'), await iosBundle(await releaseSource({ allowDirty: true })))
  run('clone', 'git', ['clone', '--quiet', '--bare', join(folder, 'release.bundle'), join(folder, 'ringfence-ios.git')])
  const products = ['DeviceIntelligence', 'HeadlessAuthentication'].map(
    (name) => `.product(name: "${name}", package: "ringfence-ios")`,
  )
  const manifest = `// swift-tools-version:5.5
import PackageDescription

let package = Package(
  name: "App",
  dependencies: [.package(url: "file://${folder}/ringfence-ios.git", from: "1.2.0")],
  targets: [.executableTarget(name: "App", dependencies: [${products.join(', ')}])]
)
`
  await mkdir(join(folder, 'app/Sources'), { recursive: true })
  await writeFile(join(folder, 'app/Package.swift'), manifest)
  await cp(join(root, 'ios/Scratch'), join(folder, 'app/Sources/App'), { recursive: true })
  // Nothing of this resolution may be found by the next one.
  const own = ['cache', 'config', 'security'].map((name) => `--${name}-path=${folder}/${name}`)
  run('app', toolchain, ['run', folder, '--', 'swift', 'build', '-j', '2', '--package-path', 'app', ...own])
  const args = ['run', folder, '--', 'app/.build/debug/App', url, appId, packageName]
  return spawnSync(toolchain, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).stdout.trim()
}

/** A backend opens the report of that dfrId. */
async function openReport(service: PhoneService, dfrId: string) {
  const report = await service.report(dfrId)
  // Without keychain and vendor id this machine cannot be recognised: deviceId stays empty.
  if (report.sessionId === '' || report.deviceMeta.totalRAM === undefined)
    throw new Error(`report: ${JSON.stringify(report)}`)
  console.log(`dfrId ${dfrId}: ${JSON.stringify(report)}`)
}

/** Builds the tests into `scratch`, and runs them against the real service and the faulty one; the whole of it also with an app. */
async function testCore(names: readonly string[], scratch: string, sanitize: readonly string[]): Promise<void> {
  const isWhole = names.length === 0 && sanitize.length === 0
  const options = ['--scratch-path', scratch, ...sanitize]
  swift('build', 'swift', 'build', '--build-tests', '-j', '2', ...options, ...strict)
  const services = await startPhoneServices({ platform: 'IOS', packageName: 'com.example.shop' })
  try {
    const variables = {
      ...services.variables,
      TSAN_OPTIONS: 'halt_on_error=1', // else a finding is only a line in the output
    }
    const filter = names.flatMap((name) => ['--filter', name])
    // Not `run`: the fault server is part of this process, and must be able to answer.
    const child = spawn(toolchain, ['run', root, '--', 'swift', 'test', '--skip-build', ...options, ...filter], {
      stdio: 'inherit',
      env: { ...process.env, ...variables, RINGFENCE_PASS: Object.keys(variables).join(' ') },
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('swift test failed')
    if (isWhole) await openReport(services.service, await dfrIdOfApp(services.service, services.folder))
  } finally {
    await services.close()
  }
}

async function checkForIos(update: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-'))
  try {
    writeReactNativeSpec()
    run('iOS 13, Swift 5', 'scripts/ios-typecheck.sh', ['5'])
    run('iOS 13, Swift 6', 'scripts/ios-typecheck.sh', ['6', folder])
    run('other systems', 'scripts/ios-typecheck.sh', ['elsewhere'])
    checkSurface(folder, update)
    checkDocumented(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean', default: false },
    sanitize: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (!values.help) await takeTurn()
if (values.help) {
  console.log(usage)
} else if (values.sanitize) {
  await testCore(names, `.build/linux-${values.sanitize}`, [`--sanitize=${values.sanitize}`])
} else if (names.length > 0) {
  await testCore(names, '.build/linux', [])
} else {
  const sources = ['ios/Sources', 'ios/Tests', 'ios/Scratch', 'examples/ios-login', 'Package.swift']
  swift('layout', 'swift-format', 'lint', '--strict', '--parallel', '--recursive', ...sources)
  await testCore([], '.build/linux', [])
  // The manifest chooses mode 6 for this compiler; one of 5.x has mode 5.
  const mode5 = ['-Xswiftc', '-swift-version', '-Xswiftc', '5']
  swift('Swift 5', 'swift', 'build', '-j', '2', '--scratch-path', '.build/swift-5', ...mode5, ...strict)
  await checkForIos(values.update)
}

// Does the iOS SDK keep its promises? Swift tests on Linux against the real service and its faults, then the type-check for iOS.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Ringfence } from '@ringfence/node'
import { startFaultServer } from './ios-fault-server.ts'
import { type IosService, startIosService } from './ios-service.ts'
import { checkDocumented, checkSurface } from './ios-surface.ts'

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

const swift = (title: string, ...args: string[]) => run(title, toolchain, ['run', root, '--', ...args])

/** A backend opens the report of the dfrId that the Swift core received. */
async function openReport({ url, appId, bundleId, clientId, clientSecret }: IosService, scratch: string) {
  const args = ['run', root, '--', `${scratch}/debug/dfr-fetch`, url, appId, bundleId]
  const { stdout } = spawnSync(toolchain, args, { encoding: 'utf8', cwd: root })
  const ringfence = new Ringfence({ baseUrl: url, clientId, clientSecret })
  const report = await ringfence.deviceFingerprint({ dfrId: stdout.trim(), deviceType: 'IOS' })
  // Without keychain and vendor id this machine cannot be recognised: deviceId stays empty.
  if (report.sessionId === '' || report.deviceMeta.totalRAM === undefined)
    throw new Error(`report: ${JSON.stringify(report)}`)
  console.log(`dfrId ${stdout.trim()}: ${JSON.stringify(report)}`)
}

/** Builds the tests into `scratch`, and runs them against the real service and the faulty one. */
async function testCore(names: readonly string[], scratch: string, sanitize: readonly string[]): Promise<void> {
  const options = ['--scratch-path', scratch, ...sanitize]
  swift('build', 'swift', 'build', '--build-tests', '-j', '2', ...options)
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-'))
  const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const service = await startIosService(folder, 'com.example.shop')
    ends.push(() => service.close())
    const faults = await startFaultServer({
      otp: ({ to = '' }) => ({ otp: service.otpOf(to) }),
      link: async ({ to = '' }) => ({ location: await service.openLink(to) }),
      provider: async ({ url = '' }) => ({ location: await service.signInAtProvider(url) }),
      validate: ({ token = '' }) => service.validate(token),
      'begin-verification': ({ number = '' }) => service.beginVerification(number),
      'complete-verification': ({ id = '', state = '', code = '' }) =>
        service.completeVerification({ verificationId: id, state, code }),
    })
    ends.push(() => faults.close())
    const variables = {
      RINGFENCE_URL: service.url,
      RINGFENCE_APP_ID: service.appId,
      RINGFENCE_BUNDLE_ID: service.bundleId,
      RINGFENCE_FAULTS: faults.url,
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
    await openReport(service, scratch)
  } finally {
    for (const close of ends.toReversed()) await close()
  }
}

async function checkForIos(update: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-'))
  try {
    run('iOS 13, Swift 5', 'scripts/ios-typecheck.sh', ['5'])
    run('iOS 13, Swift 6', 'scripts/ios-typecheck.sh', ['6', folder])
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
if (values.help) {
  console.log(usage)
} else if (values.sanitize) {
  await testCore(names, `.build/linux-${values.sanitize}`, [`--sanitize=${values.sanitize}`])
} else if (names.length > 0) {
  await testCore(names, '.build/linux', [])
} else {
  const sources = ['ios/Sources', 'ios/Tests', 'examples/ios-login', 'Package.swift']
  swift('layout', 'swift-format', 'lint', '--strict', '--parallel', '--recursive', ...sources)
  await testCore([], '.build/linux', [])
  const strict = ['-Xswiftc', '-swift-version', '-Xswiftc', '6', '-Xswiftc', '-warnings-as-errors']
  swift('Swift 6', 'swift', 'build', '-j', '2', '--scratch-path', '.build/swift-6', ...strict)
  await checkForIos(values.update)
}

// Does the iOS SDK keep its promises? Swift tests on Linux against the real service and its faults, then the type-check for iOS.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Ringfence } from '@ringfence/node'
import { startFaultServer } from './ios-fault-server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const toolchain = join(root, 'scripts/swift-toolchain.sh')
const bundleId = 'com.example.shop'

/** A service of the command line, in a folder of its own, that shows the messages it would send. */
async function startService(folder: string) {
  const program = join(root, 'cli/bin/ringfence.js')
  const settings = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } }
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      ...settings,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`ringfence ${args[0]}: ${stderr}`)
    return stdout
  }
  const credentials = JSON.parse(run('init', '--tenant', 'shop', '--json')) as Credentials
  const create = ['apps', 'create', '--tenant', 'shop', '--name', 'shop', '--bundle-id', bundleId, '--json']
  const { appId } = JSON.parse(run(...create)) as { appId: string }
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--try-out', '--log-level', 'warn'], {
    ...settings,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let written = ''
  const url = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text
      const found = /^Ringfence listens at ([^\s,]+)/m.exec(written)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`ringfence serve ended with ${code}`)))
  })
  return { child, appId, credentials, url: await url, otpOf: (to: string) => otpIn(written, to) }
}

interface Credentials {
  clientId: string
  clientSecret: string
}

/** A backend opens the report by the dfrId that the Swift core has got. */
async function openReport(service: { url: string; appId: string; credentials: Credentials }): Promise<void> {
  const args = ['run', root, '--', '.build/linux/debug/dfr-fetch', service.url, service.appId, bundleId]
  const { stdout } = spawnSync(toolchain, args, { encoding: 'utf8', cwd: root })
  const { clientId, clientSecret } = service.credentials
  const ringfence = new Ringfence({ baseUrl: service.url, clientId, clientSecret })
  const report = await ringfence.deviceFingerprint({ dfrId: stdout.trim(), deviceType: 'IOS' })
  // Without a keychain or vendor id, this machine is no device that could be known again: deviceId stays empty.
  if (report.sessionId === '' || report.deviceMeta.totalRAM === undefined)
    throw new Error(`report: ${JSON.stringify(report)}`)
  console.log(`dfrId ${stdout.trim()}: ${JSON.stringify(report)}`)
}

/** The digits of the last message to a number. */
function otpIn(shown: string, to: string): string | undefined {
  const message = shown
    .split(/(?=SMS to )/)
    .findLast((part) => part.startsWith(`SMS to ${to}`) || part.startsWith(`SMS to +${to}`))
  return /\n\D*(\d{6})\D/.exec(message ?? '')?.[1]
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Runs a command and says how long it took; throws when it fails. */
function run(title: string, command: string, args: readonly string[]): void {
  const started = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'inherit', cwd: root })
  if (status !== 0) throw new Error(`${title}: failed`)
  console.log(`${title}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

const swift = (title: string, ...args: string[]) => run(title, toolchain, ['run', root, '--', ...args])

const scratch = ['--scratch-path', '.build/linux']

async function testCore(filter: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-'))
  const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const service = await startService(folder)
    ends.push(() => end(service.child))
    const faults = await startFaultServer(service.otpOf)
    ends.push(() => faults.close())
    const variables = {
      RINGFENCE_URL: service.url,
      RINGFENCE_APP_ID: service.appId,
      RINGFENCE_BUNDLE_ID: bundleId,
      RINGFENCE_FAULTS: faults.url,
    }
    // Not `run`: the fault server is of this process, and has to answer meanwhile.
    const child = spawn(toolchain, ['run', root, '--', 'swift', 'test', '--skip-build', ...scratch, ...filter], {
      stdio: 'inherit',
      env: { ...process.env, ...variables, RINGFENCE_PASS: Object.keys(variables).join(' ') },
    })
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('swift test failed')
    await openReport(service)
  } finally {
    for (const close of ends.toReversed()) await close()
  }
}

/** What apps see of the package: as it was, unless `--update` says that it is to change. */
function checkSurface(folder: string, update: boolean): void {
  const golden = join(root, 'ios/golden')
  for (const file of readdirSync(folder)) {
    const now = readFileSync(join(folder, file), 'utf8')
    if (update) writeFileSync(join(golden, file), now)
    else if (now !== readFileSync(join(golden, file), 'utf8')) {
      spawnSync('diff', ['-u', join(golden, file), join(folder, file)], { stdio: 'inherit' })
      throw new Error(`ios/golden/${file} differs: apps would notice. If that is meant: npm run test:ios -- --update`)
    }
  }
}

const { values, positionals: filter } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false } },
})
const sources = ['ios/Sources', 'ios/Tests', 'examples/ios-login', 'Package.swift']
swift(
  'layout',
  'swift-format',
  'lint',
  '--strict',
  '--parallel',
  '--recursive',
  ...sources.filter((path) => existsSync(join(root, path))),
)
swift('build', 'swift', 'build', '--build-tests', '-j', '2', ...scratch)
await testCore(filter)
const strict = ['-Xswiftc', '-swift-version', '-Xswiftc', '6', '-Xswiftc', '-warnings-as-errors']
swift('Swift 6', 'swift', 'build', '-j', '2', '--scratch-path', '.build/swift-6', ...strict)
const folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-'))
try {
  run('iOS 13, Swift 5', 'scripts/ios-typecheck.sh', ['5'])
  run('iOS 13, Swift 6', 'scripts/ios-typecheck.sh', ['6', folder])
  checkSurface(folder, values.update)
} finally {
  await rm(folder, { recursive: true })
}

// Does the iOS SDK keep its promises? Swift tests on Linux against the real service and its faults, then the type-check for iOS.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  run('init', '--tenant', 'shop')
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
  return { child, appId, url: await url, otpOf: (to: string) => otpIn(written, to) }
}

/** The digits of the last message to a number. */
function otpIn(shown: string, to: string): string | undefined {
  const message = shown.split(/(?=SMS to )/).findLast((part) => part.startsWith(`SMS to ${to}`) || part.startsWith(`SMS to +${to}`))
  return /\n\D*(\d{6})\D/.exec(message ?? '')?.[1]
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Runs a command in the toolchain; throws when it fails. */
function swift(args: readonly string[], variables: Record<string, string> = {}): void {
  const started = performance.now()
  const child = spawnSync(toolchain, ['run', root, '--', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...variables, RINGFENCE_PASS: Object.keys(variables).join(' ') },
  })
  if (child.status !== 0) throw new Error(`${args.slice(0, 2).join(' ')} failed`)
  console.log(`${args.slice(0, 2).join(' ')}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

const build = ['-j', '2', '--scratch-path', '/home/build']

async function testCore(filter: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-ios-'))
  const ends: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    const service = await startService(folder)
    ends.push(() => end(service.child))
    const faults = await startFaultServer(service.otpOf)
    ends.push(() => faults.close())
    // Not spawnSync: the fault server is of this process, and has to answer meanwhile.
    const variables = {
      RINGFENCE_URL: service.url,
      RINGFENCE_APP_ID: service.appId,
      RINGFENCE_BUNDLE_ID: bundleId,
      RINGFENCE_FAULTS: faults.url,
    }
    const child = spawn(
      toolchain,
      ['run', root, '--', 'swift', 'test', '--skip-build', '--scratch-path', '/home/build', ...filter],
      {
        stdio: 'inherit',
        env: { ...process.env, ...variables, RINGFENCE_PASS: Object.keys(variables).join(' ') },
      },
    )
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('swift test failed')
  } finally {
    for (const close of ends.toReversed()) await close()
  }
}

const filter = process.argv.slice(2)
swift(['swift', 'build', '--build-tests', ...build])
await testCore(filter)

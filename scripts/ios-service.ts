// Which service do the Swift tests call? `ringfence serve --sandbox` in a temporary folder, which prints its messages.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../cli/bin/ringfence.js', import.meta.url))

export interface IosService {
  url: string
  appId: string
  bundleId: string
  clientId: string
  clientSecret: string
  /** The digits of the last message to a number. */
  otpOf(to: string): string | undefined
  close(): Promise<void>
}

/** A tenant with an app of this bundle id, served until `close`. Throws with the program's output when it does not start. */
export async function startIosService(folder: string, bundleId: string): Promise<IosService> {
  const settings = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } }
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
      ...settings,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`ringfence ${args[0]}: ${stderr}`)
    return stdout
  }
  const { clientId, clientSecret } = JSON.parse(run('init', '--tenant', 'shop', '--json')) as IosService
  const create = ['apps', 'create', '--tenant', 'shop', '--name', 'shop', '--bundle-id', bundleId, '--json']
  const { appId } = JSON.parse(run(...create)) as IosService
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--sandbox', '--log-level', 'warn'], {
    ...settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let shown = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      const found = /^Ringfence listens at ([^\s,]+)/m.exec(shown)?.[1]
      if (found) resolve(found)
    })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.once('exit', (code) => reject(new Error(`ringfence serve ended with ${code}: ${said}`)))
  })
  return { url, appId, bundleId, clientId, clientSecret, otpOf: (to) => otpIn(shown, to), close: () => end(child) }
}

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

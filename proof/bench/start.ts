// How long from the start of `ringfence serve` to its first answer, and how much memory does it use then? Of the release, and
// from source.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { builtRelease, source } from '../../scripts/release/testing.ts'
import { type Bench, inTurns, row } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'

const bareServer = `require('node:http').createServer((_, response) => response.end('{}'))
  .listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port) })`
/** Long enough for the garbage of the start to be collected. */
const idleMs = 2_000
/** Of Linux: the unit of the times in /proc. */
const ticksPerSecond = 100

export const start: Bench = {
  name: 'start',
  run: () =>
    withResources(async (_keep, folder) => {
      const clone = [process.execPath, path.join(import.meta.dirname, '..', '..', 'cli', 'bin', 'ringfence.js')]
      const home = await unpackedRelease(folder)
      const installed = [path.join(home, 'bin', 'ringfence')]
      const compileCache = path.join(home, 'cli', 'dist', 'compile-cache')
      let fresh = 0
      const serve = (command: readonly string[], data: string, environment = {}) =>
        started([...command, 'serve', '--create', '--port', '0', '--data', path.join(folder, data)], environment)
      await serve(installed, 'again')
      await serve(clone, 'again')
      const figures = await inTurns({
        bare: () => started([process.execPath, '-e', bareServer]),
        first() {
          fs.rmSync(compileCache, { recursive: true, force: true })
          return serve(installed, `fresh-${fresh++}`)
        },
        again: () => serve(installed, 'again'),
        readOnly: () => serve(installed, 'again', { NODE_DISABLE_COMPILE_CACHE: '1' }),
        clone: () => serve(clone, 'again'),
      })
      const { bare, first, again, readOnly } = figures
      const goal = { atMost: 500 }
      return [
        {
          title: 'Start and idle memory of `ringfence serve`',
          rows: [
            row('bare node:http, start to first answer', 'ms', bare.startMs),
            row('first start after the installation', 'ms', first.startMs, goal),
            row('start to first answer', 'ms', again.startMs, goal),
            row('start in a read-only folder', 'ms', readOnly.startMs, goal),
            row('… from source', 'ms', figures.clone.startMs),
            row('bare node:http, CPU time', 'ms', bare.cpuMs),
            row('first start, CPU time', 'ms', first.cpuMs),
            row('start, CPU time', 'ms', again.cpuMs),
            row('… in a read-only folder', 'ms', readOnly.cpuMs),
            row('… from source', 'ms', figures.clone.cpuMs),
            row('bare node:http, resident when idle', 'MB', bare.residentMb),
            row('resident when idle', 'MB', again.residentMb, { atMost: 130 }),
            row('… of that, not shared with other processes', 'MB', again.ownMb),
            row('… from source', 'MB', figures.clone.residentMb),
          ],
          notes: [
            `The installed release, embedded store, no sandbox, until the answer of /health; memory (RSS) ${idleMs / 1000} s later. ` +
              'The first start stores compiled code for later ones where the folder of the package is writable: not in the container, and not under systemd.',
          ],
        },
      ]
    }),
}

/** The folder of the unpacked tarball; it runs with this Node. */
export async function unpackedRelease(folder: string): Promise<string> {
  const name = `ringfence-${source.version}`
  const tarball = path.join(folder, `${name}.tgz`)
  fs.writeFileSync(tarball, (await builtRelease()).get(`${name}.tgz`)!)
  await promisify(execFile)('tar', ['xzf', tarball, '-C', folder])
  return path.join(folder, name)
}

/** Starts a command, asks the address that it prints, then stops it. */
async function started(
  [command = '', ...args]: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ startMs: number; cpuMs: number; residentMb: number; ownMb: number }> {
  const startedAt = performance.now()
  const PATH = `${path.dirname(process.execPath)}:${process.env.PATH}`
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH, ...environment },
  })
  const exit = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  try {
    const url = await printedUrl(child.stdout)
    if (url === undefined) throw new Error(`no address was printed: ${said}`)
    await (await fetch(`${url}/health`)).text()
    const startMs = performance.now() - startedAt
    const cpuMs = cpuMsOf(child.pid!)
    await wait(idleMs)
    return { startMs, cpuMs, ...memoryOf(child.pid!) }
  } finally {
    child.kill()
    await exit
  }
}

async function printedUrl(output: Readable): Promise<string | undefined> {
  let text = ''
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    text += chunk
    const url = /http:\/\/[\d.:]+/.exec(text)?.[0]
    if (url && text.includes('\n')) return url
  }
  return undefined
}

/** User and system time of all threads (Linux only). */
function cpuMsOf(pid: number): number {
  // The name of the program, which comes before, is in brackets.
  const [, fields = ''] = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13)
  return ((Number(user) + Number(system)) * 1000) / ticksPerSecond
}

/** All resident memory, and the part that is no file shared with other processes, such as the Node binary (Linux only). */
function memoryOf(pid: number): { residentMb: number; ownMb: number } {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6
  return { residentMb: megabytes('VmRSS'), ownMb: megabytes('RssAnon') }
}

// How long from the start of `ringfence serve` to its first answer, and how much memory does it use then?

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { type Bench, inTurns } from './harness/harness.ts'
import { withResources } from './harness/processes.ts'

const command = path.join(import.meta.dirname, '..', 'cli', 'bin', 'ringfence.js')
const bareServer = `require('node:http').createServer((_, response) => response.end('{}'))
  .listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port) })`
/** Long enough for the garbage of the start to be collected. */
const idleMs = 2_000

export const start: Bench = {
  name: 'start',
  run: () =>
    withResources(async (_keep, folder) => {
      let fresh = 0
      const serve = (data: string) =>
        started([command, 'serve', '--create', '--port', '0', '--data', path.join(folder, data)])
      await serve('again')
      const figures = await inTurns({
        bare: () => started(['-e', bareServer]),
        first: () => serve(`fresh-${fresh++}`),
        again: () => serve('again'),
      })
      return [
        {
          title: 'Start and idle memory of `ringfence serve`',
          rows: [
            { what: 'bare node:http, start to first answer', unit: 'ms', values: figures.bare.startMs },
            { what: 'first start, with an empty data folder', unit: 'ms', values: figures.first.startMs },
            { what: 'start to first answer', unit: 'ms', values: figures.again.startMs, goal: { atMost: 700 } },
            { what: 'bare node:http, resident when idle', unit: 'MB', values: figures.bare.residentMb },
            { what: 'resident when idle', unit: 'MB', values: figures.again.residentMb, goal: { atMost: 120 } },
            { what: '… of that, not shared with other processes', unit: 'MB', values: figures.again.ownMb },
          ],
          notes: [
            `From the start of the process to the answer of /health; memory (RSS) ${idleMs / 1000} s later. Embedded store, no sandbox. ` +
              'The command stores compiled code for the next start, even at the first start here.',
          ],
        },
      ]
    }),
}

/** Starts Node with these arguments, asks the address that it prints, then stops it. */
async function started(args: readonly string[]): Promise<{ startMs: number; residentMb: number; ownMb: number }> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
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
    await wait(idleMs)
    return { startMs, ...memoryOf(child.pid!) }
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

/** All resident memory, and the part that is no file shared with other processes, such as the Node binary (Linux only). */
function memoryOf(pid: number): { residentMb: number; ownMb: number } {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (field: string) =>
    (Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024) / 1e6
  return { residentMb: megabytes('VmRSS'), ownMb: megabytes('RssAnon') }
}

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

function started(
  ...options: string[]
): ChildProcess & { stdout: NodeJS.ReadableStream; stderr: NodeJS.ReadableStream } {
  return spawn(process.execPath, [main, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
}

test('prints in one line where it listens, and stops on SIGTERM', async () => {
  const child = started('--port', '0', '--quiet')
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const url = /^Sandbox operator at (http:\/\/127\.0\.0\.1:\d+) \(made-up data; client id ringfence\)\n$/.exec(
    String(line),
  )
  const answer = await fetch(`${url?.[1]}/sandbox/clock`)
  assert.equal(answer.status, 200)
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
})

/** The process stands still for a moment when it has written to its output. */
const standsStill = `
  const { write } = process.stdout
  process.stdout.write = (...given) => {
    const isWritten = write.apply(process.stdout, given)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    return isWritten
  }`

test('stops on a SIGTERM of whoever has just read where it listens', async () => {
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(standsStill)}`, main, '--port', '0', '--quiet'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
})

test('says what to do when an option is wrong or the port is taken', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.after(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const mistakes: [string[], RegExp][] = [
    [['--port', 'x'], /^ringfence-sandbox: --port must be a whole number from 0 to 65535\n$/],
    [['--jwks', 'nowhere.json'], /^ringfence-sandbox: --jwks nowhere\.json must be a JSON file: /],
    [['--colour', 'red'], /^ringfence-sandbox: Unknown option '--colour'/],
    [['--port', String(port)], /is taken: stop the process that uses it, or choose another port with --port\n$/],
  ]
  await Promise.all(
    mistakes.map(async ([options, message]) => {
      const child = started('--quiet', ...options)
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
      assert.match(stderr, message)
      assert.equal(code, 1)
    }),
  )
})

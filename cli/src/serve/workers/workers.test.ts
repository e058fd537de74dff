// Do several processes serve as one: when one dies, hangs, holds a lease, or is replaced under load?

import assert from 'node:assert/strict'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { bodyOf } from '@ringfence/server/testing/body-of.ts'
import { postgresDatabases } from '@ringfence/server/testing/databases.ts'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { assertFailed, commandLine, type Ending } from '../../testing.ts'

interface Line {
  pid: number
  worker?: number
  msg: string
}

async function startWorkers(t: Ending, { count = 2, env = {}, words = [] as string[] } = {}) {
  const line = await commandLine(t)
  const database = await postgresDatabases.place(t)
  const of = { env: { DATABASE_URL: database, ...env } }
  const service = await line.serve(['--workers', String(count), '--log-level', 'info', ...words], of)
  const lines = () =>
    service.stderr
      .split('\n')
      .slice(0, -1)
      .map((text) => JSON.parse(text) as Line)
  const listening = (place: number) =>
    lines().findLast(({ msg, worker }) => msg === 'listening' && worker === place)?.pid
  /** The newest process of each place. A line of the log is written a moment after what it says. */
  const pids = () =>
    until(
      async () => Array.from({ length: count }, (_, place) => listening(place + 1)),
      (found): found is number[] => found.every((pid) => pid !== undefined),
    ) as Promise<number[]>
  return {
    ...{ line, of, service, url: service.url, pids },
    logged: (text: string) =>
      until(
        async () => lines(),
        (all) => all.some(({ msg }) => msg === text),
      ),
  }
}
type Started = Awaited<ReturnType<typeof startWorkers>>

/** A new connection, so that the first process chooses who answers. */
async function ask({ url }: Pick<Started, 'url'>, path: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk
  return answer
}

const isUp = async (started: Started) =>
  (await Promise.all(Array.from({ length: 6 }, () => ask(started, '/ready')))).every((answer) =>
    answer.startsWith('HTTP/1.1 200'),
  )

/** Waits until the place is served by another process. */
const replaced = (started: Started, place: number, before: number) =>
  until(
    async () => (await started.pids())[place - 1],
    (pid) => pid !== before,
  )

test('a worker that dies is replaced, and the others serve meanwhile', async (t) => {
  const started = await startWorkers(t)
  assert.ok(await isUp(started))
  const [first, second] = await started.pids()
  assert.notEqual(first, second)
  process.kill(first!, 'SIGKILL')
  await started.logged('a worker has ended; another one starts')
  assert.ok(await isUp(started))
  await replaced(started, 1, first!)
  assert.ok(await isUp(started))
  assert.equal((await started.pids())[1], second)
  const { code } = await started.service.stop('SIGTERM')
  assert.equal(code, 0)
})

test('when all workers die at once, all are replaced', async (t) => {
  const [port] = await freePorts(1)
  const started = await startWorkers(t, { words: ['--port', String(port)] })
  const pids = await started.pids()
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  for (const [at, pid] of pids.entries()) await replaced(started, at + 1, pid)
  assert.ok(await isUp(started))
  const { code } = await started.service.stop('SIGTERM')
  assert.equal(code, 0)
})

test('a worker that hangs is killed and replaced', async (t) => {
  const started = await startWorkers(t)
  const [, second] = await started.pids()
  process.kill(second!, 'SIGSTOP')
  await started.logged('a worker hangs; it is killed and replaced')
  await replaced(started, 2, second!)
  assert.throws(() => process.kill(second!, 0), /ESRCH/)
  assert.ok(await isUp(started))
})

/** Which of these processes has the other end of this connection? Its port alone may have other connections, also those that ended. */
function ownerOf({ localPort, remotePort }: Socket, pids: readonly number[]): number | undefined {
  const hex = (port: number | undefined) => `:${port!.toString(16).toUpperCase().padStart(4, '0')}`
  const row = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find(([, local = '', remote = '']) => local.endsWith(hex(remotePort)) && remote.endsWith(hex(localPort)))
  const link = `socket:[${row?.[9]}]`
  // A process may have ended, and a file may be closed meanwhile.
  const orNone = <T>(read: () => T, none: T): T => {
    try {
      return read()
    } catch {
      return none
    }
  }
  const opened = (pid: number) =>
    orNone(() => readdirSync(`/proc/${pid}/fd`), []).some(
      (fd) => orNone(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '') === link,
    )
  return pids.find(opened)
}

/** Calls the command line on the store of the service. */
async function onStore({ line, of }: Started, ...args: string[]) {
  const { code, stdout, stderr } = await line.run([...args, '--json'], of)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test('the lease of a worker that was killed ends, and another one delivers what waits', async (t) => {
  const started = await startWorkers(t, { env: { WEBHOOK_TARGETS: 'any' } })
  await onStore(started, 'init', '--tenant', 'shop')
  const pids = await started.pids()
  const arrived: { id: string; pid: number | undefined }[] = []
  const receiver = createServer(async (request, response) => {
    arrived.push({ id: JSON.parse(await bodyOf(request)).id, pid: ownerOf(request.socket, pids) })
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const { id } = await onStore(started, 'webhooks', 'add', url)
  const events = () => new Set(arrived.map((each) => each.id)).size
  // An event whose confirmation died with its worker arrives once more, and is not the one that waits.
  const deliver = async () => {
    const before = events()
    await onStore(started, 'webhooks', 'test', id)
    await until(
      async () => events(),
      (now) => now > before,
    )
    return arrived.at(-1)!.pid
  }
  const holder = await deliver()
  assert.ok(pids.includes(holder!), 'a worker delivers')
  assert.equal(await deliver(), holder, 'the one with the lease')
  process.kill(holder!, 'SIGKILL')
  assert.notEqual(await deliver(), holder)
  assert.equal(events(), 3)
})

test('SIGHUP replaces the workers one after the other, and no request under load fails', async (t) => {
  const started = await startWorkers(t)
  const client = await onStore(started, 'init', '--tenant', 'shop')
  const before = await started.pids()
  const { clientId, clientSecret } = client
  const headers = { 'content-type': 'application/json', clientId, clientSecret }
  let isDone = false
  let answered = 0
  const failures: unknown[] = []
  const call = async (caller: number) => {
    while (!isDone) {
      try {
        const isReady = answered % 5 === 0
        const response = isReady
          ? await fetch(`${started.url}/ready`)
          : await fetch(started.url + endpoints.validateToken.path, { method: 'POST', headers, body: '{"token":"x"}' })
        await response.text()
        if (response.status >= 500 || response.status === 429) failures.push(response.status)
        answered++
      } catch (error) {
        failures.push((error as Error).cause ?? error)
      }
      await pause(caller * 3)
    }
  }
  const calling = Promise.all(Array.from({ length: 8 }, (_, caller) => call(caller)))
  started.service.signal('SIGHUP')
  await started.logged('all workers have been replaced')
  do await pause(500)
  while (answered <= 100 && failures.length === 0)
  isDone = true
  await calling
  assert.deepEqual(failures, [])
  assert.ok(answered > 100, `${answered} answers`)
  const after = await started.pids()
  assert.ok(after.every((pid) => !before.includes(pid)))
  for (const pid of before) assert.throws(() => process.kill(pid, 0), /ESRCH/)
})

test('metrics are those of all workers, and what a dead one counted stays', async (t) => {
  const started = await startWorkers(t)
  const [first] = await started.pids()
  const counted = async () =>
    Number(
      /^ringfence_http_request_seconds_count\{route="\/health",status="200"\} (\d+)$/m.exec(
        await ask(started, '/metrics'),
      )?.[1],
    )
  for (let i = 0; i < 20; i++) await ask(started, '/health')
  // A request is counted a moment after its answer, and a worker that is busy for long is reported as it was before.
  const untilCounted = (count: number) => until(counted, (now) => now === count)
  await untilCounted(20)
  for (let i = 0; i < 4; i++) assert.equal(await counted(), 20, 'whoever answers')
  process.kill(first!, 'SIGKILL')
  await replaced(started, 1, first!)
  for (let i = 0; i < 4; i++) assert.equal(await counted(), 20)
  await ask(started, '/health')
  await untilCounted(21)
})

test('the workers end with the first process, however it ends', async (t) => {
  const started = await startWorkers(t)
  const pids = await started.pids()
  await started.service.stop('SIGKILL').catch(() => undefined)
  for (const pid of pids) {
    await until(
      async () => isAlive(pid),
      (alive) => !alive,
    )
  }
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('several workers are refused where only one process can serve', async (t) => {
  const { run } = await commandLine(t)
  assertFailed(
    await run(['serve', '--create', '--port', '0', '--workers', '2']),
    /the embedded store has one process; use PostgreSQL \(--database URL or DATABASE_URL\), or leave out --workers/,
  )
  assertFailed(await run(['serve', '--sandbox', '--workers', 'auto']), /--sandbox runs in one process/)
  assertFailed(await run(['serve', '--workers', '0']), /from 1 to 64/)
})

test('a configuration that no worker can start with is reported once, and the command ends', async (t) => {
  const { line, of, service } = await startWorkers(t)
  const { port } = new URL(service.url)
  const { code, stderr } = await line.run(['serve', '--port', port, '--workers', '2'], of)
  assert.equal(code, 1)
  assert.equal(stderr.match(/is taken: stop the process that uses it/g)?.length, 1)
})

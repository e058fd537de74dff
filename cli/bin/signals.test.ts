import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '@ringfence/server/testing/until.ts'
import { olderNode, program } from '../src/testing.ts'

const root = join(import.meta.dirname, '..', '..')
const hasNpm = spawnSync('npm', ['--version']).status === 0
const skipNpm = !hasNpm && 'this machine has no npm'
const newNode = process.execPath
/** What makes a process the first one of a new PID namespace, as in a container; undefined where that is not allowed. */
const pidNamespace = [
  ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc'],
  ['unshare', '--pid', '--fork', '--mount-proc'],
  ['bwrap', '--bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--as-pid-1'],
].find(([command = '', ...words]) => spawnSync(command, [...words, 'true']).status === 0)

interface Started {
  /** The process that the test started: npm, a shell, a Node. */
  starter: ChildProcess
  url: URL
  /** The log of the service so far. */
  readonly log: string
  /** Waits until no process is left, the service included, and all of the log was read; throws when one remains. */
  allEnded(): Promise<void>
}

/** Starts a command line that serves, and waits until it listens. Its processes are one group, which ends with the test. */
async function started(
  t: TestContext,
  words: readonly string[],
  env: Record<string, string> = {},
  options = '--sandbox --port 0 --log-level info',
): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-signals-'))
  const line = [...words, ...options.split(' '), '--data', folder]
  const PATH = [dirname(newNode), process.env.PATH].join(delimiter)
  const starter = spawn(line[0]!, line.slice(1), {
    cwd: root,
    env: { PATH, HOME: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const group = -starter.pid!
  const closed = new Promise((resolve) => starter.once('close', resolve))
  t.after(async () => {
    if (isRunning(group)) process.kill(group, 'SIGKILL')
    await closed // whoever still writes in the folder has the output too
    await rm(folder, { recursive: true, force: true })
  })
  let stdout = ''
  let log = ''
  starter.stdout.on('data', (bytes) => {
    stdout += bytes
  })
  starter.stderr.on('data', (bytes) => {
    log += bytes
  })
  const listens = /^Ringfence listens at (\S+)/m
  await until(
    async () => {
      assert.ok(isRunning(group), `ended: ${log}`)
      return stdout
    },
    (text) => listens.test(text),
  )
  return {
    starter,
    url: new URL(listens.exec(stdout)![1]!),
    get log() {
      return log
    },
    allEnded: () =>
      until(
        async () => isRunning(group),
        (running) => !running,
      ).then(async () => void (await closed)),
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const starters: readonly [string, readonly string[], Record<string, string>, string | false][] = [
  ['npm start', ['npm', 'start', '--'], {}, skipNpm],
  ['npx', ['npx', '--no-install', 'ringfence', 'serve'], {}, skipNpm],
  ['a shell', ['sh', '-c', `exec "${newNode}" "${program}" serve "$@"`, 'sh'], {}, false],
  [
    'an older Node',
    [olderNode ?? '', program, 'serve'],
    {},
    olderNode === undefined && 'this machine has no older Node',
  ],
]

suite('signals', { concurrency: 2 }, () => {
  for (const [name, words, env, skip] of starters) {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      test(`${signal} to ${name} stops the service, and leaves no process`, { skip }, async (t) => {
        const service = await started(t, words, env)
        const exit = once(service.starter, 'exit')
        service.starter.kill(signal)
        await exit
        await service.allEnded()
        assert.match(service.log, /"stopping".*"stopped"/s)
      })
    }
    if (words[0] === 'sh') continue // `exec` has replaced it
    test(`the service stops when ${name} is killed`, { skip }, async (t) => {
      const service = await started(t, words, env)
      service.starter.kill('SIGKILL')
      await service.allEnded()
      assert.equal(await answers(service.url), false)
    })
  }

  // The .npmrc of a clone is not there after an installation from a package.
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    test(`${signal} to npx stops the service also behind a shell that passes no signal on`, {
      skip: skipNpm,
    }, async (t) => {
      const words = ['npx', '--no-install', '--script-shell', 'sh', 'ringfence', 'serve']
      const service = await started(t, words)
      service.starter.kill(signal)
      await service.allEnded()
    })
  }

  test('a service in the background of a shell outlives the shell', async (t) => {
    const service = await started(t, ['sh', '-c', `"${newNode}" "${program}" serve "$@" & wait`, 'sh'])
    service.starter.kill('SIGKILL')
    await pause(1_500)
    assert.equal(await answers(service.url), true)
  })

  const skipContainer = pidNamespace === undefined && 'neither unshare nor bwrap can make a PID namespace here'
  for (const node of olderNode === undefined ? [newNode] : [newNode, olderNode]) {
    const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      test(`${signal} stops it as the first process of a container, with Node ${version}`, {
        skip: skipContainer,
      }, async (t) => {
        const service = await started(t, [...pidNamespace!, node, program, 'serve'])
        process.kill(firstProcessUnder(service.starter.pid!), signal)
        await service.allEnded()
        assert.match(service.log, /"stopping".*"stopped"/s)
      })
    }
  }

  for (const [name, text] of [
    ['has sent nothing', ''],
    ['is kept alive after a response', 'GET /health HTTP/1.1\r\nhost: x\r\n\r\n'],
    ['has sent half a request', 'GET /health HTTP/1.1\r\nhost:'],
    [
      'has sent half a body',
      'POST /auth/v1/secure-info HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 9\r\n\r\n1',
    ],
  ] as const) {
    test(`a connection that ${name} does not hold up the stop`, async (t) => {
      const service = await started(t, [newNode, program, 'serve'], { REQUEST_TIMEOUT_MS: '60000', DRAIN_MS: '0' })
      const socket = connect(Number(service.url.port), service.url.hostname).on('error', () => undefined)
      t.after(() => socket.destroy())
      await once(socket, 'connect')
      socket.write(text)
      await pause(100)
      service.starter.kill('SIGTERM')
      await service.allEnded()
      assert.match(service.log, /"stopped"/)
    })
  }
})

const answers = (url: URL) =>
  fetch(new URL('/health', url)).then(
    ({ ok }) => ok,
    () => false,
  )

/** The process that has the number 1 in the namespace which `pid` or a child of it made. */
function firstProcessUnder(pid: number): number {
  const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return Number(children.split(/\s+/)[0])
}

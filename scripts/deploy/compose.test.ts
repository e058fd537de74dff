import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Ringfence } from '@ringfence/node'
import { environmentOf } from '@ringfence/server/core/config/settings.ts'
import { startDnsServer } from '@ringfence/server/ip/testing/dns-server.ts'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { startPostgres } from '@ringfence/server/testing/postgres-server.ts'
import { until } from '@ringfence/server/testing/until.ts'
import { parse } from 'yaml'
import { commandLine, type Ending } from '../../cli/src/testing.ts'
import rootPackage from '../../package.json' with { type: 'json' }
import { whyMissing } from '../debian-packages.ts'

const folder = join(import.meta.dirname, '../../deploy/compose')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

interface ComposeService {
  image: string
  environment?: Record<string, string>
  volumes?: string[]
  stop_grace_period?: string
  depends_on?: unknown
}
const compose = parse(read('compose.yaml'), { merge: true }) as { services: Record<string, ComposeService> }
const server = compose.services['server-1']!
const settings = server.environment!
const haproxyConfig = join(folder, 'haproxy.cfg')

const missing = await whyMissing(() => spawnSync('haproxy', ['-v']).status === 0, 'haproxy')
const skip = missing && `needs ${missing}`
const noPrometheus = await whyMissing(() => spawnSync('prometheus', ['--version']).status === 0, 'prometheus')

test('the compose file names this version, known settings and existing files, and a stop outlasts the drain', () => {
  assert.equal(server.image, `ringfence:${rootPackage.version}`)
  for (const name of Object.keys(settings)) assert.ok(Object.values(environmentOf).includes(name), name)
  for (const { volumes = [] } of Object.values(compose.services)) {
    for (const [own = ''] of volumes.map((volume) => volume.split(':'))) {
      if (own.startsWith('.')) assert.ok(existsSync(resolve(folder, own)), own)
    }
  }
  assert.ok(Number.parseInt(server.stop_grace_period!, 10) * 1000 > Number(settings.DRAIN_MS) + 30_000)
  const wanted = [...read('compose.yaml').matchAll(/\$\{(\w+):\?\}/g)].map(([, name]) => name)
  for (const name of wanted) assert.match(read('example.env'), new RegExp(`^${name}=`, 'm'))
})

test('servers start after HAProxy, and that after PostgreSQL, so that init reaches the database', () => {
  assert.deepEqual(server.depends_on, ['haproxy'])
  assert.deepEqual(compose.services.haproxy!.depends_on, { postgresql: { condition: 'service_healthy' } })
})

/** Starts HAProxy with the configuration of the compose file, and ends it with the test. */
async function startHaproxy(t: Ending, environment: Record<string, string>): Promise<ChildProcess> {
  const child = spawn('haproxy', ['-db', '-f', haproxyConfig], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  })
  await until(
    async () =>
      child.exitCode === null ? await fetch(`http://${environment.BIND}/metrics`).catch(() => undefined) : output,
    (answer) => {
      if (typeof answer === 'string') assert.fail(`haproxy ended: ${answer}`)
      return answer?.status === 404
    },
  )
  return child
}

test('HAProxy replaces what a client says about its own address and connection', { skip }, async (t) => {
  const echo = createServer((request, response) => response.end(JSON.stringify(request.headers))).listen(0, '127.0.0.1')
  t.after(() => echo.close())
  await once(echo, 'listening')
  const [port, postgresql] = await freePorts(2)
  const bind = `127.0.0.1:${port}`
  const behind = `127.0.0.1:${(echo.address() as AddressInfo).port}`
  await startHaproxy(t, { BIND: bind, SERVER_1: behind, SERVER_2: behind, POSTGRESQL_BIND: `127.0.0.1:${postgresql}` })
  const lies = { 'x-forwarded-for': '6.6.6.6', forwarded: 'for=6.6.6.6', 'x-tcp-fp': '00', connection: 'close' }
  const headers = (await (await fetch(`http://${bind}/`, { headers: lies })).json()) as Record<string, string>
  assert.equal(headers['x-forwarded-for'], '127.0.0.1')
  assert.equal(headers.forwarded, undefined)
  assert.notEqual(headers['x-tcp-fp'], '00')
})

test('HAProxy finds a server whose name gets its address later, and follows a new address', { skip }, async (t) => {
  const dns = await startDnsServer(t)
  const [port, postgresql, behind] = await freePorts(3)
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    const server = createServer((_, response) => response.end(address)).listen(behind, address)
    t.after(() => server.close())
    await once(server, 'listening')
  }
  const bind = `127.0.0.1:${port}`
  await startHaproxy(t, {
    BIND: bind,
    SERVER_1: `server-1.test:${behind}`,
    SERVER_2: '127.0.0.1:1',
    POSTGRESQL_BIND: `127.0.0.1:${postgresql}`,
    NAMESERVER: dns.address,
    RES_OPTIONS: 'timeout:1 attempts:1',
  })
  const whoAnswers = async () => (await fetch(`http://${bind}/`, { headers: { connection: 'close' } })).text()
  for (const address of ['127.0.0.1', '127.0.0.2']) {
    assert.notEqual(await whoAnswers(), address)
    dns.records['server-1.test'] = [address]
    await until(whoAnswers, (text) => text === address)
  }
})

describe('two servers, PostgreSQL and HAProxy, configured as in the compose file', { skip }, () => {
  const metricsToken = randomBytes(16).toString('hex')
  let ringfence: Ringfence
  let url: string
  let servers: Awaited<ReturnType<Awaited<ReturnType<typeof commandLine>>['serve']>>[]
  let haproxy: ChildProcess
  let start: () => Promise<ChildProcess>
  let startServer: (index: number) => ReturnType<Awaited<ReturnType<typeof commandLine>>['serve']>

  const ends: (() => unknown)[] = []
  const t: Ending = { after: (end) => void ends.push(end) }
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })

  before(async () => {
    const postgresql = await startPostgres()
    t.after(() => postgresql.stop())
    const [first, second, ...others] = await freePorts(4)
    const [people, store] = others.map((port) => `127.0.0.1:${port}`)
    const socket = join(new URL(postgresql.url()).searchParams.get('host')!, '.s.PGSQL.5432')
    const environment = {
      BIND: people!,
      SERVER_1: `127.0.0.1:${first}`,
      SERVER_2: `127.0.0.1:${second}`,
      POSTGRESQL_BIND: store!,
      POSTGRESQL_1: `unix@${socket}`,
    }
    start = () => startHaproxy(t, environment)
    haproxy = await start()
    const env = {
      ...settings,
      DATABASE_URL: `postgres://ringfence@${store}/postgres`,
      MASTER_KEY: randomBytes(32).toString('base64'),
      METRICS_TOKEN: metricsToken,
      BASE_URL: `http://${people}`,
      TRUSTED_PROXIES: '127.0.0.1/32',
    }
    const { run, serve } = await commandLine(t)
    const made = await until(
      () => run(['init', '--data', 'one', '--json'], { env }),
      ({ code }) => code === 0,
    )
    url = `http://${people}`
    const { clientId, clientSecret } = JSON.parse(made.stdout) as Record<'clientId' | 'clientSecret', string>
    ringfence = new Ringfence({ baseUrl: url, clientId, clientSecret, timeoutMs: 60_000, attemptTimeoutMs: 60_000 })
    const options = [
      ['--data', 'one', '--port', String(first)],
      ['--data', 'two', '--port', String(second)],
    ]
    startServer = (index) => serve(options[index], { env })
    servers = await Promise.all([startServer(0), startServer(1)])
    await until(
      () => fetch(url),
      ({ status }) => status === 200,
    )
  })

  const roundTrip = async (userId: string) => {
    const verifiedAt = new Date().toISOString()
    const identity = { identityType: 'MOBILE', identityValue: '917020141726', channel: 'OTP', methods: ['SMS'] }
    const identities = [{ ...identity, verified: true, verifiedAt }]
    const { token } = await ringfence.issueToken({ userId, identities })
    assert.equal((await ringfence.validateToken({ token })).userId, userId)
  }

  const requestsOf = async (each: string) => {
    const response = await fetch(`${each}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
    const lines = (await response.text()).split('\n')
    const counts = lines.filter((line) => /^ringfence_http_request_seconds_count.*tokens/.test(line))
    return counts.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
  }

  const bothAnswer = async () => {
    await until(
      async () => {
        await roundTrip('customer-1')
        return Promise.all(servers.map((each) => requestsOf(each.url)))
      },
      (counts) => counts.every((count) => count > 0),
    )
  }

  test('both servers issue tokens that the other verifies', () => bothAnswer())

  const skipped = { skip: noPrometheus && `needs ${noPrometheus}` }
  test('Prometheus, configured as in the compose file, reads both servers and loads the alerts', skipped, async () => {
    const own = await mkdtemp(join(tmpdir(), 'ringfence-prometheus-'))
    t.after(() => rm(own, { recursive: true }))
    await writeFile(join(own, 'token'), metricsToken)
    const config = read('prometheus.yaml')
      .replace('/etc/prometheus/monitoring', resolve(folder, '../monitoring'))
      .replace('/metrics-token', join(own, 'token'))
      .replace('server-1:8080, server-2:8080', servers.map(({ url }) => new URL(url).host).join(', '))
      .replace('scrape_interval: 15s', 'scrape_interval: 1s')
    await writeFile(join(own, 'prometheus.yaml'), config)
    const [port] = await freePorts(1)
    const options = {
      'config.file': 'prometheus.yaml',
      'storage.tsdb.path': 'data',
      'web.listen-address': `127.0.0.1:${port}`,
    }
    const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    const child = spawn('prometheus', words, { cwd: own, stdio: 'ignore' })
    t.after(() => child.kill('SIGKILL') && once(child, 'exit'))
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any field of an answer
    const ask = async (path: string): Promise<any> => {
      const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined)
      return response?.ok ? response.json() : undefined
    }
    const up = encodeURIComponent('sum(up{job=~".*ringfence.*"}) + count(ringfence_build_info)')
    await until(
      () => ask(`query?query=${up}`),
      (answer) => answer?.data.result[0]?.value[1] === '4',
    )
    const { groups } = (await ask('rules')).data
    assert.ok(groups[0].rules.length > 10)
  })

  test('what is for your own network does not pass HAProxy', async () => {
    for (const path of ['/metrics', '/health', '/ready', '/docs', '/docs/start.js', '/openapi.json']) {
      assert.equal((await fetch(url + path)).status, 404, path)
    }
  })

  test('after HAProxy is killed and started again, the servers work on', async () => {
    haproxy.kill('SIGKILL')
    await once(haproxy, 'exit')
    await assert.rejects(fetch(url))
    await start()
    await until(
      () => roundTrip('customer-2').catch((error: Error) => error),
      (problem) => problem === undefined,
    )
  })

  test('after a server is killed, the other one answers, and the killed one again when it is back', async () => {
    await servers[1]!.stop('SIGKILL')
    for (let done = 0; done < 50; done++) await roundTrip(`customer-${done}`)
    servers[1] = await startServer(1)
    await bothAnswer()
  })

  test('no request fails while a server is stopped', async () => {
    let isStopping = true
    const stopped = servers[0]!.stop('SIGTERM').finally(() => {
      isStopping = false
    })
    let done = 0
    const callWhileStopping = async () => {
      while (isStopping) {
        await roundTrip(`customer-${done++}`)
        await pause(10)
      }
    }
    await Promise.all(Array.from({ length: 4 }, callWhileStopping))
    assert.equal((await stopped).code, 0)
    assert.ok(done > 3, `${done} requests`)
    await roundTrip('customer-last')
  })
})

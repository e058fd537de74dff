import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { holdTimers } from '../testing/held-timers.ts'
import { until } from '../testing/until.ts'
import { Guard } from './guard.ts'
import { type Reply, scriptedUpstream } from './testing/scripted-upstream.ts'
import { testResources } from './testing/test-resources.ts'
import { limitsOf } from './upstream-settings.ts'

const request = {
  call: 'test/check',
  method: 'POST',
  path: '/check',
  headers: { 'content-type': 'application/json' },
  body: '{}',
  read: ({ status }: { status: number }) => status,
} as const
const later = () => AbortSignal.timeout(60_000)

/** A proxy that tunnels (CONNECT), and the hosts and credentials that it was asked with. */
async function proxyServer(t: TestContext, isSilent = () => false) {
  const asked: (string | undefined)[] = []
  const open = new Set<Socket>()
  const server = createServer((_, response) => response.writeHead(405).end())
  server.on('connect', (incoming, socket: Socket) => {
    asked.push(incoming.url, incoming.headers['proxy-authorization'])
    if (isSilent()) {
      open.add(socket)
      return
    }
    const [host, port] = incoming.url!.split(':')
    const target = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    for (const each of [socket, target]) {
      open.add(each)
      each.on('error', () => each.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const each of open) each.destroy()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('the calls of an upstream with a proxy go through it, with its credentials, and never around it', async (t) => {
  const { url, received } = await scriptedUpstream(t, () => ({ body: {} }))
  const proxy = await proxyServer(t)
  const resources = testResources({ PROXY: 'Basic cHJveHk=' })
  const limits = limitsOf({ egressProxy: { url: proxy.url, authorization: { env: 'PROXY' } } }, resources.readSecret)
  const guarded = new Guard({ upstream: 'acme', service: 'test', baseUrl: new URL(url), ...limits }, resources)
  t.after(() => guarded.close())
  assert.equal(await guarded.send(request, later()), 200)
  assert.deepEqual(proxy.asked, [new URL(url).host, 'Basic cHJveHk='])
  assert.deepEqual([received.length, received[0]!.headers['proxy-authorization']], [1, undefined])

  const gone = limitsOf({ egressProxy: { url: 'http://127.0.0.1:1' } }, resources.readSecret)
  const cut = new Guard({ upstream: 'acme', service: 'test', baseUrl: new URL(url), ...gone }, resources)
  t.after(() => cut.close())
  await assert.rejects(cut.send(request, later()), { reason: 'unreachable' })
  assert.equal(received.length, 1)
})

test('a proxy that does not answer CONNECT keeps no slot, opens the circuit, and is used again when it works', async (t) => {
  const { url } = await scriptedUpstream(t, () => ({ body: {} }))
  let isSilent = true
  const proxy = await proxyServer(t, () => isSilent)
  const resources = testResources()
  const limit = holdTimers(t, 1_234)
  const config = { egressProxy: { url: proxy.url }, timeoutMs: 1_234, connectTimeoutMs: 30_000 }
  const limits = { ...limitsOf(config, resources.readSecret), concurrentCalls: 2, waitingCalls: 0 }
  const guarded = new Guard({ upstream: 'acme', service: 'test', baseUrl: new URL(url), ...limits }, resources)
  t.after(() => guarded.close())
  for (let round = 0; round < 5; round++) {
    const both = [guarded.send(request, later()), guarded.send(request, later())]
    const ended = both.map((call) => assert.rejects(call, { reason: 'timeout' }))
    await until(() => limit.waiting() === 2 && proxy.asked.length > 0)
    limit.fire()
    await Promise.all(ended)
  }
  assert.equal(guarded.state().circuit, 'open')
  isSilent = false
  resources.clock.advance({ seconds: 1 })
  assert.equal(await guarded.send(request, later()), 200)
  assert.equal(guarded.state().circuit, 'closed')
})

test('the time limit of a connection includes the response of the proxy to CONNECT', async (t) => {
  const { url } = await scriptedUpstream(t, () => ({ body: {} }))
  const proxy = await proxyServer(t, () => true)
  const resources = testResources()
  const config = { egressProxy: { url: proxy.url }, timeoutMs: 30_000, connectTimeoutMs: 50 }
  const limits = limitsOf(config, resources.readSecret)
  const guarded = new Guard({ upstream: 'acme', service: 'test', baseUrl: new URL(url), ...limits }, resources)
  t.after(() => guarded.close())
  const call = guarded.send(request, AbortSignal.timeout(20_000))
  await assert.rejects(call, { reason: 'timeout', message: /no connection in time/ })
})

async function pausing(t: TestContext, replies: Reply[]) {
  const { url, received } = await scriptedUpstream(t, () => replies[received.length - 1] ?? { body: {} })
  const resources = testResources()
  const limits = limitsOf({}, resources.readSecret)
  const guarded = new Guard({ upstream: 'acme', service: 'test', baseUrl: new URL(url), ...limits }, resources)
  t.after(() => guarded.close())
  return { guarded, received, clock: resources.clock }
}

test('an upstream that asks for a pause is not called before it ends', async (t) => {
  const { guarded, received, clock } = await pausing(t, [{ status: 429, headers: { 'retry-after': '5' } }])
  await assert.rejects(guarded.send(request, later()), { reason: 'overloaded' })
  clock.advance({ seconds: 4 })
  await assert.rejects(guarded.send(request, later()), /asked for a pause/)
  assert.equal(received.length, 1)
  clock.advance({ seconds: 1 })
  assert.equal(await guarded.send(request, later()), 200)
})

test('a clock that is set back by an hour does not make a pause an hour longer', async (t) => {
  const { guarded, clock } = await pausing(t, [{ status: 429, headers: { 'retry-after': '5' } }])
  await assert.rejects(guarded.send(request, later()), { reason: 'overloaded' })
  clock.advance({ hours: -1 })
  assert.equal(await guarded.send(request, later()), 200)
})

test('a pause as a date counts too, and none is longer than a minute', async (t) => {
  const clock = testResources().clock
  const date = new Date(clock.now() + 10_000).toUTCString()
  const dated = await pausing(t, [{ status: 503, headers: { 'retry-after': date } }])
  await assert.rejects(dated.guarded.send(request, later()), { reason: 'status' })
  dated.clock.advance({ seconds: 8 })
  await assert.rejects(dated.guarded.send(request, later()), /asked for a pause/)
  dated.clock.advance({ seconds: 3 })
  assert.equal(await dated.guarded.send(request, later()), 200)

  const hostile = await pausing(t, [{ status: 429, headers: { 'retry-after': '999999999' } }])
  await assert.rejects(hostile.guarded.send(request, later()), { reason: 'overloaded' })
  hostile.clock.advance({ seconds: 60 })
  assert.equal(await hostile.guarded.send(request, later()), 200)
  for (const value of ['', 'soon', '-1', '0']) {
    const { guarded } = await pausing(t, [{ status: 429, headers: { 'retry-after': value } }])
    await assert.rejects(guarded.send(request, later()), { reason: 'overloaded' })
    assert.equal(await guarded.send(request, later()), 200, value)
  }
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connectionsTo, type Way } from './connections.ts'
import { Guard, type GuardOptions } from './guard.ts'
import { type Received, type Reply, scriptedUpstream } from './testing/scripted-upstream.ts'
import { testResources } from './testing/test-resources.ts'

const later = () => AbortSignal.timeout(60_000)
const request = (path: string) =>
  ({ call: path, method: 'GET', path, headers: {}, read: ({ status }: { status: number }) => status }) as const

/** Two services of one upstream. */
async function neighbours(
  t: TestContext,
  reply: (received: Received) => Reply | Promise<Reply>,
  options: Partial<GuardOptions> = {},
) {
  const { url, received } = await scriptedUpstream(t, reply)
  const guardOf = (service: string) => {
    const limits = { timeoutMs: 30_000, connectTimeoutMs: 30_000, concurrentCalls: 2, waitingCalls: 0, ...options }
    const baseUrl = new URL(`${url}/${service}`)
    const guard = new Guard({ upstream: 'acme', service, baseUrl, ...limits }, testResources())
    t.after(() => guard.close())
    return guard
  }
  return { one: guardOf('one'), other: guardOf('other'), received }
}

test('the services of an upstream take turns on the same connections', async (t) => {
  const { one, other, received } = await neighbours(t, () => ({}))
  for (let count = 0; count < 10; count++) {
    await one.send(request('/check'), later())
    await other.send(request('/check'), later())
  }
  assert.deepEqual([...new Set(received.map(({ path }) => path))], ['/one/check', '/other/check'])
  // Two, because undici may not have released the first one when the next call comes.
  assert.ok(new Set(received.map(({ port }) => port)).size <= 2)
})

test('a service with all its calls in flight leaves the others theirs', async (t) => {
  const { one, other } = await neighbours(t, ({ path }) => (path.startsWith('/one') ? 'silence' : {}))
  const leave = new AbortController()
  const stuck = [1, 2].map(() => one.send(request('/check'), leave.signal).catch(({ reason }) => reason))
  await assert.rejects(one.send(request('/check'), later()), { reason: 'overloaded' })
  assert.deepEqual(await Promise.all([1, 2].map(() => other.send(request('/check'), later()))), [200, 200])
  leave.abort()
  assert.deepEqual(await Promise.all(stuck), ['timeout', 'timeout'])
})

test('a client that is closed aborts its own calls, and none of its neighbour', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { promise: bothArrived, resolve: arrived } = Promise.withResolvers<void>()
  let calls = 0
  const { one, other } = await neighbours(t, async () => {
    if (++calls === 2) arrived()
    await opened
    return {}
  })
  const ended = one.send(request('/check'), later()).catch(({ reason }) => reason)
  const answered = other.send(request('/check'), later())
  await bothArrived
  await one.close()
  assert.equal(await ended, 'unreachable')
  open()
  assert.equal(await answered, 200)
  assert.equal(await other.send(request('/check'), later()), 200)
})

test('clients share connections only when origin, time limit, TLS settings and proxy are all the same', async (t) => {
  const way: Way = { origin: 'https://operator.example', connectTimeoutMs: 1_000 }
  const egress = { url: 'http://proxy.example:3128', authorization: 'Basic YQ==' }
  const ways: Way[] = [
    way,
    { ...way, origin: 'https://operator.example:8443' },
    { ...way, connectTimeoutMs: 2_000 },
    ...['bank', 'shop'].map((cert) => ({ ...way, tls: { cert, key: 'key' } })),
    { ...way, tls: { cert: 'bank', key: 'other' } },
    { ...way, tls: { ca: 'authority' } },
    { ...way, egress },
    { ...way, egress: { ...egress, url: 'http://other.example:3128' } },
    { ...way, egress: { ...egress, authorization: 'Basic Yg==' } },
  ]
  const twice = [...ways, ...structuredClone(ways)].map(connectionsTo)
  t.after(() => Promise.allSettled(twice.map((each) => each.leave())))
  for (const each of twice) each.opening.catch(() => {})
  assert.deepEqual(
    twice.map((each) => twice.indexOf(each)),
    [...ways, ...ways].map((each) => ways.indexOf(each)),
  )
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { CheckFailed, CheckUnsupported } from '../telecom/connectors/connector.ts'
import { testResources } from '../telecom/connectors/testing/connector-resources.ts'
import { type GuardOptions, guard, type Question } from './guard.ts'
import { type Received, type Reply, scriptedUpstream } from './testing/scripted-upstream.ts'

const later = () => AbortSignal.timeout(5_000)

const question = (path = '/check'): Question<unknown> => ({
  call: 'test/check',
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  read: ({ status, body }) => {
    if (status === 501) throw new CheckUnsupported('501')
    if (status >= 300) throw new CheckFailed('rejected', `${status}`)
    return body
  },
})

/** A guard before an upstream that answers so. */
async function guarded(
  t: TestContext,
  reply: (request: Received, count: number) => Reply | Promise<Reply>,
  options: Partial<GuardOptions> = {},
) {
  const upstream = await scriptedUpstream(t, reply)
  const resources = testResources()
  const guardian = guard(
    {
      upstream: 'acme',
      service: 'test',
      baseUrl: new URL(upstream.url),
      timeoutMs: 2_000,
      connectTimeoutMs: 1_000,
      concurrentCalls: 50,
      waitingCalls: 50,
      ...options,
    },
    resources,
  )
  t.after(() => guardian.close())
  return { guardian, resources, received: upstream.received }
}

/** How the question ends: `ok`, or the failure's class and reason. */
async function outcome(asked: Promise<unknown>): Promise<string> {
  try {
    await asked
    return 'ok'
  } catch (error) {
    return error instanceof CheckFailed ? error.reason : (error as Error).name
  }
}

test('a connection that breaks before an answer, 502, 503 and 504 are tried once more', async (t) => {
  for (const failure of ['reset', { status: 502 }, { status: 503 }, { status: 504 }] as const) {
    const { guardian, received, resources } = await guarded(t, (_, count) =>
      count === 1 ? failure : { body: { ok: 1 } },
    )
    assert.deepEqual(await guardian.ask(question(), later()), { ok: 1 })
    assert.equal(received.length, 2)
    const reason = failure === 'reset' ? 'unreachable' : 'status'
    assert.deepEqual(resources.counted, [`acme test/check ${reason}`, 'acme test/check ok'])
  }
})

test('nothing else is tried again, and nothing more than once', async (t) => {
  const once: [Reply, string][] = [
    [{ status: 500 }, 'status'],
    [{ status: 503, headers: { 'retry-after': '5' } }, 'status'],
    [{ status: 302, headers: { location: '/elsewhere' } }, 'status'],
    [{ status: 400 }, 'rejected'],
    [{ status: 401 }, 'rejected'],
    [{ status: 429 }, 'overloaded'],
    [{ status: 501 }, 'CheckUnsupported'],
    [{ body: 'no JSON' }, 'format'],
    [{ headers: { 'content-type': 'text/html' } }, 'format'],
    [{ body: `{"padding":"${'a'.repeat(65_536)}"}` }, 'format'],
  ]
  for (const [reply, expected] of once) {
    const { guardian, received } = await guarded(t, () => reply)
    assert.equal(await outcome(guardian.ask(question(), later())), expected, JSON.stringify(reply).slice(0, 80))
    assert.equal(received.length, 1)
  }
  const { guardian, received } = await guarded(t, () => ({ status: 503 }))
  assert.equal(await outcome(guardian.ask(question(), later())), 'status')
  assert.equal(received.length, 2)
})

test('an attempt that gets no whole answer in time is given up and not repeated', async (t) => {
  const { guardian, received } = await guarded(t, () => 'silence', { timeoutMs: 50 })
  assert.equal(await outcome(guardian.ask(question(), later())), 'timeout')
  assert.equal(received.length, 1)
})

test('the base URL may have a path, and application/…+json is JSON', async (t) => {
  const headers = { 'content-type': 'application/camara.v2+json; charset=utf-8' }
  const upstream = await scriptedUpstream(t, () => ({ headers }))
  const { guardian } = await guarded(t, () => ({}), { baseUrl: new URL(`${upstream.url}/gateway/v2/`) })
  assert.deepEqual(await guardian.ask(question('/check'), later()), {})
  assert.equal(upstream.received[0]?.path, '/gateway/v2/check')
})

test('connections are kept alive and used again', async (t) => {
  const { guardian, received } = await guarded(t, () => ({}))
  for (let count = 0; count < 20; count++) await guardian.ask(question(), later())
  // Two, as undici may not yet have put the first one back when the next question comes.
  assert.ok(new Set(received.map(({ port }) => port)).size <= 2)
})

test('an upstream that keeps failing is left alone; one probe per pause finds out when it is back', async (t) => {
  let ill = true
  const { guardian, resources, received } = await guarded(t, () => (ill ? { status: 500 } : {}))
  const ask = () => outcome(guardian.ask(question(), later()))
  for (let count = 0; count < 10; count++) assert.equal(await ask(), 'status')
  assert.equal(await ask(), 'overloaded')
  assert.equal(received.length, 10)

  resources.clock.advance({ ms: 999 })
  assert.equal(await ask(), 'overloaded')
  resources.clock.advance({ ms: 1 })
  assert.equal(await ask(), 'status', 'the probe')
  assert.equal(await ask(), 'overloaded')
  resources.clock.advance({ ms: 1_999 })
  assert.equal(await ask(), 'overloaded', 'the pause has doubled')

  ill = false
  resources.clock.advance({ ms: 1 })
  assert.deepEqual(await Promise.all([ask(), ask()]), ['ok', 'overloaded'], 'only one probes')
  assert.equal(await ask(), 'ok')
  assert.equal(received.length, 13)
  assert.match(resources.logged(), /"upstream":"acme","service":"test","circuit":"open"/)
  assert.match(resources.logged(), /"circuit":"closed"/)
})

test('a probe that fails is not tried again', async (t) => {
  const { guardian, resources, received } = await guarded(t, (_, count) => ({ status: count > 10 ? 503 : 500 }))
  for (let count = 0; count < 10; count++) await outcome(guardian.ask(question(), later()))
  resources.clock.advance({ seconds: 1 })
  assert.equal(await outcome(guardian.ask(question(), later())), 'status')
  assert.equal(received.length, 11)
})

test('a clock that jumps back does not keep a circuit open', async (t) => {
  let ill = true
  const { guardian, resources } = await guarded(t, () => (ill ? { status: 500 } : {}))
  for (let count = 0; count < 10; count++) await outcome(guardian.ask(question(), later()))
  ill = false
  resources.clock.advance({ hours: -720 })
  assert.equal(await outcome(guardian.ask(question(), later())), 'ok')
})

test('answers that may concern one number or one token only do not open the circuit', async (t) => {
  for (const status of [400, 401, 403, 404, 422, 501]) {
    const { guardian, received } = await guarded(t, () => ({ status }))
    for (let count = 0; count < 25; count++) await outcome(guardian.ask(question(), later()))
    assert.equal(received.length, 25, `${status}`)
  }
})

test('what an upstream answers about one number counts for it, beside its failures', async (t) => {
  const { guardian, received } = await guarded(t, (_, count) => ({ status: count % 3 === 0 ? 500 : 404 }))
  for (let count = 0; count < 45; count++) await outcome(guardian.ask(question(), later()))
  assert.equal(received.length, 45)
})

test('401 to a new token, 429 and unreadable answers open the circuit', async (t) => {
  for (const reply of [{ status: 401 }, { status: 429 }, { body: '<html>' }]) {
    const { guardian, received } = await guarded(t, () => reply)
    for (let count = 0; count < 12; count++) await outcome(guardian.ask({ ...question(), tokenIsNew: true }, later()))
    assert.equal(received.length, 10, JSON.stringify(reply))
  }
})

test('an impatient asker neither opens the circuit nor closes it', async (t) => {
  let reply: Reply = 'silence'
  const { guardian, resources, received } = await guarded(t, () => reply)
  const patient = () => outcome(guardian.ask(question(), later()))
  const impatient = () => outcome(guardian.ask(question(), AbortSignal.timeout(20)))
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 20 }, impatient))), new Set(['timeout']))
  reply = { status: 500 }
  assert.equal(await patient(), 'status', 'still closed')
  for (let count = 0; count < 9; count++) await patient()
  assert.equal(await patient(), 'overloaded')
  assert.equal(received.length, 30)

  resources.clock.advance({ seconds: 1 })
  reply = 'silence'
  assert.equal(await impatient(), 'timeout', 'a probe that is given up')
  await setImmediate()
  assert.equal(await patient(), 'overloaded')
})

test('as many calls as allowed are under way, as many wait, and more fail at once', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { guardian, resources, received } = await guarded(t, () => opened.then(() => ({})), {
    concurrentCalls: 2,
    waitingCalls: 1,
  })
  const asked = Array.from({ length: 3 }, () => outcome(guardian.ask(question(), later())))
  assert.equal(await outcome(guardian.ask(question(), later())), 'overloaded')
  assert.deepEqual(resources.counted, ['acme test/check overloaded'])
  open()
  assert.deepEqual(await Promise.all(asked), ['ok', 'ok', 'ok'])
  assert.equal(received.length, 3)
})

test('who waits for a turn leaves at the deadline, and is then not asked for', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { guardian, received } = await guarded(t, () => opened.then(() => ({})), { concurrentCalls: 1 })
  const first = guardian.ask(question('/first'), later())
  assert.equal(await outcome(guardian.ask(question('/second'), AbortSignal.timeout(20))), 'timeout')
  open()
  await first
  await guardian.ask(question('/third'), later())
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/first', '/third'],
  )
})

test('after the deadline nothing is asked', async (t) => {
  const { guardian, received } = await guarded(t, () => ({}))
  assert.equal(await outcome(guardian.ask(question(), AbortSignal.abort())), 'timeout')
  assert.equal(received.length, 0)
})

test('the deadline holds while a connection is being made', async (t) => {
  const silent = createServer((socket) => t.after(() => socket.destroy())).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const { guardian } = await guarded(t, () => ({}), { baseUrl: new URL(`https://127.0.0.1:${port}`) })
  const startedAt = performance.now()
  assert.equal(await outcome(guardian.ask(question(), AbortSignal.timeout(50))), 'timeout')
  assert.ok(performance.now() - startedAt < 500, 'connectTimeoutMs is 1,000')
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { holdTimers } from '../testing/held-timers.ts'
import { settlesAtOnce } from '../testing/settles.ts'
import { until } from '../testing/until.ts'
import { describeResponse, errorCodeOf, Guard, type GuardOptions, type UpstreamRequest } from './guard.ts'
import { type Received, type Reply, scriptedUpstream } from './testing/scripted-upstream.ts'
import { testResources } from './testing/test-resources.ts'
import { UpstreamError, UpstreamRefusal } from './upstream-error.ts'

const later = () => AbortSignal.timeout(60_000)

class NotOffered extends UpstreamRefusal {
  override name = 'NotOffered'
  readonly outcome = 'not offered'
}

const request = (path = '/check'): UpstreamRequest<unknown> => ({
  call: 'test/check',
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: '{}',
  read: ({ status, body }) => {
    if (status === 501) throw new NotOffered('501')
    if (status >= 300) throw new UpstreamError('rejected', `${status}`)
    return body
  },
})

/** A guard in front of an upstream with these replies. */
async function guarded(
  t: TestContext,
  reply: (received: Received, count: number) => Reply | Promise<Reply>,
  options: Partial<GuardOptions> = {},
) {
  const upstream = await scriptedUpstream(t, reply)
  const resources = testResources()
  const guardian = new Guard(
    {
      upstream: 'acme',
      service: 'test',
      baseUrl: new URL(upstream.url),
      timeoutMs: 30_000,
      connectTimeoutMs: 30_000,
      concurrentCalls: 50,
      waitingCalls: 50,
      ...options,
    },
    resources,
  )
  t.after(() => guardian.close())
  return { guardian, resources, received: upstream.received }
}

test('the description of a response has the codes of the standards, and no other text of the upstream', () => {
  const described = (body: unknown) => describeResponse('kyc/match', { status: 400, body })
  for (const code of ['INVALID_ARGUMENT', 'KNOW_YOUR_CUSTOMER.ID_DOCUMENT_MISMATCH']) {
    assert.equal(described({ code }), `kyc/match: answered 400 ${code}`)
  }
  assert.equal(described({ error: 'invalid_client' }), 'kyc/match: answered 400 invalid_client')
  for (const code of ['Federica.Sanchez-Arjona', 'FEDERICA', 'federica_sanchez', 'FEDERICA.SANCHEZ', '', 7, {}]) {
    assert.equal(described({ code }), 'kyc/match: answered 400', JSON.stringify(code))
  }
  assert.equal(errorCodeOf({ code: 'VENDOR_CODE' }), 'VENDOR_CODE', 'a connector may know it')
})

/** How the call ends: `ok`, the reason of an UpstreamError, or the name of another error. */
async function outcome(call: Promise<unknown>): Promise<string> {
  try {
    await call
    return 'ok'
  } catch (error) {
    return error instanceof UpstreamError ? error.reason : (error as Error).name
  }
}

test('retries once after a connection that breaks before the response, and after 502, 503 and 504', async (t) => {
  for (const failure of ['reset', { status: 502 }, { status: 503 }, { status: 504 }] as const) {
    const { guardian, received, resources } = await guarded(t, (_, count) =>
      count === 1 ? failure : { body: { ok: 1 } },
    )
    assert.deepEqual(await guardian.send(request(), later()), { ok: 1 })
    assert.equal(received.length, 2)
    const reason = failure === 'reset' ? 'unreachable' : 'status'
    assert.deepEqual(resources.counted, [`acme test/check ${reason}`, 'acme test/check ok'])
  }
})

test('retries nothing else, and nothing more than once', async (t) => {
  const notRetried: [Reply, string][] = [
    [{ status: 500 }, 'status'],
    [{ status: 503, headers: { 'retry-after': '5' } }, 'status'],
    [{ status: 302, headers: { location: '/elsewhere' } }, 'status'],
    [{ status: 400 }, 'rejected'],
    [{ status: 401 }, 'rejected'],
    [{ status: 429 }, 'overloaded'],
    [{ status: 501 }, 'NotOffered'],
    [{ body: 'no JSON' }, 'format'],
    [{ headers: { 'content-type': 'text/html' } }, 'format'],
    [{ body: `{"padding":"${'a'.repeat(65_536)}"}` }, 'format'],
  ]
  for (const [reply, expected] of notRetried) {
    const { guardian, received } = await guarded(t, () => reply)
    assert.equal(await outcome(guardian.send(request(), later())), expected, JSON.stringify(reply).slice(0, 80))
    assert.equal(received.length, 1)
  }
  const { guardian, received } = await guarded(t, () => ({ status: 503 }))
  assert.equal(await outcome(guardian.send(request(), later())), 'status')
  assert.equal(received.length, 2)
})

test('aborts an attempt without a complete response in time, and does not retry it', async (t) => {
  const limit = holdTimers(t, 50)
  const { guardian, received } = await guarded(t, () => 'silence', { timeoutMs: 50 })
  const sent = outcome(guardian.send(request(), later()))
  await until(() => received.length === 1)
  limit.fire()
  assert.equal(await sent, 'timeout')
  assert.equal(received.length, 1)
})

test('accepts a base URL with a path, and application/…+json as JSON', async (t) => {
  const headers = { 'content-type': 'application/camara.v2+json; charset=utf-8' }
  const upstream = await scriptedUpstream(t, () => ({ headers }))
  const { guardian } = await guarded(t, () => ({}), { baseUrl: new URL(`${upstream.url}/gateway/v2/`) })
  assert.deepEqual(await guardian.send(request('/check'), later()), {})
  assert.equal(upstream.received[0]?.path, '/gateway/v2/check')
})

test('reuses keep-alive connections', async (t) => {
  const { guardian, received } = await guarded(t, () => ({}))
  for (let count = 0; count < 20; count++) await guardian.send(request(), later())
  // Two, because undici may not have released the first one when the next call comes.
  assert.ok(new Set(received.map(({ port }) => port)).size <= 2)
})

test('stops calling an upstream that keeps failing, and probes it once per pause until it works again', async (t) => {
  let failing = true
  const { guardian, resources, received } = await guarded(t, () => (failing ? { status: 500 } : {}))
  const send = () => outcome(guardian.send(request(), later()))
  for (let count = 0; count < 10; count++) assert.equal(await send(), 'status')
  assert.equal(await send(), 'overloaded')
  assert.equal(received.length, 10)

  resources.clock.advance({ ms: 999 })
  assert.equal(await send(), 'overloaded')
  resources.clock.advance({ ms: 1 })
  assert.equal(await send(), 'status', 'the probe')
  assert.equal(await send(), 'overloaded')
  resources.clock.advance({ ms: 1_999 })
  assert.equal(await send(), 'overloaded', 'the pause has doubled')

  failing = false
  resources.clock.advance({ ms: 1 })
  assert.deepEqual(await Promise.all([send(), send()]), ['ok', 'overloaded'], 'only one probes')
  assert.equal(await send(), 'ok')
  assert.equal(received.length, 13)
  assert.match(resources.logged(), /"upstream":"acme","service":"test","circuit":"open"/)
  assert.match(resources.logged(), /"circuit":"closed"/)
})

test('does not retry a probe that fails', async (t) => {
  const { guardian, resources, received } = await guarded(t, (_, count) => ({ status: count > 10 ? 503 : 500 }))
  for (let count = 0; count < 10; count++) await outcome(guardian.send(request(), later()))
  resources.clock.advance({ seconds: 1 })
  assert.equal(await outcome(guardian.send(request(), later())), 'status')
  assert.equal(received.length, 11)
})

test('closes the circuit again after the clock jumped back', async (t) => {
  let failing = true
  const { guardian, resources } = await guarded(t, () => (failing ? { status: 500 } : {}))
  for (let count = 0; count < 10; count++) await outcome(guardian.send(request(), later()))
  failing = false
  resources.clock.advance({ hours: -720 })
  assert.equal(await outcome(guardian.send(request(), later())), 'ok')
})

test('does not open the circuit for responses that may concern one number or one token only', async (t) => {
  for (const status of [400, 401, 403, 404, 422, 501]) {
    const { guardian, received } = await guarded(t, () => ({ status }))
    for (let count = 0; count < 25; count++) await outcome(guardian.send(request(), later()))
    assert.equal(received.length, 25, `${status}`)
  }
})

test('counts responses about one number as successes beside the failures', async (t) => {
  const { guardian, received } = await guarded(t, (_, count) => ({ status: count % 3 === 0 ? 500 : 404 }))
  for (let count = 0; count < 45; count++) await outcome(guardian.send(request(), later()))
  assert.equal(received.length, 45)
})

test('opens the circuit for 401 to a new token, for 429 and for unreadable responses', async (t) => {
  for (const reply of [{ status: 401 }, { status: 429 }, { body: '<html>' }]) {
    const { guardian, received } = await guarded(t, () => reply)
    for (let count = 0; count < 12; count++) await outcome(guardian.send({ ...request(), tokenIsNew: true }, later()))
    assert.equal(received.length, 10, JSON.stringify(reply))
  }
})

test('neither opens nor closes the circuit when a caller reaches its deadline', async (t) => {
  let reply: Reply = 'silence'
  const { guardian, resources, received } = await guarded(t, () => reply)
  const patient = () => outcome(guardian.send(request(), later()))
  /** Callers who leave when the upstream has all of their requests. */
  const impatient = async (callers: number) => {
    const [deadline, before] = [new AbortController(), received.length]
    const outcomes = Array.from({ length: callers }, () => outcome(guardian.send(request(), deadline.signal)))
    while (received.length < before + callers) await delay(2)
    deadline.abort()
    return new Set(await Promise.all(outcomes))
  }
  assert.deepEqual(await impatient(20), new Set(['timeout']))
  reply = { status: 500 }
  assert.equal(await patient(), 'status', 'still closed')
  for (let count = 0; count < 9; count++) await patient()
  assert.equal(await patient(), 'overloaded')
  assert.equal(received.length, 30)

  resources.clock.advance({ seconds: 1 })
  reply = 'silence'
  assert.deepEqual(await impatient(1), new Set(['timeout']), 'a probe that its caller aborts')
  await setImmediate()
  assert.equal(await patient(), 'overloaded')
})

test('limits the calls in flight and those that wait, and rejects more at once', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { guardian, resources, received } = await guarded(t, () => opened.then(() => ({})), {
    concurrentCalls: 2,
    waitingCalls: 1,
  })
  const calls = Array.from({ length: 3 }, () => outcome(guardian.send(request(), later())))
  assert.equal(await outcome(guardian.send(request(), later())), 'overloaded')
  assert.deepEqual(resources.counted, ['acme test/check overloaded'])
  open()
  assert.deepEqual(await Promise.all(calls), ['ok', 'ok', 'ok'])
  assert.equal(received.length, 3)
})

test('drops a waiting call at its deadline and never sends it', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { guardian, received } = await guarded(t, () => opened.then(() => ({})), { concurrentCalls: 1 })
  const first = guardian.send(request('/first'), later())
  assert.equal(await outcome(guardian.send(request('/second'), AbortSignal.timeout(20))), 'timeout')
  open()
  await first
  await guardian.send(request('/third'), later())
  assert.deepEqual(
    received.map(({ path }) => path),
    ['/first', '/third'],
  )
})

test('sends nothing after the deadline', async (t) => {
  const { guardian, received } = await guarded(t, () => ({}))
  assert.equal(await outcome(guardian.send(request(), AbortSignal.abort())), 'timeout')
  assert.equal(received.length, 0)
})

test('rejects at the deadline while it is still connecting, and frees its slot', async (t) => {
  const silent = createServer((socket) => t.after(() => socket.destroy())).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const { guardian } = await guarded(t, () => ({}), {
    baseUrl: new URL(`https://127.0.0.1:${port}`),
    timeoutMs: 30_000,
    connectTimeoutMs: 30_000,
    ...{ concurrentCalls: 1, waitingCalls: 0 },
  })
  for (let count = 0; count < 3; count++) {
    const deadline = new AbortController()
    const call = outcome(guardian.send(request(), deadline.signal))
    // The server accepts the connection and never answers the TLS handshake.
    await Promise.race([once(silent, 'connection'), call])
    deadline.abort()
    assert.equal(await settlesAtOnce(call), 'timeout')
    await setImmediate()
  }
})

test('says its limits, and that its circuit is open after it failed too often', async (t) => {
  const { guardian } = await guarded(t, () => ({ status: 500, body: {} }))
  const state = { service: 'test', timeoutMs: 30_000, concurrentCalls: 50, waitingCalls: 50 }
  assert.deepEqual(guardian.state(), { ...state, circuit: 'closed' })
  for (let call = 0; call < 12; call++) await outcome(guardian.send(request(), later()))
  assert.deepEqual(guardian.state(), { ...state, circuit: 'open' })
})

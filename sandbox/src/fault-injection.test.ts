import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type TestSandbox, testSandbox } from './testing.ts'

const check = '/sim-swap/v2/check'
const body = { phoneNumber: '+917020141726' }

/** Only a call that hangs takes longer, on the slowest machine too. */
const patienceMs = 60_000

/** Switches a fault on and calls once. null: no response until `signal` aborts, or a broken connection. */
async function callWithFault(
  operator: TestSandbox,
  token: string,
  fault: object,
  signal = AbortSignal.timeout(patienceMs),
) {
  const switched = await operator.send('POST', '/sandbox/faults', { ...fault, times: 1 })
  assert.equal(switched.status, 201, JSON.stringify(switched.body))
  return await fetch(`${operator.sandbox.url}${check}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal,
  }).catch(() => null)
}

/** What a call gets until some time after its fault was injected. */
async function impatientCall(operator: TestSandbox, token: string, fault: object) {
  const impatience = new AbortController()
  const call = callWithFault(operator, token, fault, impatience.signal)
  await untilInjected(operator, [call])
  await wait(50)
  impatience.abort()
  return call
}

/** Waits until each call has a fault. Fails when a call ends before that. */
async function untilInjected({ sandbox }: TestSandbox, calls: readonly Promise<unknown>[]): Promise<void> {
  let ended = 0
  const end = () => ended++
  for (const call of calls) void call.then(end, end)
  const injected = () => sandbox.calls.last(100).filter(({ fault }) => fault !== null).length
  while (injected() < calls.length) {
    assert.equal(ended, 0, 'a call ended before its fault was injected')
    await wait(5)
  }
}

test('slow: returns the correct response late', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  assert.equal(await impatientCall(operator, token, { kind: 'slow', delayMs: 600_000 }), null)
  const startMs = performance.now()
  const answer = await callWithFault(operator, token, { kind: 'slow', delayMs: 40 })
  assert.ok(performance.now() - startMs >= 39)
  assert.deepEqual(await answer?.json(), { swapped: false })
})

test('slow: returns the correct response when the fault is switched off', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const { id } = operator.sandbox.faults.switchOn({ kind: 'slow', delayMs: 600_000 })
  const call = operator.post(check, body, token)
  await untilInjected(operator, [call])
  assert.equal((await operator.send('DELETE', `/sandbox/faults/${id}`)).status, 204)
  assert.deepEqual((await call).body, { swapped: false })
})

test('reset: the connection fails with ECONNRESET', async () => {
  await using operator = await testSandbox()
  await operator.send('POST', '/sandbox/faults', { kind: 'reset', route: check })
  const code = await new Promise((resolve) => {
    const { port } = operator.sandbox
    const call = request({ host: '127.0.0.1', port, path: check, method: 'POST', agent: false }, () =>
      resolve('answered'),
    )
    call.on('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    call.end('{}')
  })
  assert.equal(code, 'ECONNRESET')
  assert.deepEqual(operator.sandbox.calls.last(1)[0]?.fault, 'reset')
  assert.equal(operator.sandbox.calls.last(1)[0]?.status, null)
})

test('half-open: accepts the call and never responds', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  assert.equal(await impatientCall(operator, token, { kind: 'half-open' }), null)
  assert.equal(operator.sandbox.calls.last(1)[0]?.fault, 'half-open')
})

test('drip: returns the correct response one byte at a time', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const answer = await callWithFault(operator, token, { kind: 'drip', everyMs: 2 })
  const pieces: string[] = []
  for await (const piece of answer?.body ?? []) pieces.push(Buffer.from(piece).toString())
  assert.equal(pieces.join(''), '{"swapped":false}')
  assert.ok(pieces.length > 3, `${pieces.length} pieces`)
})

test('garbage: returns 200 with application/json and bytes that are not JSON', async () => {
  await using operator = await testSandbox()
  const answer = await callWithFault(operator, await operator.token(), { kind: 'garbage' })
  assert.equal(answer?.status, 200)
  assert.match(answer?.headers.get('content-type') ?? '', /^application\/json/)
  await assert.rejects(async () => await answer?.json(), SyntaxError)
})

test('wrong-content-type: returns the correct response as text/html', async () => {
  await using operator = await testSandbox()
  const answer = await callWithFault(operator, await operator.token(), { kind: 'wrong-content-type' })
  assert.match(answer?.headers.get('content-type') ?? '', /^text\/html/)
  assert.deepEqual(await answer?.json(), { swapped: false })
})

test('huge-body: returns valid JSON of exactly this many bytes', async () => {
  await using operator = await testSandbox()
  const answer = await callWithFault(operator, await operator.token(), { kind: 'huge-body', bytes: 1_000_000 })
  const text = (await answer?.text()) ?? ''
  assert.equal(text.length, 1_000_000)
  assert.equal(JSON.parse(text).swapped, false)
})

test('redirect: returns 307 to a path of the sandbox, or to the given location', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const own = await callWithFault(operator, token, { kind: 'redirect' })
  assert.deepEqual([own?.status, own?.headers.get('location')], [307, `${operator.sandbox.url}/redirected`])
  const away = await callWithFault(operator, token, { kind: 'redirect', location: 'http://elsewhere.example/' })
  assert.equal(away?.headers.get('location'), 'http://elsewhere.example/')
})

test('status: returns an error status in the format of the route, with Retry-After if given', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const expected = {
    500: 'INTERNAL',
    503: 'UNAVAILABLE',
    599: 'INTERNAL',
    429: 'TOO_MANY_REQUESTS',
    401: 'UNAUTHENTICATED',
  }
  for (const [status, code] of Object.entries(expected)) {
    const answer = await callWithFault(operator, token, {
      kind: 'status',
      status: Number(status),
      retryAfterSeconds: 7,
    })
    const error = (await answer?.json()) as { status: number; code: string }
    assert.deepEqual([answer?.status, error.status, error.code], [Number(status), Number(status), code])
    assert.equal(answer?.headers.get('retry-after'), '7')
  }
})

test('a fault of the token endpoint does not affect other routes, and has the OAuth format', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  await operator.send('POST', '/sandbox/faults', { kind: 'status', status: 503, route: '/oauth2/token' })
  const refused = await operator.requestToken({ grant_type: 'client_credentials' })
  assert.deepEqual([refused.status, refused.body.error], [503, 'temporarily_unavailable'])
  assert.equal((await operator.post(check, body, token)).status, 200)
})

test('a fault of one subscription leaves the others and new ones as they are', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const path = '/sim-swap-subscriptions/v0.4/subscriptions'
  await operator.send('POST', '/sandbox/faults', { kind: 'status', status: 503, route: `${path}/{id}`, times: 1 })
  assert.notEqual((await operator.post(path, {}, token)).status, 503)
  assert.equal((await operator.get(`${path}/unknown`, token)).status, 503)
  assert.notEqual((await operator.get(`${path}/unknown`, token)).status, 503)
})

test('a fault applies to n calls or until it is off, and to one route or all', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const statuses = async (path: string, times: number) => {
    const seen: number[] = []
    for (let call = 0; call < times; call++) seen.push((await operator.get(path, token)).status)
    return seen
  }
  const route = '/portability/v1/numbers/{digits}'
  const path = '/portability/v1/numbers/917020141726'
  await operator.send('POST', '/sandbox/faults', { kind: 'status', status: 500, route, times: 2 })
  assert.deepEqual((await operator.get('/sandbox/faults')).body.faults, [
    { kind: 'status', status: 500, route, times: 2, id: 1 },
  ])
  assert.equal((await operator.post(check, body, token)).status, 200)
  assert.deepEqual(await statuses(path, 3), [500, 500, 200])

  const { body: on } = await operator.send('POST', '/sandbox/faults', { kind: 'status', status: 502 })
  assert.deepEqual(await statuses(path, 3), [502, 502, 502])
  assert.equal((await operator.post(check, body, token)).status, 502)
  assert.equal((await operator.send('DELETE', `/sandbox/faults/${on.id}`)).status, 204)
  assert.equal((await operator.send('DELETE', `/sandbox/faults/${on.id}`)).status, 404)
  assert.deepEqual(await statuses(path, 1), [200])

  await operator.send('POST', '/sandbox/faults', { kind: 'reset' })
  assert.equal((await operator.get('/sandbox/faults')).status, 200, 'faults never affect the admin API')
  assert.equal((await operator.send('DELETE', '/sandbox/faults')).status, 204)
  assert.deepEqual(await statuses(path, 1), [200])
})

test('close does not wait for slow and half-open calls', async () => {
  const operator = await testSandbox()
  const token = await operator.token()
  const calls = [
    callWithFault(operator, token, { kind: 'slow', delayMs: 600_000 }),
    callWithFault(operator, token, { kind: 'half-open' }),
  ]
  await untilInjected(operator, calls)
  const startMs = performance.now()
  await operator.sandbox.close()
  assert.deepEqual(await Promise.all(calls), [null, null])
  // If close waited for the calls, it would wait until they run out of patience.
  assert.ok(performance.now() - startMs < patienceMs / 2)
})

test('refuses an invalid fault with a sentence that names the field', async () => {
  await using operator = await testSandbox()
  const message = async (fault: unknown) => {
    const { status, body: error } = await operator.send('POST', '/sandbox/faults', fault)
    assert.equal(status, 400)
    return error.message
  }
  assert.match(await message({ kind: 'sloow' }), /^kind must be one of slow, reset, half-open/)
  assert.match(await message({ kind: 'slow' }), /must have delayMs/)
  assert.match(await message({ kind: 'slow', delayMs: 0 }), /^delayMs must be >= 1/)
  assert.match(await message({ kind: 'reset', delayMs: 5 }), /unknown fields: delayMs/)
  assert.match(await message({ kind: 'reset', route: '/nowhere' }), /^route must be one of \/oauth2\/token/)
  assert.match(await message({ kind: 'reset', times: 0 }), /^times/)
  assert.match(await message([]), /the body must be object/)
  assert.deepEqual(operator.sandbox.faults.active(), [])
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { inspect } from 'node:util'
import { clientEndpoints, readSamples } from '@ringfence/contract'
import { bodyOf } from '@ringfence/server/testing/body-of.ts'
import { freePorts } from '@ringfence/server/testing/free-ports.ts'
import { call } from './call.ts'
import { Ringfence, RingfenceError, type RingfenceErrorCode } from './index.ts'
import { checkedSettings, type RingfenceOptions } from './settings.ts'

const clientSecret = 'secret-of-the-test'
const phoneNumber = '917020141726'
const samples = readSamples()

/** The address of a real HTTP server on loopback. */
async function listening(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Only what hangs takes longer, also on a busy machine. */
const patient = { timeoutMs: 60_000, attemptTimeoutMs: 60_000 }

/** A client of such a server. Its calls are sent once, so that each failure is seen. */
async function clientOf(
  t: TestContext,
  listener: RequestListener,
  limits: Partial<RingfenceOptions> = patient,
): Promise<Ringfence> {
  const baseUrl = await listening(t, listener)
  return new Ringfence({ baseUrl, clientId: 'client-of-the-test', clientSecret, retries: 0, ...limits })
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await bodyOf(request)
  return text === '' ? undefined : JSON.parse(text)
}

function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function failureOf(call: Promise<unknown>): Promise<RingfenceError> {
  const error: unknown = await call.then(
    () => assert.fail('no failure'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof RingfenceError, inspect(error))
  assert.doesNotMatch(inspect(error, { depth: null, showHidden: true }), /secret-of-the-test/)
  return error
}

test('every call sends the sample requests to its path with credentials, and returns the sample bodies', async (t) => {
  const seen: unknown[] = []
  let next: unknown
  const ringfence = await clientOf(t, async (request, response) => {
    const { clientid, clientsecret } = request.headers
    seen.push([request.method, request.url, clientid, clientsecret, await readJson(request)])
    answer(response, 200, next, { 'x-request-id': 'kept', 'x-ringfence-sandbox': 'true' })
  })
  for (const name of Object.keys(clientEndpoints) as (keyof typeof clientEndpoints)[]) {
    const { method, path, request, answer: result } = clientEndpoints[name]
    const idOf = (schema: object) => String(Reflect.get(schema, '$id'))
    for (const body of Object.values(samples[idOf(request)]!)) {
      for (next of Object.values(samples[idOf(result)]!)) {
        const told = await ringfence[name](body as never)
        assert.deepEqual(told, next)
        assert.equal(told.meta.requestId, 'kept')
        assert.equal(told.meta.sandbox, true)
        const [sentPath, rest] = withPathFields(path, body as Record<string, string>)
        const query = method === 'GET' ? `${new URLSearchParams(rest)}` : ''
        const sentBody = method === 'POST' ? rest : undefined
        const url = query ? `${sentPath}?${query}` : sentPath
        assert.deepEqual(seen.pop(), [method, url, 'client-of-the-test', clientSecret, sentBody])
      }
    }
  }
})

/** The path with the fields that it names, and the other fields. */
function withPathFields(path: string, body: Readonly<Record<string, string>>): [string, Record<string, string>] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const rest = Object.entries(body).filter(([name]) => !names.includes(name))
  return [names.reduce((text, name) => text.replace(`{${name}}`, body[name]!), path), Object.fromEntries(rest)]
}

test('calls authUrl for tokens and baseUrl for numbers', async (t) => {
  const seen: unknown[] = []
  const server = (name: string) =>
    listening(t, (request, response) => {
      seen.push([name, request.url])
      const result = name === 'auth' ? samples.TokenVerification!.identities : samples.PortabilityResult!.ported
      answer(response, 200, result)
    })
  const addresses = { baseUrl: await server('base'), authUrl: await server('auth') }
  const ringfence = new Ringfence({
    ...addresses,
    clientId: 'client-of-the-test',
    clientSecret,
    retries: 0,
    ...patient,
  })
  await ringfence.validateToken({ token: 'rft_any' })
  await ringfence.portability({ phoneNumber })
  assert.deepEqual(seen, [
    ['auth', '/auth/v1/validate/token'],
    ['base', '/v1/telecom/portability'],
  ])
})

test('throws invalid_token or expired_token for a refused token, which is not in the error', async (t) => {
  const token = 'rft_secret-of-the-test'
  for (const [status, sample, code] of [
    [400, 'token-invalid', 'invalid_token'],
    [401, 'token-expired', 'expired_token'],
  ] as const) {
    const ringfence = await clientOf(t, (_, response) => answer(response, status, samples.ErrorBody![sample]))
    for (const call of [
      ringfence.validateToken({ token }),
      ringfence.secureInfo({ token }),
      ringfence.revokeToken({ token }),
    ]) {
      assert.equal((await failureOf(call)).code, code)
    }
  }
})

test('each decision has its own key, which its retries share, or the key that you set', async (t) => {
  const keys: unknown[] = []
  const baseUrl = await listening(t, (request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (keys.length === 1) return answer(response, 502, {})
    answer(response, 200, samples.Decision!.ordinary)
  })
  const ringfence = new Ringfence({ baseUrl, clientId: 'client-of-the-test', clientSecret, ...patient })
  await ringfence.decide({ phoneNumber })
  await ringfence.decide({ phoneNumber })
  await ringfence.decide({ phoneNumber }, { idempotencyKey: 'order-4711' })
  const [first, retried, second, own] = keys
  assert.match(String(first), /^[\da-f-]{36}$/)
  assert.equal(retried, first)
  assert.notEqual(second, first)
  assert.equal(own, 'order-4711')
})

test('throws challenge_not_passed with the reason, and not_found for an unknown decision', async (t) => {
  const decisionId = '01933b2e-7c19-7d11-8a4c-6f3e2d1c0b9a'
  const description = 'The token does not pass the challenge: the user signed in before the decision'
  const refusing = await clientOf(t, (_, response) =>
    answer(response, 400, { message: 'Invalid Request', errorCode: '70016', description }),
  )
  const failure = await failureOf(refusing.passChallenge({ decisionId, token: 'rft_any' }))
  assert.deepEqual([failure.code, failure.description], ['challenge_not_passed', description])
  const unknown = await clientOf(t, (_, response) =>
    answer(response, 404, { message: 'Not Found', errorCode: '70015', description: 'There is no such decision' }),
  )
  assert.equal((await failureOf(unknown.readDecision({ decisionId }))).code, 'not_found')
})

test('sends deadlineMs, requestId and correlator as the headers of the contract', async (t) => {
  let headers: IncomingMessage['headers'] = {}
  const ringfence = await clientOf(t, (request, response) => {
    headers = request.headers
    answer(response, 200, samples.PortabilityResult!.ported)
  })
  await ringfence.portability({ phoneNumber }, { deadlineMs: 800, requestId: 'request-1', correlator: 'corr-1' })
  const names = ['x-ringfence-deadline-ms', 'x-request-id', 'x-correlator', 'content-type']
  assert.deepEqual(
    names.map((name) => headers[name]),
    ['800', 'request-1', 'corr-1', 'application/json'],
  )
})

test('a decision has one deadline, wherever it is set, and the client waits for it', async (t) => {
  const seen: unknown[] = []
  const ringfence = await clientOf(t, async (request, response) => {
    seen.push([
      ((await readJson(request)) as { deadlineMs?: number }).deadlineMs,
      request.headers['x-ringfence-deadline-ms'],
    ])
    answer(response, 200, samples.Decision!.ordinary)
  })
  await ringfence.decide({ phoneNumber, deadlineMs: 700 })
  await ringfence.decide({ phoneNumber }, { deadlineMs: 800 })
  await ringfence.decide({ phoneNumber, deadlineMs: 900 }, { deadlineMs: 900 })
  assert.deepEqual(seen, [
    [700, undefined],
    [800, undefined],
    [900, undefined],
  ])
  const two = await failureOf(ringfence.decide({ phoneNumber, deadlineMs: 700 }, { deadlineMs: 800 }))
  assert.match(two.message, /are one value/)
  const tooLong = await failureOf(ringfence.decide({ phoneNumber, deadlineMs: patient.timeoutMs }))
  assert.match(tooLong.message, /must be less than timeoutMs/)
})

test('with onFailure, an outage is a local answer whose key gets the decision later', async (t) => {
  let isDown = true
  const keys: unknown[] = []
  const ringfence = await clientOf(t, (request, response) => {
    keys.push(request.headers['idempotency-key'])
    if (isDown) return answer(response, 503, {})
    answer(response, 200, samples.Decision!.ordinary)
  })
  const local = await ringfence.decide({ phoneNumber }, { onFailure: 'CHALLENGE' })
  assert.equal(local.decisionId, undefined)
  assert.equal(local.action, 'CHALLENGE')
  assert.ok(local.decisionId === undefined && local.failure.code === 'overloaded')
  isDown = false
  const decided = await ringfence.decide(
    { phoneNumber },
    { onFailure: 'CHALLENGE', idempotencyKey: local.idempotencyKey },
  )
  assert.ok(decided.decisionId !== undefined)
  assert.deepEqual(keys, [local.idempotencyKey, local.idempotencyKey])
})

test('onFailure hides no mistake: a refused request, wrong credentials and an unknown action throw', async (t) => {
  for (const [status, body, code] of [
    [400, { message: 'Invalid Request', errorCode: '70004', description: 'params' }, 'invalid_request'],
    [401, { message: 'Unauthorized', errorCode: '70002', description: 'wrong' }, 'invalid_credentials'],
  ] as const) {
    const ringfence = await clientOf(t, (_, response) => answer(response, status, body))
    assert.equal((await failureOf(ringfence.decide({ phoneNumber }, { onFailure: 'ALLOW' }))).code, code)
  }
  const ringfence = await clientOf(t, (_, response) => answer(response, 503, {}))
  const wrong = await failureOf(ringfence.decide({ phoneNumber }, { onFailure: 'BLOK' as 'BLOCK' }))
  assert.match(wrong.message, /onFailure must be one of ALLOW/)
})

const faults: [string, RequestListener, RingfenceErrorCode][] = [
  ['no answer', () => {}, 'timeout'],
  ['an answer that stops half-way', (_, response) => void response.writeHead(200).write('{"success":'), 'timeout'],
  ['a reset connection', (request) => void request.socket.destroy(), 'connection'],
  [
    'a connection that breaks within the answer',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"success":')
      setImmediate(() => response.destroy())
    },
    'connection',
  ],
  ['HTML', (_, response) => void response.setHeader('content-type', 'text/html').end('<html>'), 'unexpected_response'],
  ['truncated JSON', (_, response) => void response.end('{"success":true,'), 'unexpected_response'],
  ['a redirect', (_, response) => void response.writeHead(302, { location: '/login' }).end(), 'unexpected_response'],
]
for (const [what, listener, code] of faults) {
  test(`${what} is ${code}`, async (t) => {
    const ringfence = await clientOf(t, listener, code === 'timeout' ? { timeoutMs: 30 } : patient)
    const error = await failureOf(ringfence.callForwardingCheck({ phoneNumber }, { requestId: 'request-1' }))
    assert.equal(error.code, code)
    assert.equal(error.requestId, 'request-1')
  })
}

test('throws connection with the reason when nothing listens', async () => {
  const [unused] = await freePorts(1)
  const options = { baseUrl: `http://127.0.0.1:${unused}`, clientId: 'client', clientSecret, retries: 0, ...patient }
  const error = await failureOf(new Ringfence(options).portability({ phoneNumber }))
  assert.equal(error.code, 'connection')
  assert.match(error.message, /ECONNREFUSED/)
})

test('does not send the secret to the target of a redirect', async (t) => {
  let visits = 0
  const elsewhere = await listening(t, (_, response) => {
    visits++
    answer(response, 200, samples.PortabilityResult!.ported)
  })
  const location = `${elsewhere}/v1/telecom/portability`
  const ringfence = await clientOf(t, (_, response) => void response.writeHead(307, { location }).end())
  const error = await failureOf(ringfence.portability({ phoneNumber }))
  assert.equal(error.code, 'unexpected_response')
  assert.match(error.message, /a redirect to http/)
  assert.equal(visits, 0)
})

test('retries 429 and a reset connection over real HTTP until there is a response', async (t) => {
  let requests = 0
  const baseUrl = await listening(t, (request, response) => {
    requests++
    if (requests === 1) answer(response, 429, {}, { 'retry-after': '0' })
    else if (requests === 2) request.socket.destroy()
    else answer(response, 200, samples.SimSwapResult!.swapped)
  })
  const settings = checkedSettings({ baseUrl, clientId: 'client-of-the-test', clientSecret, ...patient })
  const impatient = { now: () => performance.now(), random: Math.random, sleep: async () => {} }
  const result = await call('simSwapCheck', { phoneNumber }, {}, settings, impatient)
  assert.equal(result.success && result.swapped, true)
  assert.equal(requests, 3)
})

test('a signal aborts a call that waits for its response', async (t) => {
  const controller = new AbortController()
  const ringfence = await clientOf(t, () => controller.abort())
  const error = await failureOf(ringfence.portability({ phoneNumber }, { signal: controller.signal }))
  assert.equal(error.code, 'aborted')
})

test('a token or dfrId without a value is sent as null, so that it is expected and not forgotten', async (t) => {
  const seen: unknown[] = []
  const ringfence = await clientOf(t, async (request, response) => {
    seen.push(await readJson(request))
    answer(response, 200, samples.Decision!.allow ?? Object.values(samples.Decision!)[0])
  })
  const forgotten = { token: undefined, dfrId: undefined } as object
  await ringfence.decide({ userId: 'u', ...forgotten })
  await ringfence.decide({ userId: 'u', token: 't', dfrId: null })
  await ringfence.decide({ userId: 'u' })
  assert.deepEqual(seen, [
    { userId: 'u', token: null, dfrId: null },
    { userId: 'u', token: 't', dfrId: null },
    { userId: 'u' },
  ])
})

test('refuses a decision about an undefined user, and says which other values were undefined', async (t) => {
  const ringfence = await clientOf(t, (_, response) => {
    response.setHeader('x-ringfence-notice', 'no action was sent')
    answer(response, 200, samples.Decision!.allow ?? Object.values(samples.Decision!)[0])
  })
  for (const userId of [undefined, null]) {
    const error = await failureOf(ringfence.decide({ userId, phoneNumber } as object))
    assert.deepEqual(
      [error.code, /^userId is (undefined|null): send your id/.test(error.message)],
      ['invalid_argument', true],
    )
  }
  const decision = await ringfence.decide({
    userId: 'u',
    email: undefined,
    params: { amount: undefined, payee: 'p' },
  } as object)
  assert.equal(decision.meta.notice, 'undefined, and so not sent: email, params.amount; no action was sent')
  assert.ok(decision.meta.requestId)
  assert.deepEqual(Object.keys(decision).includes('meta'), false)
})

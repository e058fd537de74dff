import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  clientEndpoints,
  DeviceErrorBody,
  ErrorBody,
  endpoints,
  everyEndpoint,
  pathWith,
  readSamples,
} from '@ringfence/contract'
import { pino } from 'pino'
import Value from 'typebox/value'
import type { Database } from '../core/storage/database.ts'
import { atEnd } from '../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { fill } from '../testing/fill-overload.ts'
import { exchangeRaw, parseRaw } from '../testing/raw-http.ts'
import { settlesWithin } from '../testing/settles.ts'
import { startTestService } from '../testing/test-service.ts'

const simSwap = endpoints.simSwapCheck.path
const number = { phoneNumber: '917020141726' }
const samples = readSamples()

/** The body of a refusal in the error format of its endpoint; device calls add the request id. */
const wordsOf = (body: object, errorFormat: string) => (errorFormat === 'device' ? { ...body, requestId: '' } : body)
const refusalOf = (sample: string, errorFormat: string) =>
  wordsOf((errorFormat === 'device' ? samples.DeviceErrorBody : samples.ErrorBody)?.[sample] as object, errorFormat)

eachDatabase(({ engine, open }) => {
  for (const { method, path: template, errorFormat } of Object.values(clientEndpoints)) {
    const path = pathWith(template, '019ca945-0a00-767c-aa24-2d7ae2468f6c')
    test(`5.2 credentials missing or empty is 401 70001, unknown or wrong 70002: ${path} (${engine})`, async (t) => {
      const { url, credentials } = await startTestService(t, await open(t))
      const body = method === 'GET' ? null : JSON.stringify(number)
      const missing = await fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body })
      assert.equal(missing.status, 401)
      assert.deepEqual(
        wordsOf((await missing.json()) as object, errorFormat),
        refusalOf('credentials-missing', errorFormat),
      )
      for (const [given, sample] of [
        [{ clientId: '' }, 'credentials-missing'],
        [{ clientSecret: '' }, 'credentials-missing'],
        [{ clientId: 'rfc_unknown' }, 'credentials-invalid'],
        [{ clientSecret: `${credentials.clientSecret}x` }, 'credentials-invalid'],
        [{ clientSecret: credentials.clientSecret.toLowerCase() }, 'credentials-invalid'],
        [{ clientId: credentials.clientSecret, clientSecret: credentials.clientId }, 'credentials-invalid'],
      ] as const) {
        const headers = { 'content-type': 'application/json', ...credentials, ...given }
        const answer = await fetch(url + path, { method, headers, body })
        assert.equal(answer.status, 401)
        const seen = wordsOf((await answer.json()) as object, errorFormat)
        assert.deepEqual(seen, refusalOf(sample, errorFormat), JSON.stringify(given))
      }
    })
  }
})

const { open } = sqliteDatabases

test('5.1 header names are case-insensitive: clientid and clientsecret are the same', async (t) => {
  const { url, credentials } = await startTestService(t, await open(t))
  const { status } = await fetch(url + simSwap, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      clientid: credentials.clientId,
      CLIENTSECRET: credentials.clientSecret,
    },
    body: JSON.stringify(number),
  })
  assert.equal(status, 200)
})

test('a doubled credential header is 70002, even with the same value twice', async (t) => {
  const { url, credentials } = await startTestService(t, await open(t))
  const body = JSON.stringify(number)
  const answer = await exchangeRaw(
    url,
    `POST ${simSwap} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nclientId: ${credentials.clientId}\r\nclientId: ${credentials.clientId}\r\n` +
      `clientSecret: ${credentials.clientSecret}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  assert.equal(parseRaw(answer).status, 401)
  assert.deepEqual(parseRaw(answer).body, samples.ErrorBody?.['credentials-invalid'])
})

test('order of evaluation: 404 and 405, 401, 429, 415, 413, JSON, fields', async (t) => {
  const { url, post } = await startTestService(t, await open(t), {
    settings: { bodyLimitBytes: 1024, clientRatePerSecond: 6 },
  })
  const huge = 'x'.repeat(2000)
  const noCredentials = { clientId: '', clientSecret: '' }
  const text = { 'content-type': 'text/plain' }
  // Each request also has all mistakes of the later ones.
  assert.equal((await post('/v1/telecom/nothing', huge, { ...noCredentials, ...text })).status, 404)
  assert.equal((await fetch(url + simSwap, { method: 'PUT', headers: text, body: huge })).status, 405)
  assert.equal((await post(simSwap, huge, { ...noCredentials, ...text })).status, 401)
  assert.equal((await post(simSwap, huge, text)).status, 415)
  assert.equal((await post(simSwap, huge)).status, 413)
  const broken = await post(simSwap, '{"phoneNumber": 1,')
  assert.equal(broken.body.description, 'Request error: Invalid JSON')
  const fields = await post(simSwap, { phoneNumber: 'x', maxAge: 0 }, { 'x-ringfence-deadline-ms': '1' })
  assert.equal(fields.body.description, 'Request error: maxAge must be a whole number of hours from 1 to 2400')
  const deadline = await post(simSwap, { phoneNumber: 'x' }, { 'x-ringfence-deadline-ms': '1' })
  assert.equal(deadline.status, 400)
  assert.match(deadline.body.description, /x-ringfence-deadline-ms/)
  await post(simSwap, number)
  const limited = await post(simSwap, huge, text)
  assert.equal(limited.status, 429)
  assert.equal(limited.body.message, 'Rate Limit Exceeded')
  assert.equal(limited.body.errorCode, '70429')
  assert.equal(limited.headers.get('retry-after'), '1')
  assert.match(limited.headers.get('ratelimit') ?? '', /^"client";r=0;t=1$/)
  assert.equal(limited.headers.get('ratelimit-policy'), '"client";q=6;w=1')
})

/** A store that is ready at once: /ready does not wait for a slow machine. */
async function readyStore(t: TestContext): Promise<Database> {
  const database = await open(t)
  database.ping = async () => undefined
  return database
}

test('/ is a small page with the version and links that work', async (t) => {
  const { url } = await startTestService(t, await readyStore(t))
  const answer = await fetch(url)
  const html = await answer.text()
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(
    answer.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; script-src 'none'; style-src 'sha256-/,
  )
  assert.ok(html.includes(`Ringfence ${version} is running`))
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, path]) => path!)
  assert.deepEqual(links, ['/docs', '/openapi.json', '/health', '/ready'])
  for (const path of links) assert.equal((await fetch(url + path)).status, 200, path)
})

test('returns 404 for an unknown path, in the error format of its neighbours', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const noSuchPath = samples.ErrorBody?.['not-found']
  const { description } = noSuchPath as { description: string }
  for (const [path, shape] of [
    ['/v1/telecom/nothing', noSuchPath],
    ['/auth/v1/nothing', noSuchPath],
    ['/nothing', noSuchPath],
    ['/nothing', noSuchPath],
    ['/auth/otp/v1/nothing', { message: description }],
    ['/sdk/v1/nothing', { requestId: 'request-1', errorMessage: description }],
  ] as const) {
    const { status, body } = await post(path, {}, { 'x-request-id': 'request-1' })
    assert.deepEqual([path, status, body], [path, 404, shape])
  }
})

test('refuses with message, errorCode and description, and no other field', async (t) => {
  const { url, post } = await startTestService(t, await open(t))
  for (const [answer, status, errorCode] of [
    [await post('/v1/telecom/nothing', number), 404, '70404'],
    [await post('/v1/telecom/sim-swap-check/', number), 404, '70404'],
    [await post(`${simSwap}%zz`, number), 404, '70404'],
    [await post(simSwap, 'x'.repeat(1_000_000)), 413, '70413'],
    [
      await post(simSwap, 'phoneNumber=917020141726', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
      '70415',
    ],
    [await post(simSwap, number, { 'content-type': 'application/jsonp' }), 415, '70415'],
    [await post(simSwap, number, { 'content-encoding': 'gzip' }), 415, '70415'],
  ] as const) {
    assert.equal(answer.status, status)
    assert.equal(answer.body.errorCode, errorCode)
    assert.deepEqual(Value.Errors(ErrorBody, answer.body), [])
    assert.doesNotMatch(answer.body.description, /undefined|[{}]/)
    assert.ok(answer.headers.get('x-request-id'))
  }
  const wrongMethod = await fetch(url + simSwap)
  assert.equal((await fetch(url + simSwap.replace('-', '%2d'))).status, 404)
  assert.equal(wrongMethod.status, 405)
  assert.equal(wrongMethod.headers.get('allow'), 'POST')
  assert.equal(((await wrongMethod.json()) as ErrorBody).errorCode, '70405')
})

test('accepts a +json content type and a charset', async (t) => {
  const { post } = await startTestService(t, await open(t))
  for (const type of ['application/json; charset=utf-8', 'application/vnd.bank+json', 'APPLICATION/JSON;x=y']) {
    assert.equal((await post(simSwap, number, { 'content-type': type })).status, 200, type)
  }
})

test('uses a well-formed x-request-id and x-correlator, replaces others, and sends the operator what it takes of it', async (t) => {
  const { post, sandbox } = await startTestService(t, await open(t))
  const kept = await post(simSwap, number, { 'x-request-id': 'order-1', 'x-correlator': 'corr<1>' })
  assert.equal(kept.headers.get('x-request-id'), 'order-1')
  assert.equal(kept.headers.get('x-correlator'), 'corr<1>')
  assert.ok(sandbox.calls.last(10).some(({ path, correlator }) => path.endsWith('/check') && correlator === 'corr-1-'))
  const replaced = await post(simSwap, number, { 'x-request-id': 'a b', 'x-correlator': 'x'.repeat(300) })
  assert.match(replaced.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/)
  assert.equal(replaced.headers.get('x-correlator'), replaced.headers.get('x-request-id'))
})

test('answers a telecom check within its deadline, in the specified form', async (t) => {
  const { post } = await startTestService(t, await open(t))
  for (const text of ['99', '30001', '1e3', '-5', ' ', 'soon']) {
    assert.equal((await post(simSwap, number, { 'x-ringfence-deadline-ms': text })).status, 400, text)
  }
  // The operator answers after 30 s, and the connector gives up after 4 s.
  const asked = post(simSwap, { phoneNumber: '917020140153' }, { 'x-ringfence-deadline-ms': '1200' })
  assert.deepEqual((await settlesWithin(2_000, asked)).body, samples.SimSwapResult?.failed)
})

test('returns and logs 408 when headers or body do not arrive in time', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }))
  const {
    url,
    credentials,
    parts: needs,
  } = await startTestService(t, await open(t), {
    settings: { requestTimeoutMs: 100 },
    log,
  })
  const head =
    `POST ${simSwap} HTTP/1.1\r\nhost: x\r\nclientId: ${credentials.clientId}\r\nclientSecret: ${credentials.clientSecret}\r\n` +
    'content-type: application/json\r\ncontent-length: 100\r\n'
  for (const part of [head, `${head}\r\n{"phoneNumber":`]) {
    const answer = await exchangeRaw(url, part)
    assert.deepEqual(parseRaw(answer), { status: 408, body: samples.ErrorBody?.['request-timeout'] })
    assert.match(answer, /\r\nx-request-id: [0-9a-f-]{36}\r\nx-correlator: /)
  }
  const logged = lines.join('')
  assert.match(logged, /"status":408/)
  assert.doesNotMatch(logged, /"status":200|"level":50/)
  assert.match((await needs.metrics.text()).body, /status="408"\} 2/)
})

test('records a caller that closes the connection, and stops the calls to operators', async (t) => {
  const { url, credentials, parts: needs, sandbox } = await startTestService(t, await open(t))
  const gone = new AbortController()
  const asked = fetch(url + simSwap, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credentials },
    body: JSON.stringify({ phoneNumber: '917020140153' }),
    signal: gone.signal,
  })
  while (!sandbox.calls.last(10).some(({ path }) => path.endsWith('/check'))) await nextTurn()
  gone.abort()
  await assert.rejects(asked)
  while (needs.heavyWork.overload.inFlight() > 0) await nextTurn()
  assert.match((await needs.metrics.text()).body, /route="\/v1\/telecom\/sim-swap-check",status="499"\} 1/)
})

test('returns 400 for malformed HTTP, 405 for an unknown method and 431 for too large headers, in the error format', async (t) => {
  const { url } = await startTestService(t, await open(t))
  assert.equal(parseRaw(await exchangeRaw(url, `FOO ${simSwap} HTTP/1.1\r\nhost: x\r\n\r\n`)).status, 405)
  assert.equal(parseRaw(await exchangeRaw(url, 'GET / HELLO\r\n\r\n')).status, 400)
  const header = `x-filler: ${'x'.repeat(20_000)}\r\n`
  assert.equal(parseRaw(await exchangeRaw(url, `POST ${simSwap} HTTP/1.1\r\nhost: x\r\n${header}\r\n`)).status, 431)
})

test('returns 503 with Retry-After while too many requests are in flight, and still answers pages', async (t) => {
  const {
    url,
    post,
    parts: needs,
    sandbox,
  } = await startTestService(t, await open(t), {
    settings: { overloadDelayMs: 5 },
  })
  const leaveAll = await fill(needs.heavyWork.overload)
  const calls = sandbox.calls.last(100).length
  const refused = await post(simSwap, number, { 'x-request-id': 'order-7' })
  assert.equal(refused.status, 503)
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.headers.get('x-request-id'), 'order-7')
  assert.deepEqual(Value.Errors(ErrorBody, refused.body), [])
  assert.equal(sandbox.calls.last(100).length, calls, 'the handler was not reached')
  const device = await post(endpoints.deviceFingerprint.path, {}, { 'x-request-id': 'order-8' })
  assert.equal(device.body.requestId, 'order-8')
  assert.deepEqual(Value.Errors(DeviceErrorBody, device.body), [])
  assert.equal((await fetch(`${url}/health`)).status, 200)
  assert.equal((await fetch(`${url}/metrics`)).status, 200)
  leaveAll()
  assert.equal((await post(simSwap, number)).status, 200, 'the places are free again')
})

test('stays healthy but is not ready while it drains, and closes its connections', async (t) => {
  const { url, parts: needs, post } = await startTestService(t, await readyStore(t))
  assert.equal((await fetch(`${url}/health`)).status, 200)
  assert.deepEqual(await (await fetch(`${url}/ready`)).json(), { status: 'ready' })
  needs.servers.drain()
  assert.equal((await fetch(`${url}/ready`)).status, 503)
  const served = await post(simSwap, number)
  assert.equal(served.status, 200)
  assert.equal(served.headers.get('connection'), 'close')
})

test('returns 500 with only a message for an unexpected failure, and logs the cause', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }))
  const { parts: needs, post } = await startTestService(t, await open(t), { log })
  needs.telecom.operators.identify = async () => {
    throw new TypeError('secret detail')
  }
  const answer = await post(simSwap, number)
  assert.equal(answer.status, 500)
  assert.deepEqual(answer.body, samples.UnexpectedErrorBody?.ordinary)
  assert.match(lines.join(''), /secret detail/)
})

test('counts requests and upstream calls, and requires the metrics token', async (t) => {
  const metricsToken = 'a-token-of-sixteen'
  const { url, post } = await startTestService(t, await open(t), { settings: { metricsToken } })
  await post(simSwap, number)
  assert.equal((await fetch(`${url}/metrics`)).status, 401)
  const metrics = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text()
  assert.match(metrics, /ringfence_http_request_seconds_count\{route="\/v1\/telecom\/sim-swap-check",status="200"\} 1/)
  assert.match(metrics, /ringfence_upstream_call_seconds_count\{upstream="sandbox",[^}]*outcome="ok"\} 1/)
  assert.doesNotMatch(metrics, /917020141726/)
})

test('logs no phone number and no secret of a request', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, new Writable({ write: (line, _, done) => done(void lines.push(String(line))) }))
  const { post, credentials } = await startTestService(t, await open(t), { log })
  for (const suffix of ['1726', '0150', '0133', '0155']) await post(simSwap, { phoneNumber: `91702014${suffix}` })
  await post(simSwap, number, { clientSecret: 'rfs_wrong' })
  const text = lines.join('')
  assert.match(text, /"path":"\/v1\/telecom\/sim-swap-check","status":200/)
  for (const secret of ['70201417', '70201401', credentials.clientSecret, 'sandbox-client-secret', 'rfs_wrong']) {
    assert.equal(text.includes(secret), false, secret)
  }
})

test('serves the OpenAPI document and the API reference without the internet', async (t) => {
  const { url } = await startTestService(t, await open(t))
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    openapi: string
    info: { version: string }
    paths: object
  }
  assert.equal(document.openapi, '3.1.0')
  assert.equal(document.info.version, '1.0.0')
  assert.deepEqual(
    Object.keys(document.paths),
    everyEndpoint.map(({ path }) => path),
  )
  const page = await (await fetch(`${url}/docs`)).text()
  const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
  assert.ok(assets.length >= 3)
  for (const path of assets) {
    assert.match(path, /^\//, 'nothing is loaded from elsewhere')
    assert.equal((await fetch(url + path)).status, 200, path)
  }
})

test('a half-sent request takes no place, and a body in parts is read as a whole', async (t) => {
  const { url, parts: needs, credentials } = await startTestService(t, await open(t))
  const { hostname, port } = new URL(url)
  const body = JSON.stringify(number)
  const head = `POST ${simSwap} HTTP/1.1\r\nhost: x\r\nclientId: ${credentials.clientId}\r\nclientSecret: ${credentials.clientSecret}\r\ncontent-type: application/json\r\nconnection: close\r\n`
  for (const [begin, end] of [
    [`${head}content-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`, body.slice(5)],
    [
      `${head}transfer-encoding: chunked\r\n\r\n5\r\n${body.slice(0, 5)}\r\n`,
      `${(body.length - 5).toString(16)}\r\n${body.slice(5)}\r\n0\r\n\r\n`,
    ],
  ] as const) {
    const socket = connect(Number(port), hostname)
    atEnd(t, () => socket.destroy())
    let received = ''
    socket.setEncoding('utf8').on('data', (text) => {
      received += text
    })
    socket.write(begin)
    await once(socket, 'connect')
    // The server answers another connection after it has read the half-sent request.
    await (await fetch(`${url}/health`)).text()
    assert.deepEqual([needs.heavyWork.overload.inFlight(), needs.heavyWork.overload.waiting()], [0, 0])
    socket.write(end)
    await once(socket, 'close')
    assert.equal(parseRaw(received).status, 200)
  }
})

test('refuses a preflight with a body with 413, before the body arrives', async (t) => {
  const { url } = await startTestService(t, await open(t))
  const head = `OPTIONS ${endpoints.intelligence.path} HTTP/1.1\r\nhost: x\r\norigin: https://a.example\r\n`
  for (const length of ['content-length: 5', 'transfer-encoding: chunked']) {
    const answer = await exchangeRaw(url, `${head}${length}\r\n\r\n`)
    assert.equal(parseRaw(answer).status, 413)
  }
})

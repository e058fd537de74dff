import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { pino } from 'pino'
import { basicAuthorization, testSandbox } from './testing.ts'

const check = '/sim-swap/v2/check'
const digits = '917020141726'
const body = { phoneNumber: `+${digits}` }

test('sends x-ringfence-sandbox: true with every response, also refused and broken ones', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  await operator.send('POST', '/sandbox/faults', { kind: 'garbage', route: '/sim-swap/v2/retrieve-date' })
  const answers = await Promise.all([
    operator.requestToken({}),
    operator.post(check, body, token),
    operator.post(check, body),
    operator.get(check),
    operator.get('/nothing'),
    operator.get('/%zz'),
    operator.get('/sandbox/clock'),
    operator.send('DELETE', '/sandbox/calls'),
    operator.get(`/portability/v1/numbers/${digits}`, token),
    operator.get('/.well-known/oauth-authorization-server'),
  ])
  for (const { headers, status } of answers) assert.equal(headers.get('x-ringfence-sandbox'), 'true', `${status}`)
  const url = `${operator.sandbox.url}/sim-swap/v2/retrieve-date`
  assert.equal((await fetch(url, { method: 'POST' })).headers.get('x-ringfence-sandbox'), 'true')
  const socket = connect(operator.sandbox.port, '127.0.0.1')
  socket.end('this is not HTTP\r\n\r\n')
  assert.match(await text(socket), /^HTTP\/1.1 400 [\s\S]*x-ringfence-sandbox: true/)
})

test('validates x-correlator, repeats it on success and failure, and creates one when it is missing', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const ask = (correlator: string | undefined, bearer?: string) =>
    operator.post(check, body, bearer, correlator === undefined ? {} : { 'x-correlator': correlator })
  const allowed = 'b4333c46-49c0_4f62:80d7;f0ef./<>{}'
  assert.equal((await ask(allowed, token)).headers.get('x-correlator'), allowed)
  assert.equal((await ask(allowed)).headers.get('x-correlator'), allowed)
  assert.equal((await ask('x'.repeat(256), token)).status, 200)
  assert.match((await ask(undefined, token)).headers.get('x-correlator') ?? '', /^[0-9a-f-]{36}$/)
  for (const wrong of ['a b', 'x'.repeat(257), 'a,b', 'ä']) {
    const { status, headers, body: error } = await ask(wrong, token)
    assert.deepEqual([status, error.code, headers.get('x-correlator')], [400, 'INVALID_ARGUMENT', null], wrong)
  }
})

test('returns 404 NOT_FOUND for unknown paths, and 405 with Allow for other methods', async () => {
  await using operator = await testSandbox()
  const unknown = await operator.get('/sim-swap/v1/check')
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'NOT_FOUND'])
  for (const [path, allow] of [
    [check, 'POST'],
    ['/oauth2/token', 'POST'],
    [`/portability/v1/numbers/${digits}`, 'GET'],
    ['/sandbox/clock', 'GET, PUT, DELETE'],
  ] as const) {
    const { status, headers, body: error } = await operator.send('PATCH', path, {})
    assert.deepEqual([status, error.code, headers.get('allow')], [405, 'METHOD_NOT_ALLOWED', allow])
  }
})

test('returns 400 for broken JSON or no body, 415 for another content type, 413 for a large body', async () => {
  await using operator = await testSandbox()
  const token = await operator.token()
  const send = async (type: string | null, payload?: string) => {
    const headers = { authorization: `Bearer ${token}`, ...(type && { 'content-type': type }) }
    const url = `${operator.sandbox.url}${check}`
    const response = await fetch(url, { method: 'POST', headers, ...(payload !== undefined && { body: payload }) })
    const error = (await response.json()) as { status: number; code: string }
    assert.equal(error.status, response.status)
    return `${error.status} ${error.code}`
  }
  assert.equal(await send('application/json', '{"phoneNumber":'), '400 INVALID_ARGUMENT')
  assert.equal(await send('application/json', ''), '400 INVALID_ARGUMENT')
  assert.equal(await send(null), '400 INVALID_ARGUMENT')
  assert.equal(await send('text/plain', JSON.stringify(body)), '415 UNSUPPORTED_MEDIA_TYPE')
  assert.equal(await send('application/xml', '<x/>'), '415 UNSUPPORTED_MEDIA_TYPE')
  assert.equal(await send('application/json', JSON.stringify('x'.repeat(70_000))), '413 PAYLOAD_TOO_LARGE')
})

test('logs no full number and no secret', async () => {
  const lines = new PassThrough()
  const operator = await testSandbox({ logger: pino({ level: 'trace' }, lines) })
  const secret = 'a secret: 100 % + more'
  const token = await operator.token()
  await operator.post(check, body, token, { 'x-correlator': `n${digits}` })
  await operator.get(`/portability/v1/numbers/${digits}`, token)
  await operator.get(`/nothing/${digits}?phone=${digits}`, token)
  await operator.get(`/sandbox/numbers/${digits}`)
  await operator.post(check, { phoneNumber: '+12025550150' }, token)
  await operator.requestToken({ grant_type: 'client_credentials' }, basicAuthorization('plain', `${secret}x`))
  await operator.sandbox.close()
  lines.end()
  const log = await text(lines)
  assert.match(log, /"path":"\/sim-swap\/v2\/check"/)
  for (const hidden of [digits, '12025550150', secret, token, basicAuthorization('plain', secret).slice(6)]) {
    assert.ok(!log.includes(hidden), hidden)
  }
})

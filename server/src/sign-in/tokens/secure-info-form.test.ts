import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientEndpoints, endpoints, pathWith, readSamples } from '@ringfence/contract'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { tokenCalls } from './testing.ts'

const errors = readSamples().ErrorBody!
const { path } = endpoints.secureInfo
const type = 'application/x-www-form-urlencoded'

type Fields = Record<string, string> | [string, string][] | string

async function postForm({ url }: TestService, fields: Fields, headers: Record<string, string> = {}) {
  const body = typeof fields === 'string' ? fields : new URLSearchParams(fields).toString()
  const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': type, ...headers }, body })
  return { status: response.status, headers: response.headers, body: (await response.json()) as { errorCode?: string } }
}

const fieldsOf = ({ credentials: { clientId, clientSecret } }: TestService) => ({
  client_id: clientId,
  client_secret: clientSecret,
})
const headersOf = ({ credentials }: TestService) => ({ ...credentials })

eachDatabase(({ engine, open }) => {
  test(`4.5 accepts a form, with credentials in headers or in client_id and client_secret (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const token = await tokenCalls(service).issue()
    for (const answer of [
      await postForm(service, { token }, headersOf(service)),
      await postForm(service, { token, ...fieldsOf(service) }),
      await postForm(service, { token, ...headersOf(service) }),
      await postForm(service, { token, ...fieldsOf(service) }, { 'content-type': `${type}; charset=UTF-8` }),
    ]) {
      assert.deepEqual([answer.status, answer.body], [200, { status: 'SUCCESS' }])
      assert.equal(answer.headers.get('x-ringfence-notice'), null)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
  })
})

eachDatabase(({ engine, open }) => {
  test(`4.5 accepts the sample of the specification: credentials in headers, a form as content type, a JSON body (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const token = await tokenCalls(service).issue()
    for (const [body, headers] of [
      [JSON.stringify({ token }), headersOf(service)],
      [`\r\n  ${JSON.stringify({ token }, null, 2)}\n`, headersOf(service)],
      [JSON.stringify({ token, ...headersOf(service) }), {}],
    ] as const) {
      const answer = await postForm(service, body, headers)
      assert.deepEqual([answer.status, answer.body], [200, { status: 'SUCCESS' }], body)
      assert.equal(answer.headers.get('x-ringfence-notice'), null)
    }
  })
})

const { open } = sqliteDatabases

test('a body that is neither a form nor a JSON object is refused, and no header repeats its token', async (t) => {
  const service = await startTestService(t, await open(t))
  const token = await tokenCalls(service).issue()
  for (const [body, errorCode] of [
    [`{"token":"${token}"`, '7102'],
    [`"${token}"`, '7114'],
    [`["${token}"]`, '7114'],
    [token, '7114'],
    [`x{"token":"${token}"}`, '7114'],
    [`{"${token}":1}`, '7114'],
    [`{"token":{"${token}":1}}`, '7114'],
  ] as const) {
    const answer = await postForm(service, body, headersOf(service))
    assert.deepEqual([answer.status, answer.body.errorCode], [400, errorCode], body)
    const sent = JSON.stringify([...answer.headers, answer.body])
    for (let at = 0; at + 8 <= token.length; at++) assert.ok(!sent.includes(token.slice(at, at + 8)), sent)
  }
})

test('returns 70001 for missing credentials, and 70002 for wrong or duplicate ones', async (t) => {
  const service = await startTestService(t, await open(t))
  const token = await tokenCalls(service).issue()
  const { client_id, client_secret } = fieldsOf(service)
  const missing = errors['credentials-missing']
  const wrong = errors['credentials-invalid']
  for (const [fields, headers, expected] of [
    ['', {}, missing],
    [{ token }, {}, missing],
    [{ token, client_id }, {}, missing],
    [{ token, client_id, client_secret: '' }, {}, missing],
    [{ token, client_id, client_secret }, { clientId: client_id }, missing],
    [{ token, client_id, client_secret: `${client_secret}x` }, {}, wrong],
    [{ token, client_id, client_secret }, { clientId: client_id, clientSecret: 'rfs_wrong' }, wrong],
    [`token=${token}&client_id=${client_id}&client_id=${client_id}&client_secret=${client_secret}`, {}, wrong],
    [{ token, client_id, client_secret, clientId: 'rfc_other' }, {}, wrong],
    [JSON.stringify({ token, client_id, client_secret: [{}] }), {}, wrong],
    ['__proto__=x&client_id=constructor&client_secret=toString', {}, wrong],
  ] as [Fields, Record<string, string>, unknown][]) {
    const answer = await postForm(service, fields, headers)
    assert.deepEqual([answer.status, answer.body], [401, expected], JSON.stringify(fields))
  }
})

test('returns 7114 for a missing, duplicate or changed token', async (t) => {
  const service = await startTestService(t, await open(t))
  const token = await tokenCalls(service).issue()
  const own = fieldsOf(service)
  for (const fields of [
    own,
    { ...own, token: '' },
    { ...own, Token: token },
    { ...own, token: token.toLowerCase() },
    [...Object.entries(own), ['token', token], ['token', token]],
    `${new URLSearchParams(own)}&token=%zz&token[]=${token}`,
  ] as Fields[]) {
    const answer = await postForm(service, fields)
    assert.deepEqual([answer.status, answer.body], [400, errors['token-invalid']], JSON.stringify(fields))
  }
})

test('names an unknown form field in x-ringfence-notice, without repeating a secret', async (t) => {
  const service = await startTestService(t, await open(t))
  const token = await tokenCalls(service).issue()
  const answer = await postForm(service, { token, ...fieldsOf(service), scope: 'all' })
  assert.equal(answer.headers.get('x-ringfence-notice'), 'unknown field "scope" was ignored')
})

test('checks headers before the body of a form, and the form’s own credentials right after it', async (t) => {
  const service = await startTestService(t, await open(t), {
    settings: { bodyLimitBytes: 1024, clientRatePerSecond: 2 },
  })
  const token = await tokenCalls(service).issue()
  const huge = 'x'.repeat(2000)
  assert.equal((await postForm(service, { token: huge }, { clientId: 'rfc_wrong', clientSecret: 'x' })).status, 401)
  assert.equal((await postForm(service, { token: huge, ...fieldsOf(service) })).status, 413)
  assert.equal((await postForm(service, { token: 'x' })).status, 401, 'before the fields')
  assert.equal((await postForm(service, { token, ...fieldsOf(service) })).status, 200)
  const limited = await postForm(service, { token: 'x', ...fieldsOf(service) })
  assert.equal(limited.status, 429, 'a form counts as any other request, and before its fields')
  assert.match(limited.headers.get('ratelimit') ?? '', /^"client";r=0/)
})

test('refuses a form with 415 at every other endpoint, and anything but form and JSON at secure info', async (t) => {
  const service = await startTestService(t, await open(t))
  for (const other of Object.values(clientEndpoints)) {
    if (other.path === path || other.method !== 'POST') continue
    const otherPath = pathWith(other.path, '019ca945-0a00-767c-aa24-2d7ae2468f6c')
    const { status, body } = await service.post(otherPath, 'token=x', { 'content-type': type })
    assert.deepEqual([status, body.errorCode], [415, other.errorFormat === 'device' ? undefined : '70415'], other.path)
  }
  assert.equal((await service.post(path, 'token=x', { 'content-type': 'multipart/form-data' })).status, 415)
  assert.equal((await service.post(path, 'token=x', { 'content-type': `${type}x` })).status, 415)
})

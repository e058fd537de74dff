// Is a malicious request harmless? Ambiguous, smuggled, injected, deep, wide, or slow to match.

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { endpoints, readSamples } from '@ringfence/contract'
import fc from 'fast-check'
import { pino } from 'pino'
import { listClients } from '../clients/store/clients.ts'
import { surfaceOf } from '../parts.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { fill } from '../testing/fill-overload.ts'
import { exchangeRaw, parseRaw } from '../testing/raw-http.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'

const { open } = sqliteDatabases
const path = endpoints.simSwapCheck.path
const number = { phoneNumber: '917020141726' }
const samples = readSamples()

const headOf = ({ credentials: { clientId, clientSecret } }: Pick<TestService, 'credentials'>) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\nclientId: ${clientId}\r\nclientSecret: ${clientSecret}\r\ncontent-type: application/json\r\n`

test('refuses a request with an ambiguous end, and answers nothing after it', async (t) => {
  const service = await startTestService(t, await open(t))
  const behind = 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  for (const [what, request] of [
    ['length and chunks', `${headOf(service)}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['two lengths', `${headOf(service)}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
    ['a coding that is none', `${headOf(service)}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a length with a sign', `${headOf(service)}content-length: +2\r\n\r\n{}`],
    ['a space before the colon', `${headOf(service)}content-length : 2\r\n\r\n{}`],
    ['a folded header', `${headOf(service)}content-length: 2\r\n 0\r\n\r\n{}`],
    ['bare line feeds', `${headOf(service).replaceAll('\r', '')}content-length: 2\n\n{}`],
  ] as const) {
    const answer = await exchangeRaw(service.url, request + behind)
    assert.equal(parseRaw(answer).status, 400, what)
    assert.match(answer, /\r\nconnection: close\r\n/, what)
    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1, what)
  }
})

test('reads each body whole that comes in pieces behind others on a connection', async (t) => {
  const service = await startTestService(t, await open(t))
  const body = JSON.stringify({ phoneNumber: '917020141726', additionalInput: { note: 'n'.repeat(300) } })
  const request = `${headOf(service)}content-length: ${body.length}\r\n\r\n${body}`
  const last = request.replace('content-type', 'connection: close\r\ncontent-type')
  const cut = last.indexOf('{') + 20
  const pieces = [request.repeat(12) + last.slice(0, cut), last.slice(cut, cut + 150), last.slice(cut + 150)]
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setEncoding('utf8')
  const received = text(socket)
  for (const piece of pieces) {
    socket.write(piece)
    await setImmediate()
  }
  const answers = await received
  assert.equal(answers.match(/HTTP\/1\.1 200 /g)?.length, 13, answers.slice(-300))
})

test('a form in two chunks is read whole', async (t) => {
  const service = await startTestService(t, await open(t))
  const { clientId, clientSecret } = service.credentials
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const head =
    `POST /camara/oauth2/token HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Basic ${basic}\r\n` +
    'content-type: application/x-www-form-urlencoded\r\ntransfer-encoding: chunked\r\n\r\n'
  const chunk = (part: string) => `${part.length.toString(16)}\r\n${part}\r\n`
  const parts = ['grant_type=client_credentials&scope=sim-swap:check', '%20sim-swap:retrieve-date']
  const answer = parseRaw(await exchangeRaw(service.url, `${head}${parts.map(chunk).join('')}0\r\n\r\n`))
  assert.equal(
    (answer.body as { scope?: string }).scope,
    'sim-swap:check sim-swap:retrieve-date',
    JSON.stringify(answer),
  )
})

test('accepts only the methods of the table, and calls from no other origin', async (t) => {
  const { url } = await startTestService(t, await open(t))
  const origin = 'origin: https://attacker.example\r\naccess-control-request-method: POST\r\n'
  for (const method of ['TRACE', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PROPFIND']) {
    const answer = await exchangeRaw(url, `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${origin}\r\n`)
    assert.equal(parseRaw(answer).status, 405, method)
    assert.doesNotMatch(answer, /access-control-/i, method)
  }
  assert.equal(await exchangeRaw(url, 'CONNECT attacker.example:443 HTTP/1.1\r\nhost: x\r\n\r\n'), '')
})

test('routes only the path as it is written: no encoding, doubled slash, parameter or other case of it', async (t) => {
  const { url } = await startTestService(t, await open(t))
  const statusOf = async (target: string) =>
    Number((await exchangeRaw(url, `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).split(' ')[1])
  for (const target of [
    '/%6detrics',
    '/%6Detrics',
    '/metrics%20',
    '/metrics%3Fa=b',
    '//metrics',
    '/./metrics',
    '/x/../metrics',
    '/metrics/',
    '/metrics;x',
    '/metrics#x',
    '/Metrics',
    '/metrics%00',
    '/%',
    'http://x/%6detrics',
    'http://x//metrics',
  ]) {
    assert.ok([400, 404].includes(await statusOf(target)), target)
  }
  for (const target of ['/metrics', '/metrics?', '/metrics?a=%6d', 'http://x/metrics', 'HTTP://X/metrics'])
    assert.equal(await statusOf(target), 200, target)
})

test('a path that is not canonical reads no body and reveals no row', async (t) => {
  const service = await startTestService(t, await open(t))
  const target = path.replace('sim', '%73im')
  const head = headOf(service).replace(path, target)
  const answer = await exchangeRaw(service.url, `${head}connection: close\r\ncontent-length: 2\r\n\r\n`)
  assert.equal(parseRaw(answer).status, 404)
  const other = await exchangeRaw(service.url, `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
  assert.doesNotMatch(other, /\r\nallow:/i)
})

test('refuses a request that names two hosts, or one that is none', async (t) => {
  const { url } = await startTestService(t, await open(t))
  for (const [what, target, hosts] of [
    ['two hosts', '/health', ['x', 'y']],
    ['the same host twice', '/health', ['x', 'x']],
    ['two in one header', '/health', ['x, y']],
    ['no host', '/health', []],
    ['a path', '/health', ['x/metrics']],
    ['a user', '/health', ['admin@x']],
    ['a space', '/health', ['x y']],
    ['another host in the target', 'http://y/health', ['x']],
    ['another port in the target', 'http://x:81/health', ['x']],
    ['a user in the target', 'http://admin@x/health', ['x']],
  ] as const) {
    const headers = hosts.map((host) => `hOST: ${host}\r\n`).join('')
    const answer = await exchangeRaw(url, `GET ${target} HTTP/1.1\r\n${headers}\r\n`)
    assert.equal(parseRaw(answer).status, 400, what)
    assert.match(answer, /\r\nconnection: close\r\n/, what)
  }
  for (const host of ['x', 'x:8080', 'a.b-c.example.', '[::1]:8080', '127.0.0.1']) {
    const answer = await exchangeRaw(url, `GET /health HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
    assert.equal(parseRaw(answer).status, 200, host)
  }
})

test('serves no file of the disk under any path', async (t) => {
  const { url } = await startTestService(t, await open(t))
  for (const target of [
    '/docs/../../package.json',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/swagger-ui.css.map',
    '/docs/',
    '//attacker.example/docs',
    '/.git/config',
    '/master.key',
  ]) {
    const answer = await exchangeRaw(url, `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    assert.equal(parseRaw(answer).status, 404, target)
  }
})

test('keeps control of the response headers, whatever names, ids and credentials a caller sends', async (t) => {
  const service = await startTestService(t, await open(t))
  const ours =
    /^(age|allow|cache-control|connection|content-length|content-type|date|keep-alive|ratelimit|ratelimit-policy|retry-after|x-content-type-options|x-correlator|x-request-id|x-ringfence-notice|x-ringfence-sandbox)$/
  const anyByte = fc
    .array(fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f))
    .map((codes) => String.fromCharCode(...codes))
  const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constant('\r\nset-cookie: a=b'), fc.constant('__proto__'))
  await fc.assert(
    fc.asyncProperty(name, anyByte, anyByte, fc.boolean(), async (field, id, correlator, isRefused) => {
      const { headers } = await service.post(path, `{"phoneNumber":"917020141726",${JSON.stringify(field)}:1}`, {
        'x-request-id': id,
        'x-correlator': correlator,
        ...(isRefused && { clientId: id || 'x' }),
      })
      for (const [header, value] of headers) {
        assert.match(header, ours)
        assert.match(value, /^[ -~]*$/, header)
      }
    }),
    { numRuns: 200 },
  )
})

test('sends headers that forbid foreign content, frames, type sniffing and caching', async (t) => {
  const { url, post, parts: needs } = await startTestService(t, await open(t))
  for (const page of surfaceOf(needs).filter((row) => row.kind === 'page' && row.method === 'GET')) {
    const { status, headers } = await fetch(url + page.path.replaceAll(/\{\w+\}/g, 'x'))
    // 400: pages that are targets of links refuse a request without a valid code.
    assert.ok(status === 200 || status === 400, page.path)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; script-src '(?:self|none)'; .*base-uri 'none'/,
    )
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'(;|$)/)
  }
  const html = await (await fetch(`${url}/docs`)).text()
  assert.doesNotMatch(html, /<script>|<style>|style=| on\w+=/, 'the policy would block it')
  for (const answer of [await post(path, number), await post(path, '{'), await post(path, number, { clientId: 'x' })]) {
    assert.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
})

test('answers of the admin API run nothing as a page, and with an https BASE_URL browsers come back over https only', async (t) => {
  const plain = await startTestService(t, await open(t))
  const secure = await startTestService(t, await open(t), { settings: { baseUrl: 'https://ringfence.example' } })
  for (const [{ url }, hsts] of [
    [plain, null],
    [secure, 'max-age=31536000'],
  ] as const) {
    for (const target of ['/admin/v1/me', '/admin/v1/apps', '/console', '/console/', '/health', '/nothing'])
      assert.equal((await fetch(url + target)).headers.get('strict-transport-security'), hsts, target)
    const { headers } = await fetch(`${url}/admin/v1/me`)
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'")
  }
})

test('logs one JSON object a line, with a refused client id but with no other text in its place', async (t) => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const { post, credentials } = await startTestService(t, await open(t), { log })
  const wrong = { clientSecret: 'rfs_wrong' }
  await post(path, number, { ...wrong, 'x-request-id': '{"level":60}' })
  for (const clientId of [credentials.clientSecret, 'rfc_unknown', '","level":60,"x":"', '917020141726']) {
    await post(path, number, { ...wrong, clientId })
  }
  const entries = lines.map((line) => JSON.parse(line))
  assert.ok(lines.every((line) => line.indexOf('\n') === line.length - 1))
  assert.deepEqual(
    entries.filter(({ msg }) => msg === 'request').map(({ level, status, clientId }) => [level, status, clientId]),
    [[30, 401, credentials.clientId], ...Array(4).fill([30, 401, undefined])],
  )
})

test('counts what it refuses under overload', async (t) => {
  const { url, post, parts: needs } = await startTestService(t, await open(t), { settings: { overloadDelayMs: 5 } })
  await fill(needs.heavyWork.overload)
  assert.equal((await post(path, number)).status, 503)
  const metrics = await (await fetch(`${url}/metrics`)).text()
  assert.match(metrics, /ringfence_http_request_seconds_count\{route="\/v1\/telecom\/sim-swap-check",status="503"\} 1/)
})

/** Time of the processor: what else a busy machine does takes none of it. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test('reads a body of any depth, width or key in time, and changes no prototype', async (t) => {
  const { post } = await startTestService(t, await open(t))
  const wide = (members: number) => Array.from({ length: members }, (_, index) => `"k${index}":1`).join(',')
  for (const [body, status] of [
    ['['.repeat(32_000) + ']'.repeat(32_000), 400],
    [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 400],
    [`{"phoneNumber":"${'9'.repeat(65_000)}"}`, 400],
    ['{"__proto__":{"phoneNumber":"917020141726"}}', 400],
    [`{"phoneNumber":"917020141726",${wide(900)}}`, 200],
    [`{"phoneNumber":"917020141726",${wide(6000)}}`, 400],
    [`{"phoneNumber":"917020141726","x":${'9'.repeat(60_000)}}`, 400],
    [`{"phoneNumber":"917020141726","x":1e9999999}`, 200],
    [`{"phoneNumber":"917020141726","${'k'.repeat(60_000)}":1}`, 400],
    ['{"phoneNumber":"917020141726","__proto__":{"maxAge":0},"constructor":{"prototype":{"maxAge":0}}}', 200],
  ] as const) {
    const tookMs = await processorMs(async () => {
      assert.equal((await post(path, body)).status, status, body.slice(0, 40))
    })
    assert.ok(tookMs < 2_000, body.slice(0, 40))
  }
  assert.equal(Reflect.get({}, 'maxAge'), undefined)
})

test('reads a form of many fields in time', { timeout: 30_000 }, async (t) => {
  const service = await startTestService(t, await open(t))
  const names = Array.from({ length: 12_000 }, (_, i) => i.toString(36))
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const ask = async (at: string, body: string) => (await fetch(service.url + at, { ...form, body })).status
  for (let i = 0; i < 30; i++) {
    assert.equal(await ask(endpoints.secureInfo.path, names.join('&')), 400)
    assert.equal(await ask(endpoints.exchangeCode.path, names.map((name) => `${name}=`).join('&')), 400)
  }
})

test('returns 401 for credentials in a body that are no texts', async (t) => {
  const service = await startTestService(t, await open(t))
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  for (const value of ['{"toString":1,"valueOf":1}', '{}', 'null', '7', 'true', '[{"toString":1}]', deep(10)]) {
    for (const name of ['clientId', 'client_id', 'clientSecret', 'client_secret']) {
      const other = ['clientId', 'client_id'].includes(name) ? 'clientSecret' : 'clientId'
      const { status } = await fetch(service.url + endpoints.secureInfo.path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `{"${name}":${value},"${other}":"x"}`,
      })
      assert.equal(status, 401, `${name} ${value.slice(0, 30)}`)
    }
  }
})

test('reads a content type of any form in time', async (t) => {
  const { post } = await startTestService(t, await open(t))
  for (const type of [
    `application/${'a'.repeat(15_000)}`,
    `application/${'a+'.repeat(7_000)}json`,
    `application/json${' '.repeat(15_000)}x`,
    `application/json;${' a="\\'.repeat(3_000)}`,
    `application/json;${'a=b;'.repeat(3_700)}`,
  ]) {
    const tookMs = await processorMs(() => post(path, number, { 'content-type': type }))
    assert.ok(tookMs < 1_000, type.slice(0, 40))
  }
})

test('serves one copy of the API reference to all readers', async (t) => {
  const { parts: needs } = await startTestService(t, await open(t))
  const assets = surfaceOf(needs)
    .filter((row) => row.kind === 'page')
    .filter(({ path }) => path.startsWith('/docs/') || path === '/openapi.json')
  const pages = () => Promise.all(assets.map((row) => row.page(new URLSearchParams(), undefined, {})))
  const [first, second] = [await pages(), await pages()]
  assert.ok(first.some(({ body }) => body.length > 1_000_000))
  for (const [index, page] of first.entries()) assert.ok(Object.is(page, second[index]), assets[index]!.path)
})

eachDatabase(({ engine, open: openEach }) => {
  test(`returns 401 for credentials of any bytes, and runs none of them as SQL (${engine})`, async (t) => {
    const service = await startTestService(t, await openEach(t))
    for (const clientId of [
      `' or '1'='1`,
      `x'; delete from client; --`,
      `${service.credentials.clientId}' --`,
      '$1',
      '%',
      '\xff\xfe\x80',
      'x'.repeat(8_000),
    ]) {
      const answer = await service.post(path, number, { clientId })
      assert.equal(answer.status, 401, clientId)
      assert.deepEqual(answer.body, samples.ErrorBody?.['credentials-invalid'])
    }
    assert.equal((await listClients(service.parts.database)).length, 1)
    assert.equal((await service.post(path, number)).status, 200)
  })
})

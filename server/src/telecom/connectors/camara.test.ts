import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { startSandbox } from '@ringfence/sandbox'
import Value from 'typebox/value'
import { readConfig } from '../../core/config/config.ts'
import { firstMistake } from '../../core/config/schema-errors.ts'
import { freePorts } from '../../testing/free-ports.ts'
import { grant, type Reply, scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { camara } from './camara.ts'
import { CamaraSettings } from './camara-settings.ts'
import type { Connector } from './connector.ts'
import { connectorContract } from './connector-contract.ts'
import { inquiry, numberEnding, ordinaryNumber } from './testing/inquiries.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

connectorContract('camara', async (t) => {
  const resources = testResources({ KEY: key })
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kty: 'EC' }] }
  // Nobody listens there when it has stopped: the system may give its ports to somebody else.
  const [port] = await freePorts(1)
  const sandbox = await startSandbox({ port: port!, clock: resources.clock, clients: [{ clientId: 'bank', jwks }] })
  const connector = camara.create(
    'acme',
    {
      type: 'camara',
      sandbox: true,
      baseUrl: sandbox.url,
      token: {
        endpoint: `${sandbox.url}/oauth2/token`,
        clientId: 'bank',
        authentication: 'private_key_jwt',
        privateKey: { env: 'KEY' },
      },
      simSwap: {},
      callForwarding: { calls: ['unconditional-call-forwardings', 'call-forwardings'] },
    },
    resources,
  )
  let running = true
  const stop = async () => {
    if (running) await sandbox.close()
    running = false
  }
  t.after(async () => {
    await connector.close?.()
    await stop()
  })
  return {
    connector,
    numbers: {
      ordinary: ordinaryNumber,
      changed100HoursAgo: numberEnding('0111'),
      forwarded: numberEnding('0120'),
      forwardedConditionally: numberEnding('0121'),
      unsupported: numberEnding('0141'),
      lookBack168Hours: numberEnding('0114'),
    },
    correlators: () => sandbox.calls.last(100).map(({ correlator }) => correlator),
    fallSilent: () => void sandbox.faults.switchOn({ kind: 'half-open' }),
    stop,
    logged: resources.logged,
    secrets: [key, key.split('\n')[1] ?? ''],
  }
})

/** A connector of an upstream that sends this reply to everything but token requests. */
async function scripted(
  t: TestContext,
  reply: Reply | ((path: string) => Reply | Promise<Reply>),
  settings: Partial<CamaraSettings> = {},
) {
  const upstream = await scriptedUpstream(t, ({ path }) => {
    if (path === '/token') return grant()
    return typeof reply === 'function' ? reply(path) : reply
  })
  const resources = testResources({ SECRET: 'the secret' })
  const connector = camara.create(
    'acme',
    {
      type: 'camara',
      baseUrl: upstream.url,
      token: {
        endpoint: `${upstream.url}/token`,
        clientId: 'bank',
        authentication: 'client_secret_basic',
        clientSecret: { env: 'SECRET' },
      },
      simSwap: {},
      callForwarding: {},
      ...settings,
    },
    resources,
  )
  t.after(() => connector.close?.())
  return { connector, resources, received: upstream.received, url: upstream.url }
}

const swapped = (connector: Connector, hours = 240) =>
  connector.checks.simSwap!(ordinaryNumber, { maxAge: hours }, inquiry()).then(({ swapped }) => swapped)
const forwarded = (connector: Connector, conditional = false) =>
  connector.checks.callForwarding!(ordinaryNumber, { conditional }, inquiry()).then(({ active }) => active)

/** `true`, `false`, or the class and the reason of the error. */
async function ends(check: Promise<boolean>): Promise<string> {
  return check.then(String, (error: Error) =>
    error instanceof UpstreamError ? `UpstreamError ${error.reason}` : error.name,
  )
}

test('the APIs of an operator share its limit of calls at the same time', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const reply = () => opened.then(() => ({ body: { swapped: false, active: false } }))
  const { connector, received } = await scripted(t, reply, { concurrentCalls: 3, waitingCalls: 1 })
  const calls = [swapped(connector), forwarded(connector), swapped(connector), forwarded(connector)].map(ends)
  while (received.length < 5) await setImmediate()
  assert.equal(await ends(forwarded(connector)), 'UpstreamError overloaded')
  assert.equal(await ends(swapped(connector)), 'UpstreamError overloaded')
  assert.equal(received.filter(({ path }) => path !== '/token').length, 3)
  open()
  assert.deepEqual(await Promise.all(calls), ['false', 'false', 'false', 'false'])
})

test('sends /check the number in +E.164 and the window in hours', async (t) => {
  const { connector, received, resources } = await scripted(t, { body: { swapped: true } })
  assert.equal(await swapped(connector, 72), true)
  const { method, path, headers, body } = received[1]!
  assert.deepEqual([method, path], ['POST', '/sim-swap/v2/check'])
  assert.deepEqual(JSON.parse(body), { phoneNumber: `+${ordinaryNumber.digits}`, maxAge: 72 })
  assert.equal(headers['content-type'], 'application/json')
  assert.equal(headers.authorization, 'Bearer token-1')
  assert.equal(headers['x-correlator'], 'test-correlator')
  assert.deepEqual(resources.counted, ['acme token ok', 'acme sim-swap/check ok'])
})

test('the correlator has the form that every version of every API takes', async (t) => {
  const { connector, received } = await scripted(t, { body: { swapped: false, active: false } })
  for (const [given, sent] of [
    ['login-4711', 'login-4711'],
    ['login_4711:a/b', 'login-4711-a-b'],
    ['<a>.{b};c', '-a---b--c'],
    ['x'.repeat(256), 'x'.repeat(55)],
  ] as const) {
    await connector.checks.simSwap!(ordinaryNumber, { maxAge: 240 }, { ...inquiry(), correlator: given })
    assert.equal(received.at(-1)!.headers['x-correlator'], sent)
  }
})

test('sends /unconditional-call-forwardings the number alone', async (t) => {
  const { connector, received } = await scripted(t, { body: { active: false } })
  assert.equal(await forwarded(connector), false)
  assert.equal(received[1]?.path, '/call-forwarding-signal/v0.4/unconditional-call-forwardings')
  assert.deepEqual(JSON.parse(received[1].body), { phoneNumber: `+${ordinaryNumber.digits}` })
})

test('throws for a response without the result, and never returns false', async (t) => {
  const both: Partial<CamaraSettings> = { callForwarding: { calls: ['call-forwardings'] } }
  for (const body of [{}, { swapped: 'false' }, { swapped: null }, { active: false }, [], 'null', 'false', '""']) {
    const { connector } = await scripted(t, { body })
    assert.equal(await ends(swapped(connector)), 'UpstreamError format', JSON.stringify(body))
  }
  for (const body of [{}, { active: 'no' }, { active: null }, { swapped: false }, []]) {
    const { connector } = await scripted(t, { body })
    assert.equal(await ends(forwarded(connector)), 'UpstreamError format', JSON.stringify(body))
  }
  for (const body of [[], {}, ['none'], ['inactive', 'unconditional'], [null], ['unconditional', 'other']]) {
    const { connector } = await scripted(t, { body }, both)
    assert.equal(await ends(forwarded(connector)), 'UpstreamError format', JSON.stringify(body))
  }
})

const meanings: [number, string | undefined, string][] = [
  [400, 'INVALID_ARGUMENT', 'UpstreamError rejected'],
  [400, 'OUT_OF_RANGE', 'WindowUnsupported'],
  [401, 'UNAUTHENTICATED', 'UpstreamError rejected'],
  [403, 'PERMISSION_DENIED', 'UpstreamError rejected'],
  [404, 'NOT_FOUND', 'UpstreamError rejected'],
  [404, 'IDENTIFIER_NOT_FOUND', 'UpstreamError rejected'],
  [404, undefined, 'UpstreamError rejected'],
  [422, 'SERVICE_NOT_APPLICABLE', 'CheckUnsupported'],
  [422, 'MISSING_IDENTIFIER', 'UpstreamError rejected'],
  [422, 'UNNECESSARY_IDENTIFIER', 'UpstreamError rejected'],
  [429, 'QUOTA_EXCEEDED', 'UpstreamError overloaded'],
  [429, 'TOO_MANY_REQUESTS', 'UpstreamError overloaded'],
  [500, 'INTERNAL', 'UpstreamError status'],
  [501, 'NOT_IMPLEMENTED', 'CheckUnsupported'],
  [503, 'UNAVAILABLE', 'UpstreamError status'],
]

for (const [status, code, expected] of meanings) {
  test(`${status} ${code ?? 'without a code'} is ${expected}`, async (t) => {
    const message = `about +${ordinaryNumber.digits}`
    const { connector } = await scripted(t, { status, body: code ? { status, code, message } : '<html>' })
    const failure = await swapped(connector).catch((error: Error) => error)
    assert.ok(failure instanceof Error)
    assert.equal(await ends(Promise.reject(failure)), expected)
    assert.equal(failure.message, `sim-swap/check: answered ${[status, code].filter(Boolean).join(' ')}`)
  })
}

test('throws for OUT_OF_RANGE when no window was sent', async (t) => {
  const { connector } = await scripted(t, { status: 400, body: { code: 'OUT_OF_RANGE' } })
  assert.equal(await ends(forwarded(connector)), 'UpstreamError rejected')
})

const hoursAgo = (now: number, hours: number) => new Date(now - hours * 3_600_000).toISOString()
const now = testResources().clock.now()
const dates: [string, object, number, string][] = [
  ['nine fractional digits', { latestSimChange: hoursAgo(now, 10).replace('Z', '471829Z') }, 11, 'true'],
  ['an offset', { latestSimChange: '2026-03-01T14:00:00+02:00' }, 1, 'true'],
  ['at the edge', { latestSimChange: hoursAgo(now, 240) }, 240, 'true'],
  ['before the window', { latestSimChange: hoursAgo(now, 240.001) }, 240, 'false'],
  ['a date before the first SIM card', { latestSimChange: '1900-01-01T00:00:00Z' }, 2400, 'UpstreamError format'],
  ['a clock that is ahead', { latestSimChange: hoursAgo(now, -2) }, 1, 'true'],
  ['far in the future', { latestSimChange: '2099-01-01T00:00:00Z' }, 1, 'UpstreamError format'],
  ['no time zone', { latestSimChange: '2026-03-01T12:00:00' }, 1, 'UpstreamError format'],
  ['no such day', { latestSimChange: '2026-13-41T12:00:00Z' }, 1, 'UpstreamError format'],
  ['none in the monitored period', { latestSimChange: null, monitoredPeriod: 10 }, 240, 'false'],
  ['a window beyond the monitored period', { latestSimChange: null, monitoredPeriod: 10 }, 241, 'WindowUnsupported'],
  ['neither date nor period', { latestSimChange: null }, 1, 'UpstreamError format'],
  ['no date', { monitoredPeriod: 10 }, 1, 'UpstreamError format'],
]

for (const [title, body, hours, expected] of dates) {
  test(`/retrieve-date: ${title} is ${expected} within ${hours} hours`, async (t) => {
    const { connector, received } = await scripted(t, { body }, { simSwap: { calls: ['retrieve-date'] } })
    assert.equal(await ends(swapped(connector, hours)), expected)
    assert.equal(received[1]?.path, '/sim-swap/v2/retrieve-date')
    assert.deepEqual(JSON.parse(received[1].body), { phoneNumber: `+${ordinaryNumber.digits}` })
  })
}

test('calls /retrieve-date after /check only if configured, and only when /check is not supported', async (t) => {
  const recently = { body: { latestSimChange: hoursAgo(now, 1) } }
  const answers = (refusal: Reply) => (path: string) => (path.endsWith('/check') ? refusal : recently)
  const both: Partial<CamaraSettings> = { simSwap: { calls: ['check', 'retrieve-date'] } }
  const notImplemented = { status: 501, body: { code: 'NOT_IMPLEMENTED' } }
  assert.equal(await ends(swapped((await scripted(t, answers(notImplemented))).connector)), 'CheckUnsupported')
  assert.equal(await ends(swapped((await scripted(t, answers(notImplemented), both)).connector)), 'true')
  const tooFar = { status: 400, body: { code: 'OUT_OF_RANGE' } }
  assert.equal(await ends(swapped((await scripted(t, answers(tooFar), both)).connector)), 'true')
  const neither = (path: string) => (path.endsWith('/check') ? tooFar : notImplemented)
  assert.equal(await ends(swapped((await scripted(t, neither, both)).connector)), 'WindowUnsupported')
  const undated = (path: string) =>
    path.endsWith('/check') ? tooFar : { body: { latestSimChange: null, monitoredPeriod: 7 } }
  await assert.rejects(swapped((await scripted(t, undated, both)).connector, 240), {
    name: 'WindowUnsupported',
    supported: { limitHours: 168 },
  })
  const failing = await scripted(t, answers({ status: 500 }), both)
  assert.equal(await ends(swapped(failing.connector)), 'UpstreamError status')
  assert.ok(!failing.received.some(({ path }) => path.endsWith('/retrieve-date')))
})

test('calls only /call-forwardings for conditional forwarding', async (t) => {
  const kinds: [string[], boolean, boolean][] = [
    [['inactive'], false, false],
    [['unconditional'], true, true],
    [['conditional_busy'], false, true],
    [['conditional_not_reachable', 'conditional_no_answer'], false, true],
    [['conditional_busy', 'unconditional'], true, true],
  ]
  for (const [body, unconditional, any] of kinds) {
    const { connector, received } = await scripted(t, { body }, { callForwarding: { calls: ['call-forwardings'] } })
    assert.deepEqual([await forwarded(connector, false), await forwarded(connector, true)], [unconditional, any])
    assert.equal(received[1]?.path, '/call-forwarding-signal/v0.4/call-forwardings')
  }
  const { connector, received } = await scripted(t, { body: { active: false } })
  assert.equal(await ends(forwarded(connector, true)), 'CheckUnsupported')
  assert.equal(received.length, 0, 'the other call could not answer it')
})

test('sends scope and purpose in the format of the operator', async (t) => {
  const formats: [Partial<CamaraSettings>, string, string][] = [
    [
      {},
      'dpv:FraudPreventionAndDetection sim-swap:check',
      'dpv:FraudPreventionAndDetection call-forwarding-signal:unconditional-call-forwardings:read',
    ],
    [
      { scopeFormat: 'purpose#api', purpose: 'dpv:IdentityVerification' },
      'dpv:IdentityVerification#sim-swap',
      'dpv:IdentityVerification#call-forwarding-signal',
    ],
    [{ scopeFormat: 'scope' }, 'sim-swap:check', 'call-forwarding-signal:unconditional-call-forwardings:read'],
    [{ simSwap: { scope: 'a b' }, callForwarding: { scope: 'c' } }, 'a b', 'c'],
  ]
  for (const [settings, ...expected] of formats) {
    const { connector, received } = await scripted(t, { body: { swapped: false, active: false } }, settings)
    await swapped(connector)
    await forwarded(connector)
    const scopes = received
      .filter(({ path }) => path === '/token')
      .map(({ body }) => new URLSearchParams(body).get('scope'))
    assert.deepEqual(scopes, expected)
  }
})

test('uses the base URL and the path of an API', async (t) => {
  const other = await scriptedUpstream(t, () => ({ body: { swapped: true } }))
  const { connector } = await scripted(t, {}, { simSwap: { baseUrl: `${other.url}/gateway/`, path: '/simswap/v1' } })
  assert.equal(await swapped(connector), true)
  assert.equal(other.received[0]?.path, '/gateway/simswap/v1/check')
})

test('leaves out the method of a check that is not configured', async (t) => {
  const swapOnly = await scripted(t, {}, { callForwarding: undefined as never })
  assert.deepEqual(Object.keys(swapOnly.connector.checks), ['simSwap'])
  const forwardingOnly = await scripted(t, {}, { simSwap: undefined as never })
  assert.deepEqual(Object.keys(forwardingOnly.connector.checks), ['callForwarding'])
  assert.equal(swapOnly.connector.sandbox, undefined)
})

test('names the key of a configuration that cannot work', async (t) => {
  const token = { endpoint: 'https://op.example/token', clientId: 'bank', authentication: 'private_key_jwt' }
  const settings = { type: 'camara', baseUrl: 'https://op.example', token, simSwap: {} }
  assert.equal(firstMistake(CamaraSettings, settings, { at: 'connectors.acme' }), undefined)
  const mistakes: [object, RegExp][] = [
    [{ baseURL: 'https://op.example' }, /^connectors\.acme\.baseURL is not a known key; did you mean baseUrl\?/],
    [{ baseUrl: 'op.example' }, /^connectors\.acme\.baseUrl must match/],
    [
      { token: { ...token, authentication: 'basic' } },
      /^connectors\.acme\.token\.authentication must be one of private_key_jwt, client_secret_basic, /,
    ],
    [
      { token: { ...token, privateKey: '-----BEGIN' } },
      /^connectors\.acme\.token\.privateKey must be { env: … } or { file: … }: for private_key_jwt/,
    ],
    [{ simSwap: { calls: ['checks'] } }, /^connectors\.acme\.simSwap\.calls/],
    [{ timeoutMs: 'fast' }, /^connectors\.acme\.timeoutMs must be an integer/],
  ]
  for (const [change, expected] of mistakes) {
    assert.match(firstMistake(CamaraSettings, { ...settings, ...change }, { at: 'connectors.acme' }) ?? '', expected)
  }
  const refused: [Partial<CamaraSettings>, RegExp][] = [
    [{ simSwap: undefined as never, callForwarding: undefined as never }, /^it offers no check/],
    [{ baseUrl: 'http://op.example' }, /^baseUrl must begin with https:/],
    [{ baseUrl: 'https://user:word@op.example' }, /^baseUrl contains a user name/],
    [{ simSwap: { baseUrl: 'http://op.example' } }, /^simSwap\.baseUrl must begin with https:/],
    [{ tls: { certificate: { env: 'SECRET' } } }, /^tls\.certificate and tls\.privateKey must be set together/],
    [{ tls: { ca: { env: 'UNSET' } } }, /UNSET is not set/],
    [{ tls: { certificate: { env: 'SECRET' }, privateKey: { env: 'SECRET' } } }, /^tls cannot be used/],
  ]
  for (const [change, expected] of refused) await assert.rejects(scripted(t, {}, change), { message: expected })
})

test('uses the defaults that the schema states', async (t) => {
  const stated = Value.Default(CamaraSettings, { simSwap: {}, callForwarding: {} }) as CamaraSettings
  const settings = { ...stated, sandbox: true }
  const { connector, received } = await scripted(t, { body: { swapped: false, active: false } }, settings)
  const usual = await scripted(t, { body: { swapped: false, active: false } })
  for (const one of [connector, usual.connector]) await Promise.all([swapped(one), forwarded(one)])
  const asked = (calls: typeof received) => calls.map(({ path, body }) => `${path} ${body}`).toSorted()
  assert.deepEqual(asked(received), asked(usual.received))
  assert.equal(connector.sandbox, true)
})

test('accepts the configuration shown in docs/guides/connect-an-operator.md', async (t) => {
  const guide = readFileSync(new URL('../../../../docs/guides/connect-an-operator.md', import.meta.url), 'utf8')
  const [, text = ''] = /```yaml\n(.*?)```/s.exec(guide) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-guide-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = join(folder, 'ringfence.yaml')
  await writeFile(join(folder, 'acme.pem'), key)
  await writeFile(file, text.replace('/etc/ringfence', folder))
  const { connectors, operators } = readConfig({ file })
  assert.equal(firstMistake(CamaraSettings, connectors.acme), undefined)
  const connector = camara.create('acme', connectors.acme as unknown as CamaraSettings, testResources())
  t.after(() => connector.close?.())
  assert.deepEqual(Object.keys(connector).toSorted(), [
    'checks',
    'close',
    'detectsConditionalForwarding',
    'getToken',
    'name',
    'upstreams',
  ])
  assert.equal(operators[0]?.connector, 'acme')
})

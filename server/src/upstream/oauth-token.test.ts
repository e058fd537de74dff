import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { Guard, type Limits } from './guard.ts'
import { sendWithToken, TokenClient } from './oauth-token.ts'
import { grant, type Received, type Reply, scriptedUpstream } from './testing/scripted-upstream.ts'
import { selfSignedCertificate } from './testing/self-signed-certificate.ts'
import { testResources } from './testing/test-resources.ts'
import type { TokenSettings } from './token-request.ts'
import { UpstreamError } from './upstream-error.ts'

const later = () => AbortSignal.timeout(60_000)
const limits = { timeoutMs: 30_000, connectTimeoutMs: 30_000, concurrentCalls: 20, waitingCalls: 0 }
const secret = 'n0t/for:the log+'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A token client of an endpoint with these replies. By default it authenticates with client_secret_basic. */
async function tokensFrom(
  t: TestContext,
  reply: (request: Received, count: number) => Reply | Promise<Reply>,
  settings: Partial<TokenSettings> = {},
  secrets: Record<string, string> = {},
  changedLimits: Partial<Limits> = {},
) {
  const upstream = await scriptedUpstream(t, reply)
  const resources = testResources({ SECRET: secret, ...secrets })
  const client = new TokenClient(
    {
      upstream: 'acme',
      settings: {
        endpoint: `${upstream.url}/oauth2/token`,
        clientId: 'client:1',
        authentication: 'client_secret_basic',
        clientSecret: { env: 'SECRET' },
        ...settings,
      },
      limits: { ...limits, ...changedLimits },
    },
    resources,
  )
  t.after(() => client.close())
  return { client, resources, received: upstream.received, endpoint: `${upstream.url}/oauth2/token` }
}

test('fetches a token with one request for all waiting callers, and caches it', async (t) => {
  const { client, received } = await tokensFrom(t, () => grant())
  const tokens = client.tokens('dpv:FraudPreventionAndDetection sim-swap:check')
  const got = await Promise.all(Array.from({ length: 20 }, () => tokens(later())))
  assert.deepEqual(new Set(got), new Set(['token-1']))
  assert.equal(await tokens(later()), 'token-1')
  assert.equal(received.length, 1)
  const { method, path, headers, body } = received[0]!
  assert.deepEqual(
    [method, path, headers['content-type']],
    ['POST', '/oauth2/token', 'application/x-www-form-urlencoded'],
  )
  assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
    grant_type: 'client_credentials',
    scope: 'dpv:FraudPreventionAndDetection sim-swap:check',
  })
})

test('fetches a separate token for each scope', async (t) => {
  const { client, received } = await tokensFrom(t, (_, count) => grant(`token-${count}`))
  assert.equal(await client.tokens('one')(later()), 'token-1')
  assert.equal(await client.tokens('two')(later()), 'token-2')
  assert.equal(await client.tokens('one')(later()), 'token-1')
  assert.equal(received.length, 2)
})

test('renews a token shortly before it expires', async (t) => {
  const { client, resources } = await tokensFrom(t, (_, count) => grant(`token-${count}`, { expires_in: 600 }))
  const tokens = client.tokens('scope')
  assert.equal(await tokens(later()), 'token-1')
  resources.clock.advance({ seconds: 569 })
  assert.equal(await tokens(later()), 'token-1')
  resources.clock.advance({ seconds: 1 })
  assert.equal(await tokens(later()), 'token-2')
})

test('caches a token without expires_in for five minutes', async (t) => {
  const { client, resources } = await tokensFrom(t, (_, count) => grant(`token-${count}`, { expires_in: undefined }))
  const tokens = client.tokens('scope')
  await tokens(later())
  resources.clock.advance({ seconds: 269 })
  assert.equal(await tokens(later()), 'token-1')
  resources.clock.advance({ seconds: 1 })
  assert.equal(await tokens(later()), 'token-2')
})

test('client_secret_basic form-encodes ID and secret, then joins them (RFC 6749 section 2.3.1)', async (t) => {
  const { client, received } = await tokensFrom(t, () => grant())
  await client.tokens('scope')(later())
  const [scheme, credentials = ''] = received[0]?.headers.authorization?.split(' ') ?? []
  assert.equal(scheme, 'Basic')
  assert.equal(Buffer.from(credentials, 'base64').toString(), 'client%3A1:n0t%2Ffor%3Athe+log%2B')
})

test('client_secret_post sends ID and secret in the form', async (t) => {
  const { client, received } = await tokensFrom(t, () => grant(), { authentication: 'client_secret_post' })
  await client.tokens('scope')(later())
  const form = new URLSearchParams(received[0]?.body)
  assert.deepEqual([form.get('client_id'), form.get('client_secret')], ['client:1', secret])
})

test('tls_client_auth sends the client ID alone, over a connection with the client certificate (RFC 8705)', async (t) => {
  const [server, bank] = [selfSignedCertificate('operator'), selfSignedCertificate('bank')]
  const { url, received } = await scriptedUpstream(t, () => grant(), {
    ...{ cert: server.certificate, key: server.key },
    ...{ requestCert: true, ca: bank.certificate },
  })
  const settings = { endpoint: `${url}/oauth2/token`, clientId: 'bank', authentication: 'tls_client_auth' } as const
  const open = (tls: Limits['tls']) => {
    const client = new TokenClient(
      {
        upstream: 'acme',
        settings,
        limits: { ...limits, ...(tls && { tls }) },
      },
      testResources(),
    )
    t.after(() => client.close())
    return client
  }
  const tls = { ca: server.certificate, cert: bank.certificate, key: bank.key }
  assert.equal(await open(tls).tokens('scope')(later()), 'token-1')
  const [{ headers, body } = assert.fail()] = received
  assert.deepEqual(Object.fromEntries(new URLSearchParams(body)), {
    grant_type: 'client_credentials',
    client_id: 'bank',
    scope: 'scope',
  })
  assert.equal(headers.authorization, undefined)
  assert.throws(() => open({ ca: server.certificate }), /^Error: tls\.certificate and tls\.privateKey are missing: /)
})

const signing = [
  { title: 'PEM, RSA', key: pem(rsa.privateKey), public: rsa.publicKey, alg: 'RS256' },
  {
    title: 'PEM, RSA, PS256 wanted',
    key: pem(rsa.privateKey),
    public: rsa.publicKey,
    algorithm: 'PS256',
    alg: 'PS256',
  },
  { title: 'PEM, P-256', key: pem(ec.privateKey), public: ec.publicKey, alg: 'ES256' },
  {
    title: 'JWK with alg and kid',
    key: JSON.stringify({ ...rsa.privateKey.export({ format: 'jwk' }), alg: 'PS256', kid: 'jwk-1' }),
    public: rsa.publicKey,
    alg: 'PS256',
    kid: 'jwk-1',
  },
  { title: 'keyId', key: pem(ec.privateKey), public: ec.publicKey, alg: 'ES256', keyId: '2026-1', kid: '2026-1' },
] as const

for (const { title, key, alg, ...wanted } of signing) {
  test(`private_key_jwt sends an assertion that the operator can verify, and a new one each time (${title})`, async (t) => {
    const { client, received, resources, endpoint } = await tokensFrom(
      t,
      (_, count) => grant(`token-${count}`),
      {
        authentication: 'private_key_jwt',
        privateKey: { env: 'KEY' },
        ...('algorithm' in wanted && { algorithm: wanted.algorithm }),
        ...('keyId' in wanted && { keyId: wanted.keyId }),
      },
      { KEY: key },
    )
    const tokens = client.tokens('scope')
    await tokens(later())
    await tokens(later(), 'token-1')
    const forms = received.map(({ body }) => new URLSearchParams(body))
    for (const form of forms) {
      assert.equal(form.get('client_assertion_type'), 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
      const { header, claims } = verified(form.get('client_assertion') ?? '', wanted.public, alg)
      assert.deepEqual(header, { alg, ...('kid' in wanted && { kid: wanted.kid }) })
      const now = resources.clock.now() / 1000
      assert.deepEqual([claims.iss, claims.sub, claims.aud], ['client:1', 'client:1', endpoint])
      assert.ok(Math.abs(Number(claims.iat) - now) <= 1, 'the time is the injected clock’s')
      assert.ok(Number(claims.exp) - Number(claims.iat) <= 300, 'CAMARA: at most 300 s')
    }
    const [first, second] = forms.map(
      (form) => verified(form.get('client_assertion') ?? '', wanted.public, alg).claims.jti,
    )
    assert.notEqual(first, second)
  })
}

/** Header and claims of a JWT whose signature holds (RFC 7515, RFC 7518). */
function verified(jwt: string, key: KeyObject, alg: 'RS256' | 'PS256' | 'ES256') {
  const [header = '', claims = '', signature = ''] = jwt.split('.')
  const options = {
    RS256: { key },
    PS256: { key, padding: 6, saltLength: 32 },
    ES256: { key, dsaEncoding: 'ieee-p1363' },
  } as const
  const holds = verify('sha256', Buffer.from(`${header}.${claims}`), options[alg], Buffer.from(signature, 'base64url'))
  assert.ok(holds, 'the signature holds')
  const read = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { header: read(header), claims: read(claims) }
}

test('uses the configured audience in the assertion', async (t) => {
  const { client, received } = await tokensFrom(
    t,
    () => grant(),
    { authentication: 'private_key_jwt', privateKey: { env: 'KEY' }, audience: 'https://issuer.example' },
    { KEY: pem(ec.privateKey) },
  )
  await client.tokens('scope')(later())
  const assertion = new URLSearchParams(received[0]?.body).get('client_assertion') ?? ''
  assert.equal(verified(assertion, ec.publicKey, 'ES256').claims.aud, 'https://issuer.example')
})

const unusableKeys: [string, Partial<TokenSettings>, string, RegExp][] = [
  ['no key', { authentication: 'private_key_jwt' }, '', /^token\.privateKey is missing/],
  [
    'no secret',
    { authentication: 'client_secret_post', clientSecret: undefined as never },
    '',
    /^token\.clientSecret is missing/,
  ],
  ['no PEM', {}, 'MIIEsecretsecret', /^token\.privateKey is not a readable private key: expected an unencrypted PEM$/],
  [
    'broken JWK',
    {},
    '{"kty":"EC","d":"secretsecret',
    /^token\.privateKey is not a readable private key: expected a private JWK$/,
  ],
  [
    'public JWK',
    {},
    JSON.stringify(createPublicKey(ec.publicKey.export({ type: 'spki', format: 'pem' })).export({ format: 'jwk' })),
    /not a readable private key/,
  ],
  [
    'P-384',
    {},
    pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey),
    /^token\.privateKey cannot sign with RS256, PS256 or ES256/,
  ],
  ['short RSA', {}, pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey), /cannot sign with/],
  ['EC key for RS256', { algorithm: 'RS256' }, pem(ec.privateKey), /cannot sign with RS256/],
]

for (const [title, settings, key, message] of unusableKeys) {
  test(`rejects an unusable secret at the start and does not quote it (${title})`, async (t) => {
    const withKey = key && ({ authentication: 'private_key_jwt', privateKey: { env: 'KEY' } } as const)
    await assert.rejects(
      tokensFrom(t, () => grant(), { ...withKey, ...settings }, { KEY: key }),
      (error: Error) => {
        assert.match(error.message, message)
        assert.ok(!/secretsecret/.test(JSON.stringify([error.message, error.stack, error.cause])))
        return true
      },
    )
  })
}

const failures: [string, Reply, string][] = [
  ['invalid_client', { status: 401, body: { error: 'invalid_client', error_description: secret } }, 'rejected'],
  ['invalid_scope', { status: 400, body: { error: 'invalid_scope' } }, 'rejected'],
  ['500', { status: 500 }, 'status'],
  ['no token', { body: { token_type: 'Bearer' } }, 'format'],
  ['a token with a line break', grant('a\r\nx-injected: 1'), 'format'],
  ['another type of token', { body: { access_token: 'a', token_type: 'mac' } }, 'format'],
  ['HTML', { headers: { 'content-type': 'text/html' }, body: '<html>' }, 'format'],
  ['redirect', { status: 302, headers: { location: '/elsewhere' } }, 'status'],
]

for (const [title, reply, reason] of failures) {
  test(`throws an UpstreamError when the token endpoint fails, and pauses between attempts (${title})`, async (t) => {
    const { client, received, resources } = await tokensFrom(t, () => reply)
    const tokens = client.tokens('scope')
    const ask = () =>
      tokens(later()).then(
        () => 'ok',
        (error: UpstreamError) => error,
      )
    const first = await ask()
    assert.ok(first instanceof UpstreamError && first.reason === reason, String(first))
    for (let count = 0; count < 20; count++) await ask()
    assert.equal(received.length, 2)

    resources.clock.advance({ seconds: 1 })
    for (let count = 0; count < 20; count++) await ask()
    assert.equal(received.length, 3, 'one probe after the pause')
    assert.ok(!resources.logged().includes(secret) && !JSON.stringify(first).includes(secret))
  })
}

test('still fetches tokens of other scopes when the operator refuses one scope', async (t) => {
  const refusal: Reply = { status: 400, body: { error: 'invalid_scope' } }
  const { client } = await tokensFrom(t, ({ body }) => (body.includes('scope=bad') ? refusal : grant()))
  for (let count = 0; count < 5; count++) await assert.rejects(client.tokens('bad')(later()), UpstreamError)
  assert.equal(await client.tokens('good')(later()), 'token-1')
})

test('continues the token request for other callers when one reaches its deadline', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { client, received } = await tokensFrom(t, () => opened.then(() => grant()))
  const tokens = client.tokens('scope')
  const patient = tokens(later())
  await assert.rejects(tokens(AbortSignal.timeout(20)), (error: UpstreamError) => error.reason === 'timeout')
  open()
  assert.equal(await patient, 'token-1')
  assert.equal(received.length, 1)
})

/** An API that accepts only this token, and a function that calls it. */
async function apiAccepting(t: TestContext, accepted: () => string, tokens: ReturnType<TokenClient['tokens']>) {
  const api = await scriptedUpstream(t, ({ headers }) =>
    headers.authorization === `Bearer ${accepted()}` ? { body: { fine: true } } : { status: 401 },
  )
  const guardian = new Guard(
    { upstream: 'acme', service: 'api', baseUrl: new URL(api.url), ...limits },
    testResources(),
  )
  t.after(() => guardian.close())
  const request = { call: 'api/call', method: 'GET', path: '/', headers: {}, read: () => 'answered' } as const
  return { send: () => sendWithToken(guardian, tokens, request, later()), received: api.received }
}

test('limits the callers that wait for a token, so that one operator cannot occupy the whole service', async (t) => {
  const few = { timeoutMs: 500, concurrentCalls: 3, waitingCalls: 2 }
  const { client, resources } = await tokensFrom(t, () => 'silence', {}, {}, few)
  const tokens = client.tokens('sim-swap')
  const asked = Array.from({ length: 7 }, () => tokens(later()).catch((error: UpstreamError) => error.reason))
  assert.deepEqual(await Promise.all(asked.slice(5)), ['overloaded', 'overloaded'])
  assert.deepEqual(await Promise.all(asked.slice(0, 5)), Array(5).fill('timeout'))
  assert.equal(
    await tokens(later()).catch((error: UpstreamError) => error.reason),
    'timeout',
    'the slots are free again',
  )
  assert.equal(resources.counted.filter((line) => line === 'acme token overloaded').length, 2)
})

test('renews the token once after a 401 of the API, for all callers that received it', async (t) => {
  const { client, received } = await tokensFrom(t, (_, count) => grant(`token-${count}`))
  let accepted = 'token-1'
  const { send } = await apiAccepting(t, () => accepted, client.tokens('scope'))
  assert.equal(await send(), 'answered')
  accepted = 'token-2'
  assert.deepEqual(new Set(await Promise.all(Array.from({ length: 20 }, send))), new Set(['answered']))
  assert.equal(received.length, 2)
})

test('throws an UpstreamError when the API refuses the new token too, and pauses calls to both endpoints', async (t) => {
  const { client, received } = await tokensFrom(t, (_, count) => grant(`token-${count}`))
  const { send, received: apiCalls } = await apiAccepting(t, () => 'none', client.tokens('scope'))
  await assert.rejects(send(), (error: UpstreamError) => error instanceof UpstreamError && error.reason === 'rejected')
  assert.deepEqual([received.length, apiCalls.length], [2, 2])
  for (let count = 0; count < 20; count++) await assert.rejects(send(), UpstreamError)
  assert.ok(received.length <= 12 && apiCalls.length <= 20, `${received.length} and ${apiCalls.length}`)
})

// Does the CAMARA connector send what an operator expects of Number Verification, and refuse what does not fit?

import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { type SandboxOptions, startSandbox } from '@ringfence/sandbox'
import { SignJWT } from 'jose'
import { grant, type Received, type Reply, scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { selfSignedCertificate } from '../../upstream/testing/self-signed-certificate.ts'
import { testResources } from '../../upstream/testing/test-resources.ts'
import { UpstreamError } from '../../upstream/upstream-error.ts'
import { openAsPhone } from '../number-verification/testing/phone.ts'
import { camara } from './camara.ts'
import { CheckUnsupported, NotOnMobileNetwork } from './connector.ts'
import { inquiry, ordinaryNumber } from './testing/inquiries.ts'

const redirectUri = 'https://ringfence.example/callback'
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secrets = { SECRET: 'kept-out-of-logs', PEM: String(key.privateKey.export({ type: 'pkcs8', format: 'pem' })) }
const basic = { authentication: 'client_secret_basic', clientSecret: { env: 'SECRET' } }
const certificate = { authentication: 'tls_client_auth' }
const signed = { authentication: 'private_key_jwt', privateKey: { env: 'PEM' } }

function connectorTo(
  t: TestContext,
  baseUrl: string,
  settings: object = {},
  { token = basic, ...more }: object & { token?: object; tls?: object } = {},
  moreSecrets: Record<string, string> = {},
) {
  const resources = testResources({ ...secrets, ...moreSecrets })
  const connector = camara.create(
    'acme',
    {
      type: 'camara',
      baseUrl,
      token: { endpoint: `${baseUrl}/oauth2/token`, clientId: 'bank', ...token } as never,
      sandbox: true,
      numberVerification: { authorizationEndpoint: `${baseUrl}/oauth2/authorize`, ...settings },
      ...more,
    },
    resources,
  )
  t.after(() => connector.close?.())
  const verification = connector.numberVerification!
  const begin = (asks: 'match' | 'number' = 'match') => {
    const { url, secrets } = verification.begin(ordinaryNumber, { state: 'the-state', redirectUri, asks })
    return { url, begun: { secrets, redirectUri } }
  }
  return { connector, verification, begin, resources }
}

/** An operator that answers the token request with this, and verifies the number of the request. */
async function operator(
  t: TestContext,
  reply: (request: Received) => Reply | Promise<Reply | undefined> | undefined = () => undefined,
) {
  return scriptedUpstream(t, async (request) => {
    const scripted = await reply(request)
    if (scripted) return scripted
    return request.path === '/oauth2/token' ? grant('of-the-phone') : { body: { devicePhoneNumberVerified: true } }
  })
}

const verifyNow = async ({ verification, begin }: ReturnType<typeof connectorTo>, returned = { code: 'the-code' }) => {
  const { begun } = begin()
  return verification.verify(ordinaryNumber, returned, begun, inquiry())
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (answer) => assert.fail(`answered ${JSON.stringify(answer)}`),
    (error) => error,
  )

for (const [method, token] of Object.entries({ client_secret_basic: basic, private_key_jwt: signed })) {
  test(`verifies a phone against the sandbox operator, with ${method}`, async (t) => {
    const jwks = { keys: [key.publicKey.export({ format: 'jwk' })] } as NonNullable<
      SandboxOptions['clients'][number]['jwks']
    >
    const client = method === 'private_key_jwt' ? { jwks } : { clientSecret: secrets.SECRET }
    const clients = [{ clientId: 'bank', redirectUris: [redirectUri], ...client }]
    const sandbox = await startSandbox({ clock: testResources(secrets).clock, clients })
    t.after(() => sandbox.close())
    sandbox.phones.set('127.0.0.1', { number: ordinaryNumber.digits, connection: 'mobile' })
    for (const settings of [{}, { issuer: sandbox.url }, { issuer: sandbox.url, hashed: true }, { pkce: false }]) {
      const { verification, begin } = connectorTo(t, sandbox.url, settings, { token })
      const { url, begun } = begin()
      const { code = '', iss } = await openAsPhone(url)
      assert.equal(
        await verification.verify(ordinaryNumber, { code, iss }, begun, inquiry()),
        true,
        JSON.stringify(settings),
      )
      const shared = begin('number')
      const back = await openAsPhone(shared.url)
      const number = await verification.numberOfPhone({ code: back.code ?? '', iss: back.iss }, shared.begun, inquiry())
      assert.equal(number, ordinaryNumber.digits)
    }
  })
}

test('the URL has what the configuration says, and no number unless it says so', async (t) => {
  const query = (settings: object, more: object = {}) =>
    Object.fromEntries(new URL(connectorTo(t, 'http://127.0.0.1:1', settings, more).begin().url).searchParams)
  const usual = query({})
  assert.equal(usual.scope, 'openid dpv:FraudPreventionAndDetection number-verification:verify')
  assert.deepEqual(
    [usual.prompt, usual.response_type, usual.client_id, usual.code_challenge_method],
    ['none', 'code', 'bank', 'S256'],
  )
  assert.ok(!JSON.stringify(usual).includes(ordinaryNumber.digits))
  assert.notEqual(usual.nonce, query({}).nonce)
  assert.equal(query({ loginHint: true }).login_hint, `tel:+${ordinaryNumber.digits}`)
  assert.equal(query({ pkce: false }).code_challenge, undefined)
  assert.equal(query({ scope: 'openid nv' }).scope, 'openid nv')
  assert.equal(
    query({}, { scopeFormat: 'purpose#api' }).scope,
    'openid dpv:FraudPreventionAndDetection#number-verification',
  )
  assert.equal(query({}, { scopeFormat: 'scope', purpose: 'dpv:Other' }).scope, 'openid number-verification:verify')
  const path = '/authorize?tenant=7'
  assert.equal(query({ authorizationEndpoint: `http://127.0.0.1:1${path}` }).tenant, '7')
})

test('sends the verifier of the URL with the code, and the number or its hash with the token of the phone', async (t) => {
  const { url, received } = await operator(t)
  const parts = connectorTo(t, url)
  const { url: opened, begun } = parts.begin()
  assert.equal(await parts.verification.verify(ordinaryNumber, { code: 'the-code' }, begun, inquiry()), true)
  const form = Object.fromEntries(new URLSearchParams(received[0]!.body))
  const challenge = createHash('sha256').update(form.code_verifier!).digest('base64url')
  assert.equal(challenge, new URL(opened).searchParams.get('code_challenge'))
  assert.deepEqual([form.grant_type, form.code, form.redirect_uri], ['authorization_code', 'the-code', redirectUri])
  assert.equal(received[1]!.headers.authorization, 'Bearer of-the-phone')
  assert.deepEqual(JSON.parse(received[1]!.body), { phoneNumber: `+${ordinaryNumber.digits}` })
  await verifyNow(connectorTo(t, url, { hashed: true }))
  const hashed = createHash('sha256').update(`+${ordinaryNumber.digits}`).digest('hex')
  assert.deepEqual(JSON.parse(received.at(-1)!.body), { hashedPhoneNumber: hashed })
  const begun2 = parts.begin().begun
  await parts.verification.verify(ordinaryNumber, { code: 'c' }, begun2, { ...inquiry(), correlator: 'a:b' })
  assert.equal(received.at(-1)!.headers['x-correlator'], 'a-b', 'version 2.0 takes nothing else')
})

test('with an issuer, an id token of another nonce, audience, issuer or time is not accepted', async (t) => {
  const issuer = 'https://operator.example'
  const claims = { iss: issuer, aud: 'bank', sub: 'subscriber', nonce: '', lateBy: 0 }
  let next: Partial<typeof claims> | undefined
  const { url } = await operator(t, async ({ path }) => {
    if (path !== '/oauth2/token') return undefined
    if (!next) return grant('of-the-phone')
    const { lateBy = 0, ...given } = next
    const seconds = Math.floor(testResources(secrets).clock.now() / 1000) - lateBy
    const idToken = await new SignJWT({ nonce: given.nonce })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(given.iss ?? issuer)
      .setAudience(given.aud ?? 'bank')
      .setSubject('subscriber')
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 300)
      .sign(key.privateKey)
    return grant('of-the-phone', { id_token: idToken })
  })
  const parts = connectorTo(t, url, { issuer })
  const verify = (changes: Partial<typeof claims> | undefined, iss = issuer) => {
    const { url: opened, begun } = parts.begin()
    next = changes && { nonce: new URL(opened).searchParams.get('nonce') ?? '', ...changes }
    return parts.verification.verify(ordinaryNumber, { code: 'the-code', iss }, begun, inquiry())
  }
  assert.equal(await verify({}), true)
  for (const changes of [
    undefined,
    { nonce: 'of another' },
    { aud: 'shop' },
    { iss: 'https://evil.example' },
    { lateBy: 3600 },
  ]) {
    const failure = await failureOf(verify(changes))
    assert.ok(failure instanceof UpstreamError && failure.reason === 'format', String(failure))
  }
  const mixedUp = await failureOf(verify({}, 'https://evil.example'))
  assert.match(String(mixedUp), /another issuer/)
})

test('each error of the operator has its meaning, and nothing is sent twice', async (t) => {
  const notByNetwork = 'NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK'
  const cases: [string, Reply, new (...rest: never[]) => Error, string?][] = [
    ['verify', { status: 403, body: { code: notByNetwork } }, NotOnMobileNetwork],
    ['verify', { status: 422, body: { code: 'SERVICE_NOT_APPLICABLE' } }, CheckUnsupported],
    ['verify', { status: 501 }, CheckUnsupported],
    ['verify', { status: 403, body: { code: 'INVALID_TOKEN_CONTEXT' } }, UpstreamError, 'rejected'],
    ['verify', { status: 401, body: { code: 'UNAUTHENTICATED' } }, UpstreamError, 'rejected'],
    ['verify', { body: {} }, UpstreamError, 'format'],
    ['verify', { body: { devicePhoneNumberVerified: 'true' } }, UpstreamError, 'format'],
    ['verify', { body: { devicePhoneNumberVerified: null } }, UpstreamError, 'format'],
    ['verify', { status: 503 }, UpstreamError, 'status'],
    ['verify', 'reset', UpstreamError, 'unreachable'],
    ['token', { status: 400, body: { error: 'invalid_grant' } }, UpstreamError, 'rejected'],
    ['token', { status: 401, body: { error: 'invalid_client' } }, UpstreamError, 'rejected'],
    ['token', { status: 503 }, UpstreamError, 'status'],
    ['token', { body: { access_token: 'a b', token_type: 'Bearer' } }, UpstreamError, 'format'],
    ['token', { body: { token_type: 'Bearer' } }, UpstreamError, 'format'],
    ['token', 'reset', UpstreamError, 'unreachable'],
  ]
  for (const [at, reply, kind, reason] of cases) {
    const { url, received } = await operator(t, ({ path }) => (path.endsWith(at) ? reply : undefined))
    const parts = connectorTo(t, url)
    const failure = await failureOf(verifyNow(parts))
    assert.ok(failure instanceof kind, `${at} ${JSON.stringify(reply)}: ${failure}`)
    if (failure instanceof UpstreamError) assert.equal(failure.reason, reason, failure.message)
    assert.equal(received.filter(({ path }) => path.endsWith(at)).length, 1, `${at} ${JSON.stringify(reply)}`)
    const text = `${failure} ${(failure as Error).stack} ${parts.resources.logged()}`
    assert.ok(
      !text.includes(secrets.SECRET) && !text.includes(ordinaryNumber.digits) && !text.includes('the-code'),
      text,
    )
  }
})

test('many wrong codes of strangers do not close the way for everybody, whatever the operator answers to them', async (t) => {
  const answers: Reply[] = [
    { status: 400, body: { error: 'invalid_grant' } },
    { status: 401, body: { error: 'invalid_grant' } },
    { status: 500, body: 'the gateway gave up' },
    { status: 302 },
    { body: 'no JSON', headers: { 'content-type': 'text/html' } },
  ]
  for (const answer of answers) {
    const { url } = await operator(t, ({ path, body }) =>
      path === '/oauth2/token' && body.includes('wrong') ? answer : undefined,
    )
    const parts = connectorTo(t, url)
    for (let i = 0; i < 30; i++) await failureOf(verifyNow(parts, { code: 'wrong' }))
    assert.equal(await verifyNow(parts), true, JSON.stringify(answer))
  }
})

test('a token endpoint that breaks every connection is not called for a while', async (t) => {
  const { url, received } = await operator(t, () => 'reset')
  const parts = connectorTo(t, url)
  for (let i = 0; i < 30; i++) await failureOf(verifyNow(parts))
  assert.ok(received.length < 30, `${received.length} calls`)
})

test('exchanges the code with the client certificate where that is the credential (RFC 8705)', async (t) => {
  const [server, bank] = [selfSignedCertificate('operator'), selfSignedCertificate('bank')]
  const { url, received } = await scriptedUpstream(
    t,
    ({ path }) => (path === '/oauth2/token' ? grant('of-the-phone') : { body: { devicePhoneNumberVerified: true } }),
    { cert: server.certificate, key: server.key, requestCert: true, ca: bank.certificate },
  )
  const material = { SERVER: server.certificate, BANK: bank.certificate, KEY: bank.key }
  const connectorWith = (tls: object) => connectorTo(t, url, {}, { token: certificate, tls }, material)
  const tls = { ca: { env: 'SERVER' }, certificate: { env: 'BANK' }, privateKey: { env: 'KEY' } }
  assert.equal(await verifyNow(connectorWith(tls)), true)
  const form = new URLSearchParams(received[0]!.body)
  assert.deepEqual([form.get('client_id'), received[0]!.headers.authorization], ['bank', undefined])
  assert.throws(() => connectorWith({ ca: { env: 'SERVER' } }), /tls\.certificate and tls\.privateKey are missing/)
})

test('a configuration that cannot work is refused with its key', async (t) => {
  const wrong =
    (settings: object, more: object = {}) =>
    () =>
      connectorTo(t, 'http://127.0.0.1:1', settings, more)
  const outside = { authorizationEndpoint: 'http://operator.example/authorize' }
  assert.throws(wrong(outside, { sandbox: false }), /numberVerification\.authorizationEndpoint must begin with https/)
  assert.throws(wrong({ baseUrl: 'https://user:pw@operator.example' }), /numberVerification\.baseUrl contains/)
  assert.throws(wrong({}, { token: { authentication: 'private_key_jwt' } }), /token\.privateKey is missing/)
})

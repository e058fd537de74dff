import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type AnyCheck, checks, operatorCheckNames, releasedPath } from '@ringfence/contract'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { InvalidInput } from '../schema-check.ts'
import { startSandbox } from '../start-sandbox.ts'
import { basicAuthorization, type TestSandbox, testNowMs, testSandbox } from '../testing.ts'

const checkScope = 'dpv:FraudPreventionAndDetection sim-swap:check'
const clientCredentials = { grant_type: 'client_credentials', scope: checkScope }
const plain = basicAuthorization('plain', 'a secret: 100 % + more')
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const nowSeconds = Math.floor(testNowMs / 1_000)

function clientClaims({ sandbox }: TestSandbox) {
  return {
    iss: 'keyed',
    sub: 'keyed',
    aud: `${sandbox.url}/oauth2/token`,
    iat: nowSeconds,
    exp: nowSeconds + 60,
    jti: randomUUID() as string,
  }
}

function askWithAssertion(operator: TestSandbox, assertion: string) {
  return operator.requestToken({
    ...clientCredentials,
    client_assertion_type: assertionType,
    client_assertion: assertion,
  })
}

test('client_secret_basic: returns a token with scope and lifetime, with no-store', async () => {
  await using operator = await testSandbox()
  const { status, headers, body } = await operator.requestToken(clientCredentials, plain)
  assert.equal(status, 200)
  assert.equal(headers.get('cache-control'), 'no-store')
  const { access_token, ...rest } = body
  assert.match(access_token, /^[\w-]{43}$/)
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3_600, scope: checkScope })
})

test('client_secret_basic: accepts credentials with and without form encoding', async () => {
  await using operator = await testSandbox()
  const raw = `Basic ${Buffer.from('plain:a secret: 100 % + more').toString('base64')}`
  assert.equal((await operator.requestToken(clientCredentials, raw)).status, 200)
})

test('returns 401 invalid_client for a wrong client, and says how to authenticate', async () => {
  await using operator = await testSandbox()
  const wrong = [
    basicAuthorization('plain', 'wrong'),
    basicAuthorization('nobody', 'a secret: 100 % + more'),
    basicAuthorization('keyed', ''),
    'Bearer x',
    'Basic %%%',
  ]
  for (const authorization of wrong) {
    const { status, headers, body } = await operator.requestToken(clientCredentials, authorization)
    assert.deepEqual([status, body.error], [401, 'invalid_client'], authorization)
    assert.match(headers.get('www-authenticate') ?? '', /^Basic/)
  }
  assert.deepEqual((await operator.requestToken(clientCredentials)).body.error, 'invalid_client')
})

test('refuses client_secret_post, two methods at once, and another client_id', async () => {
  await using operator = await testSandbox()
  const posted = { ...clientCredentials, client_id: 'plain', client_secret: 'a secret: 100 % + more' }
  assert.equal((await operator.requestToken(posted)).body.error, 'invalid_client')
  const both = { ...clientCredentials, client_assertion_type: assertionType, client_assertion: 'x' }
  assert.equal((await operator.requestToken(both, plain)).body.error, 'invalid_request')
  assert.equal((await operator.requestToken({ ...clientCredentials, client_id: 'keyed' }, plain)).status, 401)
  assert.equal((await operator.requestToken({ ...clientCredentials, client_id: 'plain' }, plain)).status, 200)
})

test('private_key_jwt: accepts the token endpoint or the issuer as audience', async () => {
  await using operator = await testSandbox()
  for (const aud of [`${operator.sandbox.url}/oauth2/token`, operator.sandbox.url, [operator.sandbox.url, 'x']]) {
    const answer = await askWithAssertion(operator, await operator.signed({ ...clientClaims(operator), aud }))
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
})

test('private_key_jwt: checks iss, sub, aud, exp, iat, jti and the signature', async () => {
  await using operator = await testSandbox()
  const claims = (changed = {}) => ({ ...clientClaims(operator), ...changed })
  const hour = 3_600
  const other = await generateKeyPair('ES256')
  const wrong: [why: RegExp, assertion: string][] = [
    [/iss must be a client/, await operator.signed(claims({ iss: 'nobody' }))],
    [/iss must be a client/, await operator.signed(claims({ iss: 'plain', sub: 'plain' }))],
    [/sub must be the client id/, await operator.signed(claims({ sub: 'plain' }))],
    [/missing required .sub/, await operator.signed(claims({ sub: undefined }))],
    [/aud must be one of/, await operator.signed(claims({ aud: 'https://elsewhere.example/oauth2/token' }))],
    [
      /exp. claim timestamp check failed/,
      await operator.signed(claims({ iat: nowSeconds - hour, exp: nowSeconds - 60 })),
    ],
    [/missing required .exp/, await operator.signed(claims({ exp: undefined }))],
    [/more than 300 seconds ahead/, await operator.signed(claims({ iat: undefined, exp: nowSeconds + hour }))],
    [/300 seconds after iat/, await operator.signed(claims({ iat: nowSeconds - 200, exp: nowSeconds + 200 }))],
    [/iat is in the future/, await operator.signed(claims({ iat: nowSeconds + 60, exp: nowSeconds + 90 }))],
    [/missing required .jti/, await operator.signed(claims({ jti: undefined }))],
    [/alg.*not allowed/, new UnsecuredJWT(claims()).encode()],
    [/alg.*not allowed/, await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))],
    [/signature/, await new SignJWT(claims()).setProtectedHeader({ alg: 'ES256' }).sign(other.privateKey)],
    [/not a JWT/, 'not.a.jwt'],
  ]
  for (const [why, assertion] of wrong) {
    const { status, body } = await askWithAssertion(operator, assertion)
    assert.deepEqual([status, body.error], [401, 'invalid_client'], `${why}`)
    assert.match(body.error_description, why)
  }
  const untyped = { ...clientCredentials, client_assertion: await operator.signed(clientClaims(operator)) }
  assert.match((await operator.requestToken(untyped)).body.error_description, /client_assertion_type/)
})

test('private_key_jwt: accepts an assertion once', async () => {
  await using operator = await testSandbox()
  const assertion = await operator.signed(clientClaims(operator))
  assert.equal((await askWithAssertion(operator, assertion)).status, 200)
  const again = await askWithAssertion(operator, assertion)
  assert.deepEqual([again.status, again.body.error], [401, 'invalid_client'])
  assert.match(again.body.error_description, /jti was used before/)
})

test('moving the sandbox’s clock does not affect assertions, which follow the client’s clock', async () => {
  await using operator = await testSandbox()
  operator.sandbox.clock.advance(1_000)
  assert.equal((await askWithAssertion(operator, await operator.signed(clientClaims(operator)))).status, 200)
})

test('scope: requires exactly one registered purpose, and supported scopes', async () => {
  await using operator = await testSandbox()
  const ask = async (scope: string) => (await operator.requestToken({ ...clientCredentials, scope }, plain)).body
  const refused = [
    '',
    'sim-swap:check',
    'dpv:FraudPreventionAndDetection',
    'dpv:FraudPreventionAndDetection dpv:Marketing sim-swap:check',
    'dpv:Marketing sim-swap:check',
    'dpv:FraudPreventionAndDetection sim-swap:everything',
    'dpv:FraudPreventionAndDetection#sim-swap:everything',
    'dpv: sim-swap:check',
  ]
  for (const scope of refused) assert.equal((await ask(scope)).error, 'invalid_scope', scope)
  assert.equal((await ask('portability:read')).scope, 'portability:read')
  assert.equal((await ask(`openid ${checkScope}`)).scope, checkScope)
})

test('scope: the older form dpv:<purpose>#<api> grants the calls of the API', async () => {
  await using operator = await testSandbox()
  const body = { phoneNumber: '+917020141726' }
  const simSwap = await operator.token('dpv:FraudPreventionAndDetection#sim-swap')
  assert.equal((await operator.post('/sim-swap/v2/check', body, simSwap)).status, 200)
  const forwarding = await operator.token('dpv:FraudPreventionAndDetection#call-forwarding-signal')
  const path = '/call-forwarding-signal/v0.4/unconditional-call-forwardings'
  assert.equal((await operator.post(path, body, forwarding)).status, 200)
  assert.equal((await operator.post(path, body, simSwap)).status, 403)
})

test('scope: the name of an API grants the calls of every check, alone and in the older form', async () => {
  await using operator = await testSandbox()
  const purpose = 'dpv:FraudPreventionAndDetection'
  for (const name of operatorCheckNames) {
    const { camara }: AnyCheck = checks[name]
    assert.ok(camara)
    const { api, calls } = camara
    const path = releasedPath(api)
    const granted = [
      { scope: `${purpose}#${api}`, allowed: calls },
      { scope: `${purpose} ${api}`, allowed: calls },
      ...calls.map((call) => ({ scope: `${purpose}#${call.scope}`, allowed: [call] })),
    ]
    for (const { scope, allowed } of granted) {
      const { status, body } = await operator.requestToken({ ...clientCredentials, scope }, plain)
      assert.deepEqual([status, body.scope], [200, scope])
      for (const call of calls) {
        const called = await operator.post(`${path}/${call.resource}`, {}, body.access_token)
        assert.equal(called.status === 403, !allowed.includes(call), `${call.resource} with ${scope}: ${called.status}`)
      }
    }
  }
})

test('scope: refuses what a client is not registered for', async () => {
  await using operator = await testSandbox({
    clients: [
      { clientId: 'few', clientSecret: 'x', scopes: ['sim-swap:check'], purposes: ['FraudPreventionAndDetection'] },
    ],
  })
  const few = basicAuthorization('few', 'x')
  assert.equal((await operator.requestToken(clientCredentials, few)).status, 200)
  const more = { ...clientCredentials, scope: 'portability:read' }
  assert.equal((await operator.requestToken(more, few)).body.error, 'invalid_scope')
})

test('scope: accepts one purpose at a time, also for a client registered for several', async () => {
  await using operator = await testSandbox({
    clients: [{ clientId: 'both', clientSecret: 'x', purposes: ['FraudPreventionAndDetection', 'Marketing'] }],
  })
  const ask = async (scope: string) =>
    (await operator.requestToken({ ...clientCredentials, scope }, basicAuthorization('both', 'x'))).body.error
  assert.equal(await ask('dpv:Marketing sim-swap:check'), undefined)
  assert.equal(await ask('dpv:Marketing dpv:FraudPreventionAndDetection sim-swap:check'), 'invalid_scope')
})

test('returns invalid_request or unsupported_grant_type for malformed token requests', async () => {
  await using operator = await testSandbox()
  assert.equal((await operator.requestToken({ scope: checkScope }, plain)).body.error, 'invalid_request')
  const password = { ...clientCredentials, grant_type: 'password' }
  assert.equal((await operator.requestToken(password, plain)).body.error, 'unsupported_grant_type')
  const json = await operator.post('/oauth2/token', clientCredentials)
  assert.deepEqual([json.status, json.body.error], [400, 'invalid_request'])
  const doubled = await fetch(`${operator.sandbox.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: plain, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&scope=portability:read&scope=portability:read',
  })
  assert.equal(doubled.status, 400)
})

test('JWT bearer: issues a three-legged token for the number in sub', async () => {
  await using operator = await testSandbox()
  const claims = { ...clientClaims(operator), sub: 'tel:+61491570156', scope: checkScope }
  const granted = await operator.requestToken({ grant_type: jwtBearer, assertion: await operator.signed(claims) })
  assert.deepEqual([granted.status, granted.body.expires_in], [200, 300])
  const token = granted.body.access_token
  assert.deepEqual((await operator.post('/sim-swap/v2/check', {}, token)).body, { swapped: true })
  const named = await operator.post('/sim-swap/v2/check', { phoneNumber: '+61491570156' }, token)
  assert.deepEqual([named.status, named.body.code], [422, 'UNNECESSARY_IDENTIFIER'])
})

test('JWT bearer: returns invalid_grant for a wrong assertion, invalid_request for a scope parameter', async () => {
  await using operator = await testSandbox()
  const good = () => ({ ...clientClaims(operator), sub: 'tel:+61491570156', scope: checkScope })
  const ask = async (claims: Record<string, unknown>, extra = {}) =>
    (await operator.requestToken({ grant_type: jwtBearer, assertion: await operator.signed(claims), ...extra })).body
      .error
  assert.equal(await ask({ ...good(), sub: 'tel:+61000' }), 'invalid_grant')
  assert.equal(await ask({ ...good(), sub: 'keyed' }), 'invalid_grant')
  assert.equal(await ask({ ...good(), iat: undefined }), 'invalid_grant')
  assert.equal(await ask({ ...good(), aud: 'https://elsewhere.example' }), 'invalid_grant')
  assert.equal(await ask({ ...good(), scope: 'sim-swap:check' }), 'invalid_scope')
  assert.equal(await ask(good(), { scope: checkScope }), 'invalid_request')
  assert.equal((await operator.requestToken({ grant_type: jwtBearer })).body.error, 'invalid_grant')
})

test('publishes the URL of its token endpoint', async () => {
  await using operator = await testSandbox()
  const { body } = await operator.get('/.well-known/oauth-authorization-server')
  assert.equal(body.issuer, operator.sandbox.url)
  assert.equal(body.token_endpoint, `${operator.sandbox.url}/oauth2/token`)
})

test('uses the configured issuer as issuer and audience', async () => {
  await using operator = await testSandbox({ issuer: 'http://sandbox.example' })
  const claims = { ...clientClaims(operator), aud: 'http://sandbox.example/oauth2/token' }
  assert.equal((await askWithAssertion(operator, await operator.signed(claims))).status, 200)
})

test('refuses at the start a client registration that cannot work', async () => {
  const start = (clients: Parameters<typeof startSandbox>[0]['clients']) =>
    startSandbox({ clock: { now: () => testNowMs }, clients })
  const one = { clientId: 'one', clientSecret: 'x' }
  const key = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }
  await assert.rejects(start([]), InvalidInput)
  await assert.rejects(start([one, one]), /registered twice/)
  await assert.rejects(start([{ clientId: 'one' }]), /needs a clientSecret, or jwks/)
  await assert.rejects(start([{ clientId: 'one', jwks: { keys: [{ ...key, d: 'd' }] } }]), /private/)
})

// Who may call our own CAMARA API, and is it the same service underneath?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AnyCheck, camaraEndpoints, checks } from '@ringfence/contract'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { until } from '../testing/until.ts'
import { basic, frontAndSandbox, frontService } from './testing/apis.ts'

const { open } = sqliteDatabases
const purpose = 'dpv:FraudPreventionAndDetection'
const ordinary = { phoneNumber: '+917020141726' }
const tokenPath = '/camara/oauth2/token'
const check = '/sim-swap/v2/check'

interface Client {
  clientId: string
  clientSecret: string
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects
type Answer = { status: number; headers: Headers; body: any }

async function send(
  url: string,
  body: string | URLSearchParams,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const tokenOf = (url: string, { clientId, clientSecret }: Client, scope: string) =>
  send(url + tokenPath, new URLSearchParams({ grant_type: 'client_credentials', scope }), {
    authorization: basic(clientId, clientSecret),
  })

const ask = (url: string, path: string, token: string, body: unknown) =>
  send(url + path, JSON.stringify(body), { 'content-type': 'application/json', authorization: `Bearer ${token}` })

eachDatabase(({ engine, open }) => {
  test(`a client gets a token with its secret, and asks with it (${engine})`, async (t) => {
    const { url, credentials } = await frontService(t, await open(t))
    const { status, headers, body } = await tokenOf(url, credentials, `${purpose} sim-swap:check`)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { access_token: token, ...rest } = body
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 600, scope: `${purpose} sim-swap:check` })
    const answer = await ask(url, check, token, ordinary)
    assert.deepEqual([answer.status, answer.body], [200, { swapped: false }])
    assert.equal(answer.headers.get('x-ringfence-sandbox'), 'true')

    const { clientId: client_id, clientSecret: client_secret } = credentials
    const fields = { grant_type: 'client_credentials', scope: 'sim-swap', client_id, client_secret }
    const posted = await send(url + tokenPath, new URLSearchParams(fields))
    assert.equal((await ask(url, check, posted.body.access_token, ordinary)).status, 200, 'the scope of the whole API')
  })

  test(`a revoked client is refused although its token is valid (${engine})`, async (t) => {
    const { url, parts: needs, tenantId, clock } = await frontService(t, await open(t))
    const client = await needs.clients.createClient(tenantId, 'partner')
    const { access_token: token } = (await tokenOf(url, client, 'sim-swap:check')).body
    assert.equal((await ask(url, check, token, ordinary)).status, 200)
    await needs.clients.revoke(client.clientId)
    clock.advance({ seconds: 2 })
    const { status, headers, body } = await ask(url, check, token, ordinary)
    assert.deepEqual(
      [status, body.code, headers.get('www-authenticate')],
      [...[401, 'UNAUTHENTICATED', 'Bearer realm="Ringfence"']],
    )
  })
})

test('the token endpoint refuses as RFC 6749 says', async (t) => {
  const { url, credentials } = await frontService(t, await open(t))
  const wrong = { ...credentials, clientSecret: `${credentials.clientSecret}x` }
  const errorOf = async (scope: string, client = credentials) => (await tokenOf(url, client, scope)).body.error
  assert.equal(await errorOf('sim-swap:check', wrong), 'invalid_client')
  assert.equal(await errorOf('sim-swap:steal'), 'invalid_scope')
  assert.equal(await errorOf(''), 'invalid_scope')
  assert.equal(await errorOf(purpose), 'invalid_scope')
  assert.equal(await errorOf(`${purpose} dpv:Marketing sim-swap:check`), 'invalid_scope')
  assert.equal(await errorOf('openid'), 'invalid_scope')
  const { scope } = (await tokenOf(url, credentials, 'openid sim-swap:check')).body
  assert.equal(scope, 'sim-swap:check', 'openid is of no use without a person, and the answer says so')
  assert.equal(await errorOf(`${purpose}#sim-swap`), undefined, 'the older form of a purpose')
  const grant = new URLSearchParams({ grant_type: 'password', scope: 'sim-swap' })
  const authorization = basic(credentials.clientId, credentials.clientSecret)
  assert.equal((await send(url + tokenPath, grant, { authorization })).body.error, 'unsupported_grant_type')
})

test('a restricted client needs the scope telecom, for a token and for a call', async (t) => {
  const { url, parts: needs, tenantId, clock } = await frontService(t, await open(t))
  const free = { allowedIps: null, expiresAt: null, role: null }
  const telecom = await needs.clients.createClient(tenantId, 'checks', { ...free, scopes: 'telecom' })
  const lists = await needs.clients.createClient(tenantId, 'lists', { ...free, scopes: 'lists' })
  assert.equal((await tokenOf(url, lists, 'sim-swap:check')).body.error, 'unauthorized_client')
  const { access_token: token } = (await tokenOf(url, telecom, 'sim-swap:check')).body
  assert.equal((await ask(url, check, token, ordinary)).status, 200)
  await needs.clients.restrict(telecom.clientId, { ...free, scopes: 'lists' })
  clock.advance({ seconds: 2 })
  const { status, body } = await ask(url, check, token, ordinary)
  assert.deepEqual([status, body.code], [403, 'PERMISSION_DENIED'])
})

test('an access token is no id token and no token of a page, and neither of them is an access token', async (t) => {
  const { url, parts: needs, credentials, post, clock } = await frontService(t, await open(t))
  const { access_token: token } = (await tokenOf(url, credentials, 'sim-swap:check')).body
  const { issuer } = (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as { issuer: string }
  const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`))
  const asIdToken = { issuer, currentDate: new Date(clock.now()) }
  await assert.rejects(jwtVerify(token, keys, asIdToken), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', claim: 'iss' })
  assert.equal((await post('/auth/v1/validate/token', { token })).status, 400)

  const idToken = await needs.idTokens.sign({
    ...{ appId: credentials.clientId, clientId: credentials.clientId, userId: 'user-1' },
    ...{ signedInAt: clock.now(), identities: [], profile: { name: 'sim-swap:check' } },
  })
  const pageToken = (await post('/auth/v1/tokens', { userId: 'user-1' })).body.token ?? 'rft_unknown'
  for (const other of [idToken, pageToken, credentials.clientSecret, token.replace(/\.[\w-]+$/, '.')]) {
    const { status, body } = await ask(url, check, other, ordinary)
    assert.deepEqual([status, body.code], [401, 'UNAUTHENTICATED'], other)
  }
})

test('anybody can verify an access token with the metadata alone', async (t) => {
  const { url, credentials, clock } = await frontService(t, await open(t))
  const { access_token: token } = (await tokenOf(url, credentials, 'sim-swap:check')).body
  for (const path of ['/.well-known/oauth-authorization-server/camara', '/camara/.well-known/openid-configuration']) {
    // biome-ignore lint/suspicious/noExplicitAny: metadata of RFC 8414
    const metadata = (await (await fetch(url + path)).json()) as any
    assert.equal(metadata.token_endpoint, url + tokenPath)
    assert.ok(metadata.scopes_supported.includes('device-swap:check'))
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(metadata.jwks_uri)), {
      ...{ issuer: metadata.issuer, audience: metadata.issuer, typ: 'at+jwt', currentDate: new Date(clock.now()) },
    })
    assert.deepEqual([payload.client_id, payload.scope], [credentials.clientId, 'sim-swap:check'])
  }
})

/** What each call needs beside the number. */
const bodies: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(camaraEndpoints).map(([name, { check, call }]) => {
    const { example, fill }: AnyCheck = checks[check]
    return [name, call.body?.(fill ? fill(example, {}, { maxAgeHours: 240 }) : example) ?? {}]
  }),
)

test('every call answers as the operator does, whatever the number', async (t) => {
  const apis = await frontAndSandbox(t, await open(t))
  const [front, operator] = [apis['our own API'], apis['the sandbox operator']]
  const endings = [
    '1726',
    '0110',
    '0120',
    '0121',
    '0160',
    '0161',
    '0162',
    '0163',
    '0164',
    '0165',
    '0166',
    '0167',
    '0168',
  ]
  for (const [name, { path, api, call }] of Object.entries(camaraEndpoints)) {
    const scope = `${purpose} ${call.scope}`
    const authorization = async (of: typeof front) => ({ authorization: `Bearer ${await of.token(scope)}` })
    const [ours, theirs] = [await authorization(front), await authorization(operator)]
    for (const ending of endings) {
      const phoneNumber = `+91702014${ending}`
      const subject = api.identifier === 'device' ? { device: { phoneNumber } } : { phoneNumber }
      const body = { ...subject, ...bodies[name] }
      const [own, expected] = [await front.post(path, body, ours), await operator.post(path, body, theirs)]
      assert.equal(expected.status, 200, `${path} ${JSON.stringify(expected.body)}`)
      // Fractions of a millisecond are not kept.
      const comparable = (found: unknown) => JSON.stringify(found).replace(/(\.\d{3})\d{6}Z/g, '$1Z')
      assert.equal(comparable(own.body), comparable(expected.body), `${path} ${ending}`)
    }
  }
})

test('a date is never made up: without a call that reports it, there is none', async (t) => {
  const { url, credentials, post } = await frontService(t, await open(t), {
    settings: { simSwapReuseSeconds: 3600 },
    edit: (parts) => ({
      ...parts,
      connectors: { sandbox: { ...parts.connectors.sandbox!, simSwap: { calls: ['check'] } } },
    }),
  })
  const { access_token: token } = (await tokenOf(url, credentials, 'sim-swap')).body
  assert.equal((await post('/v1/telecom/sim-swap-check', { phoneNumber: '917020141726' })).body.swapped, false)
  const { status, body } = await ask(url, '/sim-swap/v2/retrieve-date', token, ordinary)
  assert.deepEqual([status, body.code], [422, 'SERVICE_NOT_APPLICABLE'])
  assert.match(body.message, /does not answer this call; others of the API may work/)
})

test('a stored answer of the boolean call is not taken for a date', async (t) => {
  const { url, credentials, clock } = await frontService(t, await open(t), { settings: { simSwapReuseSeconds: 3600 } })
  const { access_token: token } = (await tokenOf(url, credentials, 'sim-swap')).body
  const number = { phoneNumber: '+917020140111' }
  assert.deepEqual((await ask(url, check, token, number)).body, { swapped: true })
  await until(async () => {
    clock.advance({ seconds: 1 })
    return Number((await ask(url, check, token, number)).headers.get('age')) > 0
  })
  const dated = await ask(url, '/sim-swap/v2/retrieve-date', token, number)
  assert.equal(typeof dated.body.latestSimChange, 'string')
})

test('without maxAge the window is 240 hours, and an operator that may not look back so far is OUT_OF_RANGE', async (t) => {
  const { url, credentials } = await frontService(t, await open(t), { settings: { simSwapMaxAgeHours: 24 } })
  const { access_token: token } = (await tokenOf(url, credentials, 'sim-swap')).body
  const number = { phoneNumber: '+917020140111' }
  assert.deepEqual((await ask(url, check, token, number)).body, { swapped: true })

  const limited = await frontService(t, await open(t), {
    edit: (parts) => ({
      ...parts,
      operators: parts.operators!.map((operator) => ({
        ...operator,
        ...{ simSwap: { limitHours: 48 }, deviceSwap: { limitHours: 168 } },
      })),
    }),
  })
  const { access_token: other } = (await tokenOf(limited.url, limited.credentials, 'sim-swap device-swap')).body
  for (const [path, body, limit] of [
    [check, number, 48],
    [check, { ...number, maxAge: 240 }, 48],
    ['/device-swap/v1/check', number, 168],
  ] as const) {
    const beyond = await ask(limited.url, path, other, body)
    assert.deepEqual([beyond.status, beyond.body.code], [400, 'OUT_OF_RANGE'])
    const says = `The operator of the phone number looks back at most ${limit} hours: send maxAge, at most ${limit}`
    assert.equal(beyond.body.message, says)
  }
  const within = await ask(limited.url, check, other, { ...number, maxAge: 48 })
  assert.deepEqual([within.status, within.body], [200, { swapped: false }])
  const dated = await ask(limited.url, '/sim-swap/v2/retrieve-date', other, number)
  assert.equal(typeof dated.body.latestSimChange, 'string', 'a date has no window')
})

test('a tenant gets no answer that was stored for another one', async (t) => {
  const {
    url,
    credentials,
    parts: needs,
    clock,
  } = await frontService(t, await open(t), {
    settings: { simSwapReuseSeconds: 3600 },
  })
  const { id } = await needs.tenantKeyring.createTenant('other')
  const stranger = await needs.clients.createClient(id, 'other')
  const ages = async (client: Client) => {
    const { access_token: token } = (await tokenOf(url, client, 'sim-swap')).body
    return (await ask(url, check, token, ordinary)).headers.get('age')
  }
  assert.equal(await ages(credentials), null)
  await until(async () => {
    clock.advance({ seconds: 1 })
    return (await ages(credentials)) !== null
  })
  assert.equal(await ages(stranger), null)
})

test('an operator that fails is 503 UNAVAILABLE, and a client that asks too often is 429 TOO_MANY_REQUESTS', async (t) => {
  const { url, credentials } = await frontService(t, await open(t), { settings: { clientRatePerSecond: 2 } })
  const { access_token: token } = (await tokenOf(url, credentials, 'sim-swap')).body
  const failed = await ask(url, check, token, { phoneNumber: '+917020140150' })
  assert.deepEqual([failed.status, failed.body.code], [503, 'UNAVAILABLE'])
  const { status, headers, body } = await ask(url, check, token, ordinary)
  assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'TOO_MANY_REQUESTS', '1'])
})

test('a cost cap that is reached is 429 QUOTA_EXCEEDED until the next day', async (t) => {
  const { url, credentials, clock } = await frontService(t, await open(t), {
    edit: (parts) => ({
      ...parts,
      costs: { currency: 'EUR', prices: { sandbox: { otherwise: 10 } }, dailyCap: { total: 25 } },
    }),
  })
  const tokenNow = async () => (await tokenOf(url, credentials, 'sim-swap')).body.access_token
  const token = await tokenNow()
  assert.equal((await ask(url, check, token, ordinary)).status, 200)
  const { status, headers, body } = await ask(url, check, token, ordinary)
  assert.deepEqual([status, body.code], [429, 'QUOTA_EXCEEDED'])
  const wait = Number(headers.get('retry-after'))
  assert.equal((clock.now() + wait * 1000) % 86_400_000 < 1000, true, `the next day begins after ${wait} s`)
  clock.advance({ seconds: wait })
  assert.equal((await ask(url, check, await tokenNow(), ordinary)).status, 200)
})

test('a device without a phone number is UNSUPPORTED_IDENTIFIER, and an empty one INVALID_ARGUMENT', async (t) => {
  const apis = await frontAndSandbox(t, await open(t))
  for (const [name, api] of Object.entries(apis)) {
    const headers = { authorization: `Bearer ${await api.token(`${purpose} device-roaming-status:read`)}` }
    for (const [device, status, code] of [
      [{ ipv4Address: { publicAddress: '84.125.93.10', publicPort: 59765 } }, 422, 'UNSUPPORTED_IDENTIFIER'],
      [{ ipv6Address: '2001:db8:85a3:8d3::7344' }, 422, 'UNSUPPORTED_IDENTIFIER'],
      [{ networkAccessIdentifier: '123456789@domain.com' }, 422, 'UNSUPPORTED_IDENTIFIER'],
      [{ ipv4Address: { publicAddress: '84.125.93.10' } }, 400, 'INVALID_ARGUMENT'],
      [{ ipv4Address: { publicAddress: '84.125.93.256', publicPort: 1 } }, 400, 'INVALID_ARGUMENT'],
      [{}, 400, 'INVALID_ARGUMENT'],
      [undefined, 422, 'MISSING_IDENTIFIER'],
    ] as const) {
      const { body } = await api.post('/device-roaming-status/v1/retrieve', { device }, headers)
      assert.deepEqual([body.status, body.code], [status, code], `${name}: ${JSON.stringify(device)}`)
      if (code === 'UNSUPPORTED_IDENTIFIER') assert.match(body.message, /phoneNumber/)
    }
    const both = { ipv6Address: '2001:db8::1', ...ordinary }
    const { status, body } = await api.post('/device-roaming-status/v1/retrieve', { device: both }, headers)
    assert.deepEqual([status, body.roaming], [200, false], name)
  }
})

test('an area and the age of a location have the bounds of CAMARA, at both, and those of /checks at /checks', async (t) => {
  const apis = await frontAndSandbox(t, await open(t))
  const verify = '/location-verification/v3/verify'
  const { area } = bodies['locationVerification/verify/v3'] as { area: object }
  for (const [name, api] of Object.entries(apis)) {
    const headers = { authorization: `Bearer ${await api.token(`${purpose} location-verification:verify`)}` }
    const ask = async (radius: number, maxAge: number) => {
      const { body } = await api.post(verify, { device: ordinary, area: { ...area, radius }, maxAge }, headers)
      return [body.code ?? body.verificationResult, body.message]
    }
    for (const [radius, maxAge] of [
      [300_000, 100_000],
      [1, 0],
      [20_000_000, 2_147_483_647],
    ] as const)
      assert.deepEqual(
        await ask(radius, maxAge),
        [radius === 1 ? 'PARTIAL' : 'TRUE', undefined],
        `${name}: ${radius}, ${maxAge}`,
      )
    const [code, message] = await ask(5000, 2_147_483_648)
    assert.equal(code, 'OUT_OF_RANGE', name)
    assert.match(message, /maxAge must be from 0 to 2147483647/)
    for (const radius of [0, 1e12]) assert.equal((await ask(radius, 60))[0], 'INVALID_ARGUMENT', `${name}: ${radius}`)
  }
  const { post } = await frontService(t, await open(t))
  for (const [more, field] of [
    [{ radius: 300_000 }, 'radius'],
    [{ radius: 5000, maxAgeSeconds: 100_000 }, 'maxAgeSeconds'],
  ] as const) {
    const checks = { locationVerification: { latitude: 52.5, longitude: 13.4, ...more } }
    const { status, body } = await post('/v1/telecom/checks', { phoneNumber: '917020141726', checks })
    assert.equal(status, 400)
    assert.match(body.description, new RegExp(field))
  }
})

test('another version of an API and a call that it does not have are 404 in the format of CAMARA', async (t) => {
  const { url } = await frontService(t, await open(t))
  for (const path of [
    '/kyc-match/v0.9/match',
    '/sim-swap/v2/nothing',
    '/sim-swap/v9',
    '/device-roaming-status/retrieve',
  ]) {
    const { status, body } = await send(url + path, '{}', { 'content-type': 'application/json' })
    assert.deepEqual([status, body.status, body.code], [404, 404, 'NOT_FOUND'], path)
    assert.match(body.message, /is served at \/[a-z-]+\/v\d/, path)
  }
})

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { basicAuthorization, type TestSandbox, testSandbox } from '../testing.ts'

const redirectUri = 'https://ringfence.example/callback'
const ordinary = '917020141726'
const scope = 'openid dpv:FraudPreventionAndDetection number-verification:verify'
const verifier = 'a-code-verifier-of-at-least-forty-three-characters'
const plain = basicAuthorization('plain', 'a secret: 100 % + more')

/** Opens the authorization URL as a phone does. @returns what the operator redirected with */
async function open(sandbox: TestSandbox, changes: Record<string, string | undefined> = {}): Promise<URLSearchParams> {
  const parameters = {
    response_type: 'code',
    client_id: 'plain',
    redirect_uri: redirectUri,
    scope,
    state: 'the-state',
    nonce: 'the-nonce',
    prompt: 'none',
    login_hint: `tel:+${ordinary}`,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    ...changes,
  }
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const { status, headers, body } = await sandbox.get(`/oauth2/authorize?${new URLSearchParams(given)}`)
  assert.equal(status, 302, JSON.stringify(body))
  const location = headers.get('location') ?? ''
  assert.ok(location.startsWith(`${redirectUri}?`), location)
  return new URL(location).searchParams
}

const exchange = (sandbox: TestSandbox, code: string | null, changes: Record<string, string> = {}) =>
  sandbox.requestToken(
    {
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changes,
    },
    plain,
  )

async function phoneToken(sandbox: TestSandbox, changes: Record<string, string | undefined> = {}): Promise<string> {
  const back = await open(sandbox, changes)
  return (await exchange(sandbox, back.get('code'))).body.access_token
}

const verify = (sandbox: TestSandbox, token: string, body: object) =>
  sandbox.post('/number-verification/v2/verify', body, token)

test('a phone on mobile data brings a code whose token verifies its number once', async () => {
  await using sandbox = await testSandbox()
  const back = await open(sandbox)
  assert.equal(back.get('state'), 'the-state')
  assert.equal(back.get('iss'), sandbox.sandbox.url)
  const { body } = await exchange(sandbox, back.get('code'))
  assert.equal(body.expires_in, 300)
  assert.equal(body.refresh_token, undefined)
  const keys = (await sandbox.get('/oauth2/jwks')).body
  const { payload } = await jwtVerify(body.id_token, createLocalJWKSet(keys), {
    issuer: sandbox.sandbox.url,
    audience: 'plain',
    currentDate: new Date(sandbox.sandbox.clock.now()),
  })
  assert.equal(payload.nonce, 'the-nonce')
  assert.ok(!JSON.stringify(payload).includes(ordinary))

  const answer = await verify(sandbox, body.access_token, { phoneNumber: `+${ordinary}` })
  assert.deepEqual([answer.status, answer.body], [200, { devicePhoneNumberVerified: true }])
  const again = await verify(sandbox, body.access_token, { phoneNumber: `+${ordinary}` })
  assert.deepEqual([again.status, again.body.code], [401, 'UNAUTHENTICATED'])
})

test('verifies a hash, returns the number itself with its own scope, and tells another number apart', async () => {
  await using sandbox = await testSandbox()
  const hashed = hash('sha256', `+${ordinary}`, 'hex').toUpperCase()
  const byHash = await verify(sandbox, await phoneToken(sandbox), { hashedPhoneNumber: hashed })
  assert.deepEqual(byHash.body, { devicePhoneNumberVerified: true })
  const other = await verify(sandbox, await phoneToken(sandbox), { phoneNumber: '+917020141727' })
  assert.deepEqual(other.body, { devicePhoneNumberVerified: false })

  const share = scope.replace('verify', 'device-phone-number:read')
  const token = await phoneToken(sandbox, { scope: share })
  const shared = await sandbox.get('/number-verification/v2/device-phone-number', token)
  assert.deepEqual([shared.status, shared.body], [200, { devicePhoneNumber: `+${ordinary}` }])
  const wrongScope = await verify(sandbox, await phoneToken(sandbox, { scope: share }), { phoneNumber: `+${ordinary}` })
  assert.deepEqual([wrongScope.status, wrongScope.body.code], [403, 'PERMISSION_DENIED'])
  for (const body of [
    {},
    { device: {} },
    { phoneNumber: `+${ordinary}`, hashedPhoneNumber: hashed },
    { phoneNumber: ordinary },
  ]) {
    assert.equal((await verify(sandbox, await phoneToken(sandbox), body)).body.code, 'INVALID_ARGUMENT')
  }
})

test('a phone that the network does not identify brings an error, by the ending of its number', async () => {
  await using sandbox = await testSandbox()
  const endings = {
    '0170': 'login_required',
    '0172': 'login_required',
    '0173': 'consent_required',
    '0140': 'login_required',
  }
  for (const [ending, error] of Object.entries(endings)) {
    const back = await open(sandbox, { login_hint: `tel:+91702014${ending}` })
    assert.deepEqual([back.get('error'), back.get('code'), back.get('state')], [error, null, 'the-state'], ending)
  }
  assert.equal((await open(sandbox, { login_hint: undefined })).get('error'), 'login_required')

  const another = await phoneToken(sandbox, { login_hint: 'tel:+917020140171' })
  const answer = await verify(sandbox, another, { phoneNumber: '+917020140171' })
  assert.deepEqual(answer.body, { devicePhoneNumberVerified: false })
  const otherwise = await phoneToken(sandbox, { login_hint: 'tel:+917020140174' })
  const refused = await verify(sandbox, otherwise, { phoneNumber: '+917020140174' })
  assert.deepEqual(
    [refused.status, refused.body.code],
    [403, 'NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK'],
  )
})

test('a phone that a test sets for an IP address wins over the hint', async () => {
  await using sandbox = await testSandbox()
  const set = (phone: object) => sandbox.send('PUT', '/sandbox/phones/127.0.0.1', phone)
  assert.equal((await set({ number: '917020141799', connection: 'mobile' })).status, 200)
  const answer = await verify(sandbox, await phoneToken(sandbox), { phoneNumber: `+${ordinary}` })
  assert.deepEqual(answer.body, { devicePhoneNumberVerified: false })

  await set({ number: ordinary, connection: 'wifi' })
  assert.equal((await open(sandbox)).get('error'), 'login_required')
  assert.equal((await sandbox.get('/sandbox/phones')).body.phones.length, 1)
  assert.equal((await sandbox.send('DELETE', '/sandbox/phones/127.0.0.1')).status, 204)
  assert.ok((await open(sandbox)).get('code'))

  for (const [address, phone] of [
    ['elsewhere', { number: ordinary, connection: 'wifi' }],
    ['127.0.0.1', { number: '12', connection: 'wifi' }],
    ['127.0.0.1', { number: ordinary, connection: 'cable' }],
  ] as const) {
    assert.equal((await sandbox.send('PUT', `/sandbox/phones/${address}`, phone)).status, 400)
  }
})

test('a code is worth nothing to another client, URL or verifier, later, or twice', async () => {
  await using sandbox = await testSandbox()
  const refusal = async (code: string | null, changes: Record<string, string> = {}) =>
    (await exchange(sandbox, code, changes)).body.error
  assert.equal(await refusal((await open(sandbox)).get('code'), { code_verifier: 'another' }), 'invalid_grant')
  assert.equal(
    await refusal((await open(sandbox)).get('code'), { redirect_uri: 'https://evil.example' }),
    'invalid_grant',
  )
  const code = (await open(sandbox)).get('code')
  await exchange(sandbox, code)
  assert.equal(await refusal(code), 'invalid_grant')
  const late = (await open(sandbox)).get('code')
  sandbox.passMs(61_000)
  assert.equal(await refusal(late), 'invalid_grant')
  const foreign = (await open(sandbox, { client_id: 'keyed' })).get('code')
  assert.equal(await refusal(foreign), 'invalid_grant')
})

test('a wrong request is not redirected to a URL that the client has not registered', async () => {
  const clients = [{ clientId: 'plain', clientSecret: 'secret', redirectUris: [redirectUri] }]
  await using sandbox = await testSandbox({ clients })
  const status = async (query: Record<string, string>) =>
    (await sandbox.get(`/oauth2/authorize?${new URLSearchParams(query)}`)).status
  assert.equal(await status({}), 400)
  assert.equal(await status({ client_id: 'plain' }), 400)
  assert.equal(await status({ client_id: 'plain', redirect_uri: 'https://evil.example/' }), 400)
  assert.equal(await status({ client_id: 'plain', redirect_uri: 'javascript:alert(1)' }), 400)
  assert.equal((await open(sandbox, { response_type: 'token' })).get('error'), 'unsupported_response_type')
  assert.equal((await open(sandbox, { scope: scope.replace('openid ', '') })).get('error'), 'invalid_scope')
  assert.equal((await open(sandbox, { code_challenge_method: 'plain' })).get('error'), 'invalid_request')
})

test('a token that belongs to no phone verifies nothing', async () => {
  await using sandbox = await testSandbox()
  const token = await sandbox.token('dpv:FraudPreventionAndDetection number-verification:verify')
  const answer = await verify(sandbox, token, { phoneNumber: `+${ordinary}` })
  assert.deepEqual(
    [answer.status, answer.body.code],
    [403, 'NUMBER_VERIFICATION.USER_NOT_AUTHENTICATED_BY_MOBILE_NETWORK'],
  )
})

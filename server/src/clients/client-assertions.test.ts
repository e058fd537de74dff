// May a client authenticate with a key pair at the token endpoint of the CAMARA API, once for each assertion, and nobody else?

import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { dropAssertions } from './assertion-retention.ts'
import { assertionType } from './client-assertions.ts'
import { addPublicKey, removePublicKey } from './public-keys.ts'

const tokenPath = '/camara/oauth2/token'
const scope = 'dpv:FraudPreventionAndDetection sim-swap:check'
const pem = (key: KeyObject) => String(key.export({ format: 'pem', type: 'spki' }))

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync('ed25519'),
} as const
type Algorithm = keyof typeof pairs

interface Claims {
  [name: string]: unknown
}

async function withKey(service: TestService, algorithm: Algorithm = 'ES256') {
  const { parts: needs, tenantId } = service
  const client = await needs.clients.createClient(tenantId, 'partner')
  const { keyId } = await addPublicKey(needs, client.clientId, pem(pairs[algorithm].publicKey))
  return { ...client, keyId }
}

function claimsOf({ url, clock }: TestService, clientId: string): Claims {
  const now = Math.floor(clock.now() / 1000)
  return { iss: clientId, sub: clientId, aud: url + tokenPath, iat: now, exp: now + 60, jti: randomUUID() }
}

const signed = (claims: Claims, algorithm: Algorithm = 'ES256', key: KeyObject = pairs[algorithm].privateKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: algorithm }).sign(key)

async function ask(url: string, assertion: string, more: Record<string, string> = {}, headers = {}) {
  const form = { grant_type: 'client_credentials', scope, client_assertion_type: assertionType }
  const body = new URLSearchParams({ ...form, client_assertion: assertion, ...more })
  const response = await fetch(url + tokenPath, { method: 'POST', headers, body })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects
  return { status: response.status, body: (await response.json()) as any }
}

async function swapped(url: string, token: string) {
  const response = await fetch(`${url}/sim-swap/v2/check`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ phoneNumber: '+917020140110' }),
  })
  return { status: response.status, body: await response.json() }
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('an assertion gives a token that works, for each kind of key, until the key is removed'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { url, parts: needs } = service
    for (const algorithm of Object.keys(pairs) as Algorithm[]) {
      const { clientId, keyId } = await withKey(service, algorithm)
      const { status, body } = await ask(url, await signed(claimsOf(service, clientId), algorithm), {})
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(await swapped(url, body.access_token), { status: 200, body: { swapped: true } })
      assert.equal(await removePublicKey(needs.database, clientId, keyId), true)
      const after = await ask(url, await signed(claimsOf(service, clientId), algorithm))
      assert.deepEqual([after.status, after.body.error], [401, 'invalid_client'])
    }
  })

  test(it('an assertion works once, also at two servers at the same time and after a restart'), async (t) => {
    const database = await open(t)
    const settings = { masterKey: randomBytes(32).toString('base64') }
    const [one, two] = [
      await startTestService(t, database, { settings }),
      await startTestService(t, database, { settings }),
    ]
    const { clientId } = await withKey(one)
    const jti = randomUUID()
    const claims = { ...claimsOf(one, clientId), jti, aud: [`${one.url}/camara`, `${two.url}/camara`] }
    const assertion = await signed(claims)
    const answers = await Promise.all([0, 1, 2, 3].map((at) => ask(at % 2 === 0 ? one.url : two.url, assertion)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    assert.match(answers.find(({ status }) => status === 401)!.body.error_description, /jti was used before/)
    // Another client may choose the same jti.
    const other = await withKey(one, 'PS256')
    const same = { ...claimsOf(one, other.clientId), jti }
    assert.equal((await ask(one.url, await signed(same, 'PS256'))).status, 200)

    const count = async () => (await database.query('select assertion_hash from client_assertion', [])).length
    await dropAssertions(one.parts)
    assert.equal(await count(), 2)
    one.clock.advance({ seconds: 600 })
    await dropAssertions(one.parts)
    assert.equal(await count(), 0)
    assert.match((await ask(one.url, assertion)).body.error_description, /has expired/)
  })

  test(it('a revoked, expired or restricted client gets no token by its assertion'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { url, parts: needs, clock } = service
    const free = { scopes: null, allowedIps: null, expiresAt: null, role: null }
    const { clientId } = await withKey(service)
    const now = async () => ask(url, await signed(claimsOf(service, clientId)))
    await needs.clients.restrict(clientId, { ...free, scopes: 'lists' })
    assert.equal((await now()).body.error, 'unauthorized_client')
    await needs.clients.restrict(clientId, { ...free, allowedIps: '203.0.113.0/24' })
    assert.equal((await now()).body.error, 'unauthorized_client')
    await needs.clients.restrict(clientId, { ...free, expiresAt: clock.now() + 1000 })
    assert.equal((await now()).status, 200)
    clock.advance({ seconds: 1 })
    assert.deepEqual([(await now()).status, (await now()).body.error], [401, 'invalid_client'])
    await needs.clients.restrict(clientId, free)
    await needs.clients.revoke(clientId)
    assert.deepEqual([(await now()).status, (await now()).body.error], [401, 'invalid_client'])
  })
})

const { open } = sqliteDatabases

test('an assertion is refused with what is wrong, and only the holder of the key learns that', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { wrongCredentialsPerMinute: 1000 } })
  const { url, clock } = service
  const { clientId } = await withKey(service)
  const now = Math.floor(clock.now() / 1000)
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const noKey = /no public key of the client in iss verifies its signature/
  const cases: [Claims, RegExp][] = [
    [{ aud: 'https://elsewhere.example/token' }, /aud must be the token endpoint or the issuer/],
    [{ aud: undefined }, /aud must be/],
    [{ sub: 'rfc_other' }, /sub must be the clientId/],
    [{ exp: now + 311 }, /exp must be at most 300 seconds ahead/],
    [{ exp: now + 200, iat: now - 101 }, /exp must be at most 300 seconds after iat/],
    [{ exp: now - 11 }, /has expired/],
    [{ exp: undefined }, /exp is missing/],
    [{ iat: now + 20 }, /iat is in the future/],
    [{ nbf: now + 20 }, /not valid yet/],
    [{ jti: undefined }, /jti is missing/],
    [{ jti: '' }, /jti must be a text/],
    [{ jti: 'x'.repeat(257) }, /jti must be a text/],
    [{ jti: 7 }, /jti/],
    [{ iss: 'rfc_unknown' }, noKey],
    [{ iss: undefined }, noKey],
  ]
  for (const [wrong, message] of cases) {
    const { status, body } = await ask(url, await signed({ ...claimsOf(service, clientId), ...wrong }))
    assert.deepEqual([status, body.error], [401, 'invalid_client'], JSON.stringify(wrong))
    assert.match(body.error_description, message)
    const guessed = await ask(url, await signed({ ...claimsOf(service, clientId), ...wrong }, 'ES256', stranger))
    assert.match(guessed.body.error_description, noKey, JSON.stringify(wrong))
  }

  const claims = claimsOf(service, clientId)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const secret = new TextEncoder().encode(pem(pairs.ES256.publicKey))
  for (const forged of [
    `${part({ alg: 'none' })}.${part(claims)}.`,
    await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret),
    await signed(claims).then((text) => text.replace(/.{8}$/, 'AAAAAAAA')),
    'a.b.c',
    'x'.repeat(5000),
  ])
    assert.match((await ask(url, forged)).body.error_description, noKey)
  assert.equal((await ask(url, await signed(claims), { client_id: clientId })).status, 200)
})

test('an assertion is one of the ways to authenticate, and never goes with another one', async (t) => {
  const service = await startTestService(t, await open(t))
  const { url } = service
  const { clientId, clientSecret } = await withKey(service)
  const fresh = () => signed(claimsOf(service, clientId))
  const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  for (const [more, headers, message] of [
    [{ client_id: clientId, client_secret: clientSecret }, {}, /only once/],
    [{}, { authorization }, /only once/],
    [{ client_assertion_type: 'urn:other' }, {}, /client_assertion_type must be/],
    [{ client_id: 'rfc_other' }, {}, /client_id is not iss/],
  ] as const) {
    const { status, body } = await ask(url, await fresh(), more, headers)
    assert.ok(status === 400 || status === 401, JSON.stringify(body))
    assert.match(body.error_description, message)
  }
  // Elsewhere it is an unknown field.
  const body = new URLSearchParams({
    client_assertion: await fresh(),
    client_assertion_type: assertionType,
    token: 'x',
  })
  assert.equal((await fetch(`${url}/auth/v1/validate/token`, { method: 'POST', body })).status, 401)
})

test('whoever guesses is limited, and the client that was right before is not', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { wrongCredentialsPerMinute: 5 } })
  const { url } = service
  const [known, late] = [await withKey(service), await withKey(service, 'PS256')]
  const right = async () => ask(url, await signed(claimsOf(service, known.clientId)))
  assert.equal((await right()).status, 200)
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const statuses = []
  for (let guess = 0; guess < 8; guess++) {
    const claims = claimsOf(service, late.clientId)
    statuses.push((await ask(url, await signed(claims, 'ES256', stranger))).status)
  }
  assert.ok(statuses.includes(429), String(statuses))
  assert.equal((await right()).status, 200)
})

test('whoever knows the clientId of a client that was right guesses no more than others from another network', async (t) => {
  const service = await startTestService(t, await open(t), {
    settings: { wrongCredentialsPerMinute: 5, trustedProxies: '127.0.0.1' },
  })
  const { url } = service
  const { clientId } = await withKey(service)
  const from = (ip: string) => ({ 'x-forwarded-for': ip })
  const right = async (ip: string) => (await ask(url, await signed(claimsOf(service, clientId)), {}, from(ip))).status
  assert.equal(await right('198.51.100.9'), 200)
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const guess = async () =>
    (await ask(url, await signed(claimsOf(service, clientId), 'ES256', stranger), {}, from('203.0.113.7'))).status
  for (let each = 0; each < 5; each++) assert.equal(await guess(), 401)
  assert.equal(await guess(), 429)
  // Refused before its signature is verified: the right one is too.
  assert.equal(await right('203.0.113.7'), 429)
  assert.equal(await right('198.51.100.9'), 200)
})

test('openid-client and oauth4webapi find the endpoint, sign, get a token and ask with it', async (t) => {
  const service = await startTestService(t, await open(t))
  const { url } = service
  // Their clock cannot be set, so that the one of the service is theirs.
  const setClock = () => service.clock.advance({ ms: Date.now() - service.clock.now() })
  const { clientId } = await withKey(service)
  const der = pairs.ES256.privateKey.export({ format: 'der', type: 'pkcs8' })
  const key = await crypto.subtle.importKey('pkcs8', der, { name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign'])
  const found = await openid.discovery(new URL(`${url}/camara`), clientId, undefined, openid.PrivateKeyJwt(key), {
    execute: [openid.allowInsecureRequests],
  })
  setClock()
  const { access_token: first } = await openid.clientCredentialsGrant(found, { scope })
  assert.deepEqual(await swapped(url, first), { status: 200, body: { swapped: true } })

  const as = { issuer: `${url}/camara`, token_endpoint: url + tokenPath }
  setClock()
  const response = await oauth.clientCredentialsGrantRequest(
    ...([
      as,
      { client_id: clientId },
      oauth.PrivateKeyJwt(key),
      { scope },
      { [oauth.allowInsecureRequests]: true },
    ] as const),
  )
  const { access_token: second } = await oauth.processClientCredentialsResponse(as, { client_id: clientId }, response)
  assert.deepEqual(await swapped(url, second), { status: 200, body: { swapped: true } })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Identity } from '@ringfence/contract'
import { createRemoteJWKSet, decodeJwt, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { contactClaims } from './contact-claims.ts'
import type { SignedIn } from './id-token.ts'

const mobile: Identity = {
  identityType: 'MOBILE',
  identityValue: '917020141726',
  channel: 'OTP',
  methods: ['SMS'],
  verified: true,
  verifiedAt: '2026-03-01T11:59:58Z',
}
const email: Identity = { ...mobile, identityType: 'EMAIL', identityValue: 'asha@example.com', methods: ['EMAIL'] }
const signedIn: SignedIn = {
  appId: 'rfa_app',
  userId: 'user-1',
  signedInAt: Date.parse('2026-03-01T11:59:58Z'),
  identities: [mobile, email],
  nonce: 'n-1',
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever fields it expects
const read = async (url: string): Promise<any> => (await fetch(url)).json()

/** Verifies like any client, knowing only the issuer. */
async function verifier({ url, clock }: TestService) {
  const metadata = await read(`${url}/.well-known/openid-configuration`)
  const keys: JWTVerifyGetKey = createRemoteJWKSet(new URL(metadata.jwks_uri), { cooldownDuration: 0 })
  return {
    metadata,
    verify: (token: string, audience = 'rfa_app') =>
      jwtVerify(token, keys, {
        issuer: metadata.issuer,
        audience,
        algorithms: metadata.id_token_signing_alg_values_supported,
        currentDate: new Date(clock.now()),
      }),
  }
}

eachDatabase(({ engine, open }) => {
  test(`an id token can be verified with discovery alone, and expires after 300 seconds (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { clock, parts: needs, url } = service
    const { metadata, verify } = await verifier(service)
    assert.equal(metadata.issuer, url)
    const token = await needs.idTokens.sign({ ...signedIn, profile: { name: 'Asha', iss: 'https://evil.example' } })
    const { payload, protectedHeader } = await verify(token)
    const at = Math.floor(clock.now() / 1000)
    assert.equal(protectedHeader.alg, 'RS256')
    assert.deepEqual(payload, {
      iss: url,
      sub: 'user-1',
      name: 'Asha',
      aud: 'rfa_app',
      iat: at,
      exp: at + 300,
      auth_time: at - 2,
      nonce: 'n-1',
      amr: ['otp', 'sms'],
      phone_number: '+917020141726',
      phone_number_verified: true,
      country_code: '+91',
      national_phone_number: '7020141726',
      email: 'asha@example.com',
      email_verified: true,
    })
    clock.advance({ seconds: 301 })
    await assert.rejects(verify(token), { code: 'ERR_JWT_EXPIRED' })
  })

  test(`signs with ES256 when configured (${engine})`, async (t) => {
    const database = await open(t)
    const first = await startTestService(t, database, { settings: { idTokenAlgorithm: 'ES256' } })
    const { metadata, verify } = await verifier(first)
    assert.deepEqual(metadata.id_token_signing_alg_values_supported, ['ES256'])
    assert.equal((await verify(await first.parts.idTokens.sign(signedIn))).protectedHeader.alg, 'ES256')
  })
})

test('the issuer is AUTH_URL, otherwise BASE_URL, and both can be set', async (t) => {
  const { open } = sqliteDatabases
  const baseUrl = 'https://api.shop.example'
  for (const [settings, issuer] of [
    [{ baseUrl }, baseUrl],
    [{ baseUrl, authUrl: 'https://login.shop.example' }, 'https://login.shop.example'],
  ] as const) {
    const { url, parts: needs } = await startTestService(t, await open(t), { settings })
    const metadata = await read(`${url}/.well-known/openid-configuration`)
    assert.equal(metadata.issuer, issuer)
    assert.equal(metadata.jwks_uri, `${issuer}/.well-known/jwks.json`)
    assert.equal(decodeJwt(await needs.idTokens.sign(signedIn)).iss, issuer)
  }
})

test('a client that exchanges a code is a second audience, and azp names it', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const { verify } = await verifier(service)
  const token = await service.parts.idTokens.sign({ ...signedIn, clientId: 'rfc_shop' })
  const { payload } = await verify(token, 'rfc_shop')
  assert.deepEqual([payload.aud, payload.azp], [['rfc_shop', 'rfa_app'], 'rfc_shop'])
  await assert.rejects(verify(token, 'rfa_other'), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' })
})

test('a token that was changed, or signed by another service, fails verification', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const other = await startTestService(t, await sqliteDatabases.open(t), { settings: { authUrl: service.url } })
  const { verify } = await verifier(service)
  const token = await service.parts.idTokens.sign(signedIn)
  const [header, , signature] = token.split('.')
  const forged = Buffer.from(JSON.stringify({ ...decodeJwt(token), sub: 'user-2' })).toString('base64url')
  await assert.rejects(verify(`${header}.${forged}.${signature}`), { code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED' })
  await assert.rejects(verify(await other.parts.idTokens.sign(signedIn)), { code: 'ERR_JWKS_NO_MATCHING_KEY' })
  await verify(token)
})

test('discovery and keys can be cached for minutes and read by any page, and contain no private key', async (t) => {
  const { url } = await startTestService(t, await sqliteDatabases.open(t))
  for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
    const { headers } = await fetch(url + path)
    assert.equal(headers.get('cache-control'), 'public, max-age=600')
    assert.equal(headers.get('access-control-allow-origin'), '*')
  }
  const { keys } = await read(`${url}/.well-known/jwks.json`)
  assert.deepEqual(Object.keys(keys[0]).sort(), ['alg', 'e', 'kid', 'kty', 'n', 'use'])
})

test('the claims of email address and phone number say whether they are verified', () => {
  const unverified = { ...mobile, identityValue: '917020141727', verified: false }
  assert.deepEqual(contactClaims([unverified]), {
    phone_number: '+917020141727',
    phone_number_verified: false,
    country_code: '+91',
    national_phone_number: '7020141727',
  })
  assert.equal(contactClaims([unverified, mobile]).phone_number, '+917020141726')
  assert.deepEqual(contactClaims([]), {})
})

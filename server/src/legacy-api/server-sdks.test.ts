// Do backends that use otpless-node-js-auth-sdk 1.0.8 go on when only the host changes? next-sdk.test.ts runs the one for Next.js.
// It has no licence, so it is no dependency: these are its requests, field by field, and what it reads of the answers.

import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { JWK } from 'jose'
import {
  email,
  mobile,
  pressButton,
  redirectUrl,
  startSignInService,
} from '../sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '../testing/databases.ts'

const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** axios sends these headers with every request. */
const ofAxios = { Accept: 'application/json, text/plain, */*', 'User-Agent': 'axios/1.6.0' }

async function startSdk(t: TestContext) {
  const service = await startSignInService(t, await sqliteDatabases.open(t))
  const { url, credentials } = service
  const own = { client_id: credentials.clientId, client_secret: credentials.clientSecret }
  async function call(path: string, init: { method?: string; headers?: Record<string, string>; body?: string }) {
    const at = path.startsWith('http') ? path : url + path
    const response = await fetch(at, { ...init, headers: { ...ofAxios, ...init.headers } })
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any field that the SDK reads
    return { status: response.status, data: (await response.json()) as any }
  }
  const get = (path: string, headers: Record<string, string> = {}) => call(path, { headers })
  const postForm = (path: string, fields: Record<string, string>) =>
    call(path, { method: 'POST', headers: asForm, body: new URLSearchParams(fields).toString() })
  const postJson = (path: string, data: object) => {
    const { clientId, clientSecret } = credentials
    const headers = { clientId, clientSecret, 'Content-Type': 'application/json' }
    return call(path, { method: 'POST', headers, body: JSON.stringify(data) })
  }
  /** It takes the first published key, whatever the token names, and checks signature and issuer. */
  async function decodeIdToken(idToken: string) {
    const configuration = (await get('/.well-known/openid-configuration', asForm)).data
    const [key] = (await get(configuration.jwks_uri, asForm)).data.keys as [JWK]
    const [header = '', payload = '', signature = ''] = idToken.split('.')
    const rsa = createPublicKey({ key: { kty: 'RSA', n: key.n!, e: key.e! }, format: 'jwk' })
    const signed = Buffer.from(`${header}.${payload}`)
    assert.ok(verify('sha256', signed, rsa, Buffer.from(signature, 'base64url')))
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    assert.equal(claims.iss, configuration.issuer)
    return { claims, configuration }
  }
  return { ...service, own, get, postForm, postJson, decodeIdToken }
}

test('magicLink, then verifyCode without grant_type and redirect_uri, then decodeIdToken with the first key', async (t) => {
  const sdk = await startSdk(t)
  const query = new URLSearchParams({ ...sdk.own, email: email.value, channel: 'EMAIL', redirect_uri: redirectUrl })
  const sent = await sdk.get(`/auth/v1/authorize?${query}`)
  assert.equal(sent.status, 200, JSON.stringify(sent.data))
  assert.equal(sent.data.requestIds[0].type, 'EMAIL')
  const { response } = await pressButton(sdk.link())
  const code = new URL(response.headers.get('location')!).searchParams.get('code')!
  const { token_endpoint: tokenEndpoint } = (await sdk.get('/.well-known/openid-configuration', asForm)).data
  const exchanged = await sdk.postForm(tokenEndpoint, { code, ...sdk.own })
  assert.equal(exchanged.status, 200)
  const { claims } = await sdk.decodeIdToken(exchanged.data.id_token)
  assert.equal(claims.email, email.value)
  assert.ok(Number(claims.auth_time) > 0)

  const wrong = await sdk.get(`/auth/v1/authorize?${new URLSearchParams(sdk.own)}`)
  assert.ok(wrong.status >= 400 && typeof wrong.data === 'object', 'it returns the body as error')
})

test('sendOTP, resendOTP and verifyOTP with texts for numbers, and message for what is refused', async (t) => {
  const sdk = await startSdk(t)
  const orderId = 'Otp_0123456789ABCDEF'
  const sent = await sdk.postJson('/auth/otp/v1/send', {
    phoneNumber: `+${mobile.value}`,
    channel: 'SMS',
    hash: 'asdf',
    orderId,
    expiry: '60',
    otpLength: '6',
  })
  assert.deepEqual([sent.status, sent.data.orderId], [200, orderId])
  const early = await sdk.postJson('/auth/otp/v1/resend', { orderId })
  assert.ok(early.status >= 400 && early.data.message.length > 0)
  sdk.clock.advance({ seconds: 31 })
  assert.equal((await sdk.postJson('/auth/otp/v1/resend', { orderId })).data.orderId, orderId)
  const verification = (otp: string) =>
    sdk.postJson('/auth/otp/v1/verify', { orderId, otp, phoneNumber: `+${mobile.value}` })
  const wrong = (await verification('000000')).data
  assert.deepEqual([wrong.isOTPVerified, typeof wrong.reason], [false, 'string'])
  assert.equal((await verification(sdk.otp())).data.isOTPVerified, true)
})

test('verifyToken sends a form, and reads the user from the top level of the answer, or message', async (t) => {
  const sdk = await startSdk(t)
  const { transactionId } = (await sdk.start()).body
  const { token, idToken } = (await sdk.verify(transactionId, { otp: sdk.otp() })).body
  const { status, data } = await sdk.postForm('/auth/userInfo', { token, ...sdk.own })
  assert.deepEqual([status, data.phone_number, data.country_code], [200, `+${mobile.value}`, '+91'])
  assert.equal(data.national_phone_number, mobile.value.slice(2))
  const { claims } = await sdk.decodeIdToken(idToken)
  assert.deepEqual(
    [claims.phone_number, claims.country_code, claims.national_phone_number],
    [data.phone_number, data.country_code, data.national_phone_number],
  )
  const refused = await sdk.postForm('/auth/userInfo', { token: 'unknown', ...sdk.own })
  assert.ok(refused.status >= 400 && refused.data.message.length > 0)
})

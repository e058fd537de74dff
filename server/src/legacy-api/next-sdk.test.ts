// Does otpless-next-js-auth-sdk 1.0.10 work unchanged when an interceptor rewrites its host? Every method of its README.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { type TestContext, test } from 'node:test'
import {
  anotherOtp,
  email,
  mobile,
  pressButton,
  redirectUrl,
  startSignInService,
} from '../sign-in/authentication/testing/sign-in-service.ts'
import { eachDatabase, type TestDatabases } from '../testing/databases.ts'
import { sdkClient } from '../testing/sdk-client.ts'

const methods = [
  'decodeIdToken',
  'magicLink',
  'resendOTP',
  'sendOTP',
  'verifyCode',
  'verifyOTP',
  'verifyToken',
] as const
type Sdk = Record<(typeof methods)[number], (...words: unknown[]) => Promise<Record<string, unknown>>>
interface AxiosRequest {
  url: string
  proxy?: false
}

const place = createRequire(import.meta.url).resolve('otpless-next-js-auth-sdk')
const requireOfSdk = createRequire(place)
const sdk = requireOfSdk(place) as Sdk
const { interceptors } = requireOfSdk('axios')

/** The service at the real time, by which the SDK verifies id tokens, and the credentials as its methods take them. */
async function startBehindSdk(t: TestContext, open: TestDatabases['open']) {
  const service = await startSignInService(t, await open(t))
  service.clock.advance({ ms: Date.now() - service.clock.now() })
  const rewriting = interceptors.request.use((request: AxiosRequest) => {
    const { hostname, pathname } = new URL(request.url)
    const isTheirs = /(^|\.)otpless\.(com|app)$/.test(hostname)
    return { ...request, proxy: false, ...(isTheirs && { url: service.url + pathname }) }
  })
  t.after(() => interceptors.request.eject(rewriting))
  const { clientId, clientSecret } = service.credentials
  return { ...service, own: [clientId, clientSecret] as const }
}

test('every method of the SDK has a call here', () => assert.deepEqual(Object.keys(sdk).sort(), [...methods]))

eachDatabase(({ engine, open }) => {
  test(`magicLink, then verifyCode (${engine})`, async (t) => {
    const { own, link } = await startBehindSdk(t, open)
    const sent = await sdk.magicLink(undefined, email.value, redirectUrl, 'EMAIL', ...own)
    assert.equal(sent.success, true, JSON.stringify(sent))
    const { response } = await pressButton(link())
    const code = new URL(response.headers.get('location')!).searchParams.get('code')
    const user = await sdk.verifyCode(code, ...own)
    assert.deepEqual([user.success, user.email], [true, email.value])
    assert.ok(Number(user.authTime) > 0)
    await assert.rejects(sdk.verifyCode(code, ...own), 'a code is accepted once')
    const refused = await sdk.magicLink(undefined, email.value, 'https://evil.example/', 'EMAIL', ...own)
    assert.equal(refused.success, false)
  })

  test(`sendOTP, resendOTP and verifyOTP (${engine})`, async (t) => {
    const { own, otp, clock } = await startBehindSdk(t, open)
    const [orderId, number] = ['Otp_0123456789ABCDEF', `+${mobile.value}`]
    const send = (phone: string) => sdk.sendOTP(phone, '', 'SMS', 'asdf', orderId, '60', '6', ...own, 'template-1')
    const sent = await send(number)
    assert.deepEqual([sent.success, sent.orderId, typeof sent.refId], [true, orderId, 'string'])
    assert.equal(otp().length, 6)
    const early = await sdk.resendOTP(orderId, ...own)
    assert.equal(early.success, false)
    assert.match(String(early.errorMessage), /\w/)
    clock.advance({ seconds: 31 })
    assert.equal((await sdk.resendOTP(orderId, ...own)).orderId, orderId)
    const wrong = await sdk.verifyOTP('', number, orderId, anotherOtp(otp()), ...own)
    assert.deepEqual([wrong.success, wrong.isOTPVerified, typeof wrong.reason], [false, false, 'string'])
    const right = await sdk.verifyOTP('', number, orderId, otp(), ...own)
    assert.deepEqual([right.success, right.isOTPVerified], [true, true])
    const invalid = await send('12')
    assert.equal(invalid.success, false)
    assert.match(String(invalid.errorMessage), /phone/i)
  })

  test(`verifyToken and decodeIdToken (${engine})`, async (t) => {
    const { own, ...service } = await startBehindSdk(t, open)
    const page = await sdkClient(service, { app: service.app })
    const { transactionId } = (await service.start({}, page)).body
    const { token, idToken } = (await service.verify(transactionId, { otp: service.otp() }, page)).body
    const user = await sdk.verifyToken(token, ...own)
    assert.deepEqual([user.success, user.phone_number], [true, `+${mobile.value}`])
    const decoded = await sdk.decodeIdToken(idToken, ...own)
    assert.deepEqual([decoded.phoneNumber, decoded.setCountryCode], [`+${mobile.value}`, '+91'])
    assert.equal(decoded.setNationalPhoneNumber, mobile.value.slice(2))
    await assert.rejects(sdk.verifyToken('unknown', ...own), { message: 'Invalid Request' })
    await assert.rejects(sdk.decodeIdToken(`${idToken}x`, ...own), { message: /JWT verification failed/ })
  })
})

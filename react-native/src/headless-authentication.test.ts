import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headlessAuthentication, SignInError } from './headless-authentication.ts'
import type { Spec } from './NativeRingfenceDeviceIntelligence.ts'

type Result = [value: { [name: string]: unknown } | null, failure: { [name: string]: unknown } | null]

/** A native module that records its calls, and calls back later, as React Native does. */
function native(...results: Result[]) {
  const calls: unknown[] = []
  const answered =
    (name: string) =>
    (...args: unknown[]) => {
      const callback = args.pop() as (...result: unknown[]) => void
      calls.push([name, ...args])
      queueMicrotask(() => callback(...(results.shift() ?? [true])))
    }
  const names = [
    'initializeSignIn',
    'startSignIn',
    'resendSignIn',
    'verifySignIn',
    'signInStatus',
    'openNumberVerification',
  ]
  const module = Object.fromEntries(names.map((name) => [name, answered(name)]))
  const setBaseURL = (url: string) => calls.push(['setBaseURL', url])
  return { calls, sdk: headlessAuthentication({ ...module, setBaseURL } as unknown as Spec) }
}

test('an app signs a person in with an OTP: each call gives the native module what it was given, and null for the rest', async () => {
  const user = { token: 't', userId: 'u1' }
  const { calls, sdk } = native(
    [{ transactionId: 'a', channel: 'OTP' }, null],
    [{ transactionId: 'a', channel: 'OTP' }, null],
    [user, null],
  )
  const request = {
    channel: 'OTP',
    identity: { type: 'MOBILE', value: '917020141726' },
    deviceFingerprintMode: 'ASYNC',
    params: { orderId: 'A-1', call() {} },
    updateInfo: { userEventType: 'LOGIN' },
  } as const
  assert.equal((await sdk.start(request)).transactionId, 'a')
  await sdk.resend()
  assert.deepEqual(await sdk.verify({ otp: '123456' }), user)
  assert.deepEqual(calls, [
    ['startSignIn', { ...request, params: { orderId: 'A-1' } }],
    ['resendSignIn', null],
    ['verifySignIn', '123456', null, null],
  ])
})

test('an app finishes with the URL that opened it, or polls', async () => {
  const { calls, sdk } = native([{ token: 't', userId: 'u1' }, null], [{ status: 'PENDING' }, null])
  await sdk.verify({ code: 'c', transactionId: 'a' })
  assert.deepEqual(await sdk.status('a'), { status: 'PENDING' })
  assert.deepEqual(calls, [
    ['verifySignIn', null, 'c', 'a'],
    ['signInStatus', 'a'],
  ])
})

test('an app opens the URL of a Number Verification, and gets what its operator returned', async () => {
  const returned = { state: 's', code: 'c', iss: 'https://operator.example' }
  const { calls, sdk } = native([returned, null])
  assert.deepEqual(await sdk.openNumberVerification('https://operator.example/verify'), returned)
  assert.deepEqual(calls, [['openNumberVerification', 'https://operator.example/verify']])
})

test('initialize sets the URL and returns the result of the SDK', async () => {
  const { calls, sdk } = native()
  assert.equal(await sdk.initialize('rfa_x', { baseUrl: 'https://ringfence.example' }), true)
  assert.deepEqual(calls, [
    ['setBaseURL', 'https://ringfence.example'],
    ['initializeSignIn', 'rfa_x'],
  ])
})

test('every failure is a SignInError with what the SDK knows', async () => {
  const failure = { code: 'refused', message: 'Too early', status: 429, errorCode: '7122', retryAfterSeconds: 20 }
  const { sdk } = native([null, failure])
  await assert.rejects(sdk.resend(), (error) => {
    assert.ok(error instanceof SignInError)
    assert.deepEqual([error.code, error.message, error.failure], ['refused', 'Too early', failure])
    return true
  })
})

test('without a native module, as on the web, initialize returns false and the other calls reject', async () => {
  const sdk = headlessAuthentication(null)
  assert.equal(await sdk.initialize('rfa_x'), false)
  for (const call of [
    sdk.start({ channel: 'OTP' }),
    sdk.resend(),
    sdk.verify({}),
    sdk.status(),
    sdk.openNumberVerification('x'),
  ]) {
    await assert.rejects(call, { name: 'SignInError', code: 'notConfigured' })
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceIntelligence, IntelligenceError } from './device-intelligence.ts'
import type { Spec } from './NativeRingfenceDeviceIntelligence.ts'

/** A native module that records its calls, and calls back later, as React Native does. */
function native(answer: Parameters<Parameters<Spec['fetchIntelligence']>[2]>, success = true) {
  const calls: unknown[] = []
  const module: Partial<Spec> = {
    setBaseURL: (url) => calls.push(['baseURL', url]),
    isInitialized: (callback) => queueMicrotask(() => callback(success)),
    initialize(appId, callback) {
      calls.push(['initialize', appId])
      queueMicrotask(() => callback(success))
    },
    fetchIntelligence(params, updateInfo, callback) {
      calls.push(['fetch', params, updateInfo])
      queueMicrotask(() => callback(...answer))
    },
  }
  return { calls, sdk: deviceIntelligence(module as Spec) }
}

test('4.7 initialize sets the URL and returns the result of the SDK', async () => {
  const { calls, sdk } = native([true, 'd', null, null])
  assert.equal(await sdk.initialize('rfa_x', { baseUrl: 'https://ringfence.example' }), true)
  assert.equal(await sdk.isInitialized(), true)
  assert.deepEqual(calls, [
    ['baseURL', 'https://ringfence.example'],
    ['initialize', 'rfa_x'],
  ])
  const failing = native([false, null, null, ''], false)
  assert.equal(await failing.sdk.initialize('rfa_x'), false)
  assert.deepEqual(failing.calls, [['initialize', 'rfa_x']])
})

test('4.7 fetchIntelligence returns dfrId, and the report if the app reveals it', async () => {
  const { calls, sdk } = native([true, 'd1', null, null])
  assert.deepEqual(await sdk.fetchIntelligence({ orderId: 'A-1' }, { userEventType: 'LOGIN' }), { dfrId: 'd1' })
  const revealed = native([true, 'd2', { vpn: false }, null])
  assert.deepEqual(await revealed.sdk.fetchIntelligence(), { dfrId: 'd2', intelligenceResponse: { vpn: false } })
  assert.deepEqual(
    [calls, revealed.calls],
    [[['fetch', { orderId: 'A-1' }, { userEventType: 'LOGIN' }]], [['fetch', null, null]]],
  )
})

test('drops only the params that JSON cannot represent', async () => {
  const { calls, sdk } = native([true, 'd', null, null])
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  await sdk.fetchIntelligence({ kept: [1, { größe: '' }], nothing: null, gone: undefined, call() {}, big: 1n, cycle })
  assert.deepEqual(calls, [['fetch', { kept: [1, { größe: '' }], nothing: null }, null]])
})

test('7.4 every failure is an IntelligenceError with its code', async () => {
  const failureOf = (message: string | null, dfrId: string | null = null, success = false) =>
    native([success, dfrId, null, message])
      .sdk.fetchIntelligence()
      .then(
        () => assert.fail('it did not fail'),
        (error: unknown) => {
          assert.ok(error instanceof IntelligenceError)
          return [error.code, error.message]
        },
      )
  assert.deepEqual(await failureOf('SDK not initialised'), ['notConfigured', 'SDK not initialised'])
  assert.deepEqual(await failureOf('Rate limit exceeded'), ['intelligenceError', 'Rate limit exceeded'])
  assert.deepEqual(await failureOf(null), ['unknown', 'Unknown intelligence error'])
  assert.deepEqual(await failureOf(null, '', true), ['unknown', 'Unknown intelligence error'])
})

test('without a native module, as on the web, initialize returns false and fetchIntelligence rejects', async () => {
  const sdk = deviceIntelligence(null)
  assert.equal(await sdk.initialize('rfa_x'), false)
  assert.equal(await sdk.isInitialized(), false)
  await assert.rejects(sdk.fetchIntelligence(), { name: 'IntelligenceError', code: 'notConfigured' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceIntelligence, IntelligenceError, type NativeDeviceIntelligence } from './device-intelligence.ts'

/** A native half that notes what it is asked, and calls back later, as the bridge does. */
function native(answer: Parameters<Parameters<NativeDeviceIntelligence['fetchIntelligence']>[2]>, success = true) {
  const asked: unknown[] = []
  const module: NativeDeviceIntelligence = {
    setBaseURL: (url) => asked.push(['baseURL', url]),
    isInitialized: (callback) => queueMicrotask(() => callback(success)),
    initialize(appId, callback) {
      asked.push(['initialize', appId])
      queueMicrotask(() => callback(success))
    },
    fetchIntelligence(params, updateInfo, callback) {
      asked.push(['fetch', params, updateInfo])
      queueMicrotask(() => callback(...answer))
    },
  }
  return { asked, sdk: deviceIntelligence(module) }
}

test('4.7 initialize hands the address over and answers what the SDK answers', async () => {
  const { asked, sdk } = native([true, 'd', null, null])
  assert.equal(await sdk.initialize('rfa_x', { baseUrl: 'https://ringfence.example' }), true)
  assert.equal(await sdk.isInitialized(), true)
  assert.deepEqual(asked, [
    ['baseURL', 'https://ringfence.example'],
    ['initialize', 'rfa_x'],
  ])
  const failing = native([false, null, null, ''], false)
  assert.equal(await failing.sdk.initialize('rfa_x'), false)
  assert.deepEqual(failing.asked, [['initialize', 'rfa_x']])
})

test('4.7 fetchIntelligence answers dfrId, and the report where the app reveals it', async () => {
  const { asked, sdk } = native([true, 'd1', null, null])
  assert.deepEqual(await sdk.fetchIntelligence({ orderId: 'A-1' }, { userEventType: 'LOGIN' }), { dfrId: 'd1' })
  const revealed = native([true, 'd2', { vpn: false }, null])
  assert.deepEqual(await revealed.sdk.fetchIntelligence(), { dfrId: 'd2', intelligenceResponse: { vpn: false } })
  assert.deepEqual(
    [asked, revealed.asked],
    [[['fetch', { orderId: 'A-1' }, { userEventType: 'LOGIN' }]], [['fetch', null, null]]],
  )
})

test('params that JSON cannot hold are dropped, and nothing else', async () => {
  const { asked, sdk } = native([true, 'd', null, null])
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  await sdk.fetchIntelligence({ kept: [1, { größe: '' }], nothing: null, gone: undefined, call() {}, big: 1n, cycle })
  assert.deepEqual(asked, [['fetch', { kept: [1, { größe: '' }], nothing: null }, null]])
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

test('where there is no native module, as on Android, nothing is initialised and nothing throws another error', async () => {
  const sdk = deviceIntelligence(undefined)
  assert.equal(await sdk.initialize('rfa_x'), false)
  assert.equal(await sdk.isInitialized(), false)
  await assert.rejects(sdk.fetchIntelligence(), { name: 'IntelligenceError', code: 'notConfigured' })
})

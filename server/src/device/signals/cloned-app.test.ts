import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { clonedApp } from './cloned-app.ts'

test('an app with another bundle id, or in the data folder of another app, is a clone', () => {
  assert.equal(clonedApp.judge(iphone({ appIntegrity: { bundleId: 'com.example.shop.2' } }))?.verdict.result, true)
  for (const dataFolder of [
    '/data/user/0/com.cloner/virtual/0/data/com.example.shop.android.x',
    '/data/user/0/com.cloner/virtual/0/data/com.example.shop.android',
    '/data/user/0/com.cloner/data/user/0/com.example.shop.android/',
    '/storage/emulated/0/com.example.shop.android',
  ]) {
    assert.equal(clonedApp.judge(androidPhone({ appIntegrity: { dataFolder } }))?.verdict.result, true, dataFolder)
  }
})

test('an ordinary app is not a clone, not even in a work profile or on a card', () => {
  assert.equal(clonedApp.judge(iphone())?.verdict.result, false)
  assert.equal(clonedApp.judge(androidPhone())?.verdict.result, false)
  for (const dataFolder of [
    '/data/data/com.example.shop.android',
    '/data/user/10/com.example.shop.android',
    '/data/user_de/0/com.example.shop.android/',
    '/mnt/expand/57f8f4bc-abf4-655f-bf67-946fc0f9f25b/user/0/com.example.shop.android',
  ]) {
    const appIntegrity = { ...androidPhone().facts.appIntegrity, dataFolder }
    assert.equal(clonedApp.judge(androidPhone({ appIntegrity }))?.verdict.result, false, dataFolder)
  }
  assert.equal(clonedApp.judge({ ...iphone(), facts: {} }), undefined)
})

test('a key whose counter falls back is a copy; another refused proof is none', () => {
  const refused = { state: 'refused', because: 'the counter is 3, and was 7 before' } as const
  const found = clonedApp.judge(iphone({}, { attestation: { ...refused, isClone: true } }))
  assert.deepEqual(found, { verdict: { result: true }, reasons: [`App Attest: ${refused.because}`] })
  assert.equal(
    clonedApp.judge({ ...iphone({}, { attestation: { ...refused, isClone: true } }), facts: {} })?.verdict.result,
    true,
  )
  assert.equal(clonedApp.judge(iphone({}, { attestation: refused }))?.verdict.result, false)
})

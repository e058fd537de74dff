import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { clonedApp } from './cloned-app.ts'

test('an app with another bundle id, or in the data folder of another app, is a clone', () => {
  assert.equal(clonedApp.judge(iphone({ appIntegrity: { bundleId: 'com.example.shop.2' } }))?.verdict.result, true)
  const dataFolder = '/data/user/0/com.cloner/virtual/0/data/com.example.shop.android.x'
  assert.equal(clonedApp.judge(androidPhone({ appIntegrity: { dataFolder } }))?.verdict.result, true)
})

test('an ordinary app is not a clone, not even in a work profile', () => {
  assert.equal(clonedApp.judge(iphone())?.verdict.result, false)
  assert.equal(clonedApp.judge(androidPhone())?.verdict.result, false)
  const dataFolder = '/data/user/10/com.example.shop.android'
  assert.equal(clonedApp.judge(androidPhone({ appIntegrity: { dataFolder } }))?.verdict.result, false)
  assert.equal(clonedApp.judge({ ...iphone(), facts: {} }), undefined)
})

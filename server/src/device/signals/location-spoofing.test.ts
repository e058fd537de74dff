import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { locationSpoofing } from './location-spoofing.ts'

test('a location that the system reports as simulated is fake', () => {
  assert.equal(locationSpoofing.judge(iphone({ location: { isSimulated: true } }))?.verdict.result, true)
  assert.equal(locationSpoofing.judge(androidPhone({ location: { isSimulated: true } }))?.verdict.result, true)
})

test('the location of an accessory is genuine; has no verdict without a location', () => {
  assert.equal(locationSpoofing.judge(iphone())?.verdict.result, false)
  assert.equal(
    locationSpoofing.judge(iphone({ location: { isSimulated: false, isFromAccessory: true } }))?.verdict.result,
    false,
  )
  assert.equal(locationSpoofing.judge(iphone({ location: { latitude: 1, longitude: 2 } })), undefined)
})

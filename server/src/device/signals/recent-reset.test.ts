import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { recentReset } from './recent-reset.ts'

const now = iphone().now
const ago = (days: number) => Math.round(now / 1000 - days * 86_400)
const ofIos = (days: number, isNew: boolean) =>
  recentReset.judge(iphone({ volumeDates: { volume: ago(days) }, keychainId: { isNew } }))?.verdict.result

test('a reset in the last three days with a new keychain is recent', () => {
  assert.equal(ofIos(1, true), true)
  assert.equal(recentReset.judge(androidPhone({ volumeDates: { data: ago(2) } }))?.verdict.result, true)
})

test('an older reset is not recent, nor is a restore that keeps the keychain', () => {
  assert.equal(ofIos(4, true), false)
  assert.equal(ofIos(1, false), false)
  assert.equal(recentReset.judge(iphone())?.verdict.result, false)
  assert.equal(recentReset.judge({ ...iphone(), facts: {} }), undefined)
})

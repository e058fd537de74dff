import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { overlay } from './overlay.ts'

const judged = (touch: object, deviceModel: object = androidPhone().facts.deviceModel!) =>
  overlay.judge(androidPhone({ touch, deviceModel }))?.verdict.result

test('a touch shows a window over the touched place or beside it, and no window', () => {
  assert.equal(judged({ isObscured: true }), true)
  assert.equal(judged({ isObscured: false, isPartiallyObscured: true }), true)
  assert.equal(judged({ isObscured: false, isPartiallyObscured: false }), false)
})

test('before the first touch nothing is known, nor without the flag that Android has since version 10', () => {
  const { touch: _, ...others } = androidPhone().facts
  assert.equal(overlay.judge({ ...androidPhone(), facts: others }), undefined)
  assert.equal(judged({ isPartiallyObscured: false }), undefined)
  assert.equal(judged({ isObscured: false }), undefined)
  assert.equal(judged({ isObscured: false }, {}), undefined, 'of no version')
  assert.equal(judged({ isObscured: false }, { systemVersion: '9' }), false)
  assert.equal(judged({ isObscured: false }, { systemVersion: '10' }), undefined)
})

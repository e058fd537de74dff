import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { mirroredScreen } from './mirrored-screen.ts'

test('detects a screen that is captured, mirrored or presented elsewhere', () => {
  for (const name of ['isCaptured', 'isMirrored', 'isSceneCaptured']) {
    assert.equal(mirroredScreen.judge(iphone({ screenCapture: { [name]: true } }))?.verdict.result, true, name)
  }
  assert.equal(mirroredScreen.judge(androidPhone({ screenCapture: { isMirrored: true } }))?.verdict.result, true)
})

test('an ordinary screen is not mirrored', () => {
  assert.equal(mirroredScreen.judge(iphone())?.verdict.result, false)
  assert.equal(mirroredScreen.judge({ ...iphone(), facts: {} }), undefined)
})

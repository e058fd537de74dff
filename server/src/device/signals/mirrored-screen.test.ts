import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { mirroredScreen } from './mirrored-screen.ts'

test('detects a screen that is captured, mirrored or presented elsewhere', () => {
  for (const name of ['isCaptured', 'isMirrored', 'isSceneCaptured']) {
    assert.equal(mirroredScreen.judge(iphone({ screenCapture: { [name]: true } }))?.verdict.result, true, name)
  }
  for (const screenCapture of [{ isMirrored: true }, { isMirrored: false, isRecorded: true }])
    assert.equal(mirroredScreen.judge(androidPhone({ screenCapture }))?.verdict.result, true)
})

test('Android 15 reports a recording, so without that flag it is not known', () => {
  const judged = (systemVersion: string) => {
    const changes = { screenCapture: { isMirrored: false }, deviceModel: { systemVersion } }
    return mirroredScreen.judge(androidPhone(changes))?.verdict.result
  }
  assert.deepEqual(['14', '15', ''].map(judged), [false, undefined, undefined])
})

test('an ordinary screen is not mirrored', () => {
  assert.equal(mirroredScreen.judge(iphone())?.verdict.result, false)
  assert.equal(mirroredScreen.judge({ ...iphone(), facts: {} }), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { appTampering } from './app-tampering.ts'

const ofIos = (appIntegrity: object, more = {}) => appTampering.judge(iphone({ appIntegrity, ...more }))?.verdict.result

test('an app that is neither encrypted nor profiled, is debugged, or signed for another app was tampered with', () => {
  assert.equal(ofIos({ hasProfile: false, isEncrypted: false }), true)
  assert.equal(ofIos({ hasProfile: false, isEncrypted: true, isDebugged: true }), true)
  assert.equal(ofIos({ hasProfile: true, profileAppId: 'TEAM1.com.thief.shop' }), true)
  const refused = { state: 'refused', because: 'another app made it' } as const
  assert.equal(appTampering.judge(iphone({}, { attestation: refused }))?.verdict.result, true)
})

test('an app of the App Store, a development build and a simulator are not', () => {
  assert.equal(appTampering.judge(iphone())?.verdict.result, false)
  for (const profileAppId of ['TEAM1.com.example.shop', 'TEAM1.*', 'TEAM1.com.example.*']) {
    assert.equal(ofIos({ hasProfile: true, profileAppId, isEncrypted: false, isDebugged: true }), false, profileAppId)
  }
  assert.equal(ofIos({ hasProfile: false, isEncrypted: false }, { simulator: { isTarget: true } }), false)
  assert.equal(appTampering.judge({ ...iphone(), facts: {} }), undefined)
})

test('on Android a certificate that the app’s settings do not name is not the owner’s', () => {
  const signed = (certificates: string[], expectedCertificates?: string[]) =>
    appTampering.judge(
      androidPhone({ appIntegrity: { certificates } }, expectedCertificates && { expectedCertificates }),
    )?.verdict.result
  assert.equal(signed(['ab12'], ['ff00']), true)
  assert.equal(signed(['ab12'], ['AB:12']), false)
  assert.equal(signed(['ab12']), false)
})

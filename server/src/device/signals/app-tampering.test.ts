import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attestationLevels } from '../attestation/android/attested-key.ts'
import type { PlayIntegrity } from '../attestation/android/play-integrity.ts'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { appTampering } from './app-tampering.ts'

const ofIos = (appIntegrity: object, more = {}) =>
  appTampering.judge(iphone({ appIntegrity: { ...iphone().facts.appIntegrity, ...appIntegrity }, ...more }))?.verdict
    .result

test('an app without encryption and profile, under a debugger, or signed for another app is tampered with', () => {
  assert.equal(ofIos({ hasProfile: false, isEncrypted: false }), true)
  assert.equal(ofIos({ hasProfile: false, isEncrypted: true, isDebugged: true }), true)
  assert.equal(ofIos({ hasProfile: true, profileAppId: 'TEAM1.com.thief.shop' }), true)
  const refused = { state: 'refused', because: 'another app made it' } as const
  assert.equal(appTampering.judge(iphone({}, { attestation: refused }))?.verdict.result, true)
})

test('an app of the App Store, a development build and a simulator build are not tampered with', () => {
  assert.equal(appTampering.judge(iphone())?.verdict.result, false)
  for (const profileAppId of ['TEAM1.com.example.shop', 'TEAM1.*', 'TEAM1.com.example.*']) {
    assert.equal(ofIos({ hasProfile: true, profileAppId, isEncrypted: false, isDebugged: true }), false, profileAppId)
  }
  assert.equal(ofIos({ hasProfile: false, isEncrypted: false }, { simulator: { isTarget: true } }), false)
  assert.equal(appTampering.judge({ ...iphone(), facts: {} }), undefined)
})

test('on Android, a certificate that the app’s settings do not list is tampering', () => {
  const signed = (certificates: string[], expectedCertificates?: string[]) =>
    appTampering.judge(
      androidPhone(
        { appIntegrity: { ...androidPhone().facts.appIntegrity, certificates } },
        expectedCertificates && { expectedCertificates },
      ),
    )?.verdict.result
  assert.equal(signed(['ab12'], ['ff00']), true)
  assert.equal(signed(['ab12'], ['AB:12']), false)
  assert.equal(signed(['ab12']), false)
  const { certificates: _, ...unsigned } = androidPhone().facts.appIntegrity!
  const silent = androidPhone({ appIntegrity: unsigned }, { expectedCertificates: ['ff00'] })
  assert.equal(appTampering.judge(silent), undefined)
})

test('on Android, a refused proof of the Keystore key is tampering, and a missing one is not', () => {
  const by = (attestation: object) => appTampering.judge(androidPhone({}, { attestation } as never))
  const { verdict, reasons } = by({ state: 'refused', because: 'its key is of another device' })!
  assert.deepEqual([verdict.result, reasons], [true, ['Keystore key: its key is of another device']])
  assert.equal(by({ state: 'absent' })?.verdict.result, false)
})

test('on Android, a refused attestation is tampering, and no other is', () => {
  for (const level of attestationLevels) {
    const keyAttestation = { level, because: 'made by another app: com.thief', revocations: 'current' } as const
    const { verdict, reasons } = appTampering.judge(androidPhone({}, { keyAttestation })) ?? {}
    const isRefused = level === 'refused'
    assert.deepEqual(
      [verdict?.result, reasons],
      [isRefused, isRefused ? ['Key attestation: made by another app: com.thief'] : []],
      level,
    )
  }
})

test('on Android, a token of another app is tampering, and an app from another store is not', () => {
  const tampered = (playIntegrity: PlayIntegrity) =>
    appTampering.judge(androidPhone({}, { playIntegrity }))?.verdict.result
  assert.equal(tampered({ state: 'refused', because: 'it is of another app: com.thief' }), true)
  assert.equal(tampered({ state: 'unknown', because: 'it is older than ten minutes' }), false)
  assert.equal(tampered({ state: 'read', app: 'UNRECOGNIZED_VERSION' }), false)
})

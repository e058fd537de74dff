import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AttestationLevel, attestationLevels } from '../attestation/android/attested-key.ts'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { unattested } from './unattested.ts'

const proved = { attestation: { state: 'proved', keyId: 'k' } } as const

test('the app says what it requires of a phone that proves nothing', () => {
  assert.equal(unattested.judge(androidPhone()), undefined)
  const verdictBy = (attestationPolicy: 'report' | 'required', more = {}) =>
    unattested.judge(iphone({}, { attestationPolicy, ...more }))?.verdict
  assert.deepEqual(verdictBy('report'), { result: true, isRequired: false })
  assert.deepEqual(verdictBy('required'), { result: true, isRequired: true })
  assert.deepEqual(verdictBy('required', proved), { result: false, isRequired: false })
})

test('a script that claims to be a phone must prove it', () => {
  for (const agent of [
    'python-requests/2.32.3',
    'curl/8.9.1',
    'Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/156.0',
  ]) {
    const headers = { 'user-agent': agent }
    assert.equal(unattested.judge(androidPhone({}, { headers }))?.verdict.isRequired, true, agent)
    assert.equal(unattested.judge(androidPhone({}, { headers, ...proved }))?.verdict.isRequired, true, agent)
    assert.equal(unattested.judge(iphone({}, { headers, ...proved }))?.verdict.isRequired, false, agent)
  }
  for (const agent of [
    'okhttp/4.12.0',
    'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)',
    'Dart/3.4 (dart:io)',
    'Shop/1 CFNetwork/1498.700.2 Darwin/23.6.0',
    'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36',
  ]) {
    assert.equal(unattested.judge(androidPhone({}, { headers: { 'user-agent': agent } })), undefined, agent)
  }
})

test('hardware attests a phone, and software does not', () => {
  const required = (level: AttestationLevel) => {
    const keyAttestation = { level, revocations: 'current' } as const
    return unattested.judge(androidPhone({}, { keyAttestation, attestationPolicy: 'required' }))?.verdict.isRequired
  }
  for (const level of ['strongBox', 'hardware'] as const) assert.equal(required(level), false, level)
  const proofs: readonly AttestationLevel[] = ['strongBox', 'hardware']
  for (const level of attestationLevels.filter((each) => !proofs.includes(each))) {
    assert.equal(required(level), true, level)
  }
  const headers = { 'user-agent': 'curl/8.9.1' }
  const keyAttestation = { level: 'hardware', revocations: 'current' } as const
  assert.equal(unattested.judge(androidPhone({}, { headers, keyAttestation }))?.verdict.isRequired, false)
})

test('says what is missing, as far as it is known', () => {
  const policy = { attestationPolicy: 'report' } as const
  const ofAndroid = (more: object = {}) => unattested.judge(androidPhone({}, { ...policy, ...more }))?.reasons
  const ofIos = (more: object = {}) => unattested.judge(iphone({}, { ...policy, ...more }))?.reasons
  const refused = { attestation: { state: 'refused', because: 'another app made it' } }
  const keyAttestation = (level: AttestationLevel) => ({ keyAttestation: { level, revocations: 'current' } })
  assert.deepEqual(ofAndroid(), ['no proof of a key'])
  assert.deepEqual(ofAndroid(proved), ['no certificates came with its key'])
  assert.deepEqual(ofAndroid({ ...proved, ...keyAttestation('selfSigned') }), [
    'hardware does not attest the app: selfSigned',
  ])
  assert.deepEqual(ofAndroid({ ...proved, ...keyAttestation('hardware') }), [])
  assert.deepEqual(ofAndroid(refused), ['the proof of its key is wrong: another app made it'])
  const play = { playIntegrity: { state: 'read', app: 'UNRECOGNIZED_VERSION', device: ['MEETS_DEVICE_INTEGRITY'] } }
  assert.deepEqual(ofAndroid({ ...proved, ...play }), [
    'no certificates came with its key',
    'Play Integrity: UNRECOGNIZED_VERSION, MEETS_DEVICE_INTEGRITY',
  ])
  const early = { playIntegrity: { state: 'unknown', because: 'it is from the future' } }
  assert.equal(ofAndroid(early)?.at(-1), 'Play Integrity: it is from the future')
  assert.deepEqual(ofIos(), ['no proof of a key'])
  assert.deepEqual(ofIos(refused), ['the proof of its key is wrong: another app made it'])
  const headers = { 'user-agent': 'curl/8.9.1' }
  assert.deepEqual(ofAndroid({ headers }), ['called by curl/8.9.1', 'no proof of a key'])
})

test('Google Play overrules nothing that speaks against a phone', () => {
  const verdictOf = (more: object) =>
    unattested.judge(androidPhone({}, { attestationPolicy: 'required', ...played, ...more }))?.verdict.result
  const played = {
    playIntegrity: { state: 'read', app: 'PLAY_RECOGNIZED', device: ['MEETS_STRONG_INTEGRITY'] },
  } as const
  assert.equal(verdictOf({}), false)
  assert.equal(verdictOf({ attestation: { state: 'refused', because: 'its key is of another device' } }), true)
  const against: readonly AttestationLevel[] = ['unlocked', 'selfSigned', 'unverified', 'revoked', 'refused']
  for (const level of attestationLevels) {
    const keyAttestation = { level, revocations: 'current' }
    assert.equal(verdictOf({ keyAttestation }), against.includes(level), level)
  }
})

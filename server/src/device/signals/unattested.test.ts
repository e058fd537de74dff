import assert from 'node:assert/strict'
import { test } from 'node:test'
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
  const required = (level: 'strongBox' | 'hardware' | 'unlocked' | 'software' | 'revoked' | 'refused' | 'unknown') => {
    const keyAttestation = { level, revocations: 'current' } as const
    return unattested.judge(androidPhone({}, { keyAttestation, attestationPolicy: 'required' }))?.verdict.isRequired
  }
  for (const level of ['strongBox', 'hardware'] as const) assert.equal(required(level), false, level)
  for (const level of ['unlocked', 'software', 'revoked', 'refused', 'unknown'] as const) {
    assert.equal(required(level), true, level)
  }
  const headers = { 'user-agent': 'curl/8.9.1' }
  const keyAttestation = { level: 'hardware', revocations: 'current' } as const
  assert.equal(unattested.judge(androidPhone({}, { headers, keyAttestation }))?.verdict.isRequired, false)
})

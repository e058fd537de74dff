import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secureInfoDetail } from '../../analysis/views.ts'
import { attestationLevels } from '../../attestation/android/attested-key.ts'
import { androidPhone } from '../../testdata/phones.ts'
import { judgeAll } from '../judge.ts'
import { appAttestation } from './app-attestation.ts'

const locked = { isLocked: true, bootState: 'verified' } as const

test('says what attests the phone, and why it is no more', () => {
  const found = (keyAttestation: Parameters<typeof androidPhone>[1] & object) => {
    const { verdict, reasons } = appAttestation.judge(androidPhone({}, keyAttestation)) ?? {}
    return [verdict?.result, verdict?.revocations, reasons]
  }
  const of = (level: 'strongBox' | 'unlocked' | 'software' | 'refused', more = {}) =>
    found({ keyAttestation: { level, revocations: 'current', ...more } })
  assert.deepEqual(of('strongBox', { rootOfTrust: locked }), ['strongBox', 'current', []])
  assert.deepEqual(of('unlocked', { rootOfTrust: { isLocked: false, bootState: 'unverified' } })[2], [
    'the bootloader is unlocked',
    'verified boot: unverified',
  ])
  assert.deepEqual(of('software', { revocations: 'stale', isEarlier: true })[2], [
    'attested by an earlier call of the key',
    'the list of revoked certificates is older than a day',
  ])
  assert.deepEqual(of('refused', { because: 'its root is not known', revocations: 'missing' })[2], [
    'its root is not known',
    'there is no list of revoked certificates',
  ])
  const playIntegrity = { state: 'read', app: 'UNRECOGNIZED_VERSION' } as const
  assert.deepEqual(found({ playIntegrity })[2], [
    'no chain of certificates',
    'Play Integrity: Google Play does not know this version of the app',
  ])
  assert.deepEqual(found({}), [undefined, undefined, undefined], 'the app does not ask')
  assert.deepEqual(found({ attestationPolicy: 'report' }), ['none', undefined, ['no chain of certificates']])
})

test('raises the score only where the keys were withdrawn, and is not in secure info', () => {
  const fires = appAttestation.weights?.revokedAttestation.fires
  for (const result of attestationLevels.filter((each) => each !== 'revoked')) {
    assert.equal(fires?.({ result }), false, result)
  }
  assert.equal(fires?.({ result: 'revoked' }), true)
  const evidence = androidPhone({}, { keyAttestation: { level: 'revoked', revocations: 'current' } })
  const judgement = judgeAll(evidence)
  assert.equal(judgement.verdicts.appAttestation?.result, 'revoked')
  assert.equal('appAttestation' in secureInfoDetail({ platform: 'ANDROID', judgement }), false)
})

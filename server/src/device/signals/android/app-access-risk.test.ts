import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { appAccessRisk } from './app-access-risk.ts'

const of = (...accessRisk: string[]) =>
  appAccessRisk.judge(androidPhone({}, { playIntegrity: { state: 'read', accessRisk } }))?.verdict

test('an app that controls the phone or captures its screen is found, known to Play or not', () => {
  const none = { result: false, controlling: false, capturing: false, overlays: false }
  assert.deepEqual(of('KNOWN_INSTALLED', 'UNKNOWN_INSTALLED'), none)
  assert.deepEqual(of(), none)
  assert.deepEqual(of('KNOWN_CONTROLLING'), { ...none, result: true, controlling: true })
  assert.deepEqual(of('UNKNOWN_CAPTURING'), { ...none, result: true, capturing: true })
  assert.deepEqual(of('UNKNOWN_OVERLAYS'), { ...none, overlays: true })
})

test('it is not known without a token, and where Play did not look', () => {
  assert.equal(appAccessRisk.judge(androidPhone()), undefined)
  assert.equal(appAccessRisk.judge(androidPhone({}, { playIntegrity: { state: 'read' } })), undefined)
  const refused = { state: 'refused', because: 'its nonce is of another call' } as const
  assert.equal(appAccessRisk.judge(androidPhone({}, { playIntegrity: refused })), undefined)
})

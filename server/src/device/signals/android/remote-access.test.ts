import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { remoteAccess } from './remote-access.ts'

test('an app of the list that is installed is found by its name, and none is no remote access', () => {
  const apps = ['com.teamviewer.quicksupport.market']
  const found = remoteAccess.judge(androidPhone({ remoteAccessApps: apps }))
  assert.deepEqual(found, { verdict: { result: true }, reasons: apps })
  assert.equal(remoteAccess.judge(androidPhone())?.verdict.result, false)
})

test('an app that looks for none does not know', () => {
  const { remoteAccessApps: _, ...others } = androidPhone().facts
  assert.equal(remoteAccess.judge({ ...androidPhone(), facts: others }), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { userProfile } from './user-profile.ts'

const judged = (user: object) => userProfile.judge(androidPhone({ user }))?.verdict.result

test('distinguishes the first user, a work profile and another user', () => {
  assert.equal(judged({ isManaged: false, isSystemUser: true }), 'MAIN')
  assert.equal(judged({ isManaged: true, isSystemUser: false }), 'WORK')
  assert.equal(judged({ isManaged: false, isSystemUser: false }), 'OTHER')
})

test('does not guess which other user it is', () => {
  assert.equal(judged({ isSystemUser: false }), undefined)
  assert.equal(judged({ isManaged: false }), undefined)
  assert.equal(judged({}), undefined)
  assert.equal(judged({ isSystemUser: true }), 'MAIN')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { manualClock } from './manual-clock.ts'

const judged = (clock: object) => manualClock.judge(androidPhone({ clock }))

test('a clock or a time zone that is set by hand is found, and automatic ones are not', () => {
  assert.deepEqual(judged({ isAutomatic: false })?.reasons, ['clock'])
  assert.deepEqual(judged({ isAutomatic: true, isZoneAutomatic: false })?.reasons, ['time zone'])
  assert.equal(judged({ isAutomatic: true, isZoneAutomatic: true })?.verdict.result, false)
})

test('half of the answer is not that everything is automatic', () => {
  assert.equal(judged({ isAutomatic: true }), undefined)
  assert.equal(judged({}), undefined)
})

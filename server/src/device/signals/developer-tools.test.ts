import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { recorded } from '../testdata/recordings.ts'
import { developerTools } from './developer-tools.ts'

const ordinary = recorded('chromium-ordinary')
const judge = (facts: typeof ordinary.facts) =>
  developerTools.judge({ ...ordinary, facts: { ...ordinary.facts, ...facts } })?.verdict.result

test('developer tools show in slow awaits, docked or not', () => {
  assert.equal(judge({ inspection: { stacksWritten: 1, awaitRatio: 40 } }), true)
  const docked = { innerWidth: 500, innerHeight: 700, outerWidth: 1050, outerHeight: 780, isTop: true }
  assert.equal(judge({ inspection: { stacksWritten: 1, awaitRatio: 0 }, windowGeometry: docked }), true)
})

test('nothing of it alone is enough: slow awaits, a narrow page, a program on the protocol', () => {
  assert.equal(judge({ inspection: { stacksWritten: 0, awaitRatio: 9 } }), false)
  const sideBar = { innerWidth: 600, innerHeight: 700, outerWidth: 1050, outerHeight: 780, isTop: true }
  assert.equal(judge({ windowGeometry: sideBar }), false)
  assert.equal(judge({ inspection: { stacksWritten: 1, awaitRatio: 0.1 } }), false)
})

test('nothing is said of other engines', () => {
  assert.equal(developerTools.judge(recorded('firefox-ordinary')), undefined)
})

test('an Android phone in developer mode, or with debugging over USB; not known where it does not say', () => {
  const judged = (developerOptions: object) => developerTools.judge(androidPhone({ developerOptions }))?.verdict.result
  assert.equal(judged({ isEnabled: false, isAdbEnabled: false }), false)
  assert.equal(judged({ isEnabled: true, isAdbEnabled: false }), true)
  assert.equal(judged({ isAdbEnabled: true }), true)
  assert.equal(judged({}), undefined)
  assert.ok(!developerTools.platforms.includes(iphone().platform), 'iOS tells no app')
})

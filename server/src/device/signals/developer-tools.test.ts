import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { recorded } from '../testdata/recordings.ts'
import { developerTools } from './developer-tools.ts'

const ordinary = recorded('chromium-ordinary')
const judge = (facts: typeof ordinary.facts) =>
  developerTools.judge({ ...ordinary, facts: { ...ordinary.facts, ...facts } })?.verdict.result

test('detects developer tools by slow awaits, docked or not', () => {
  assert.equal(judge({ inspection: { stacksWritten: 1, awaitRatio: 40 } }), true)
  const docked = { innerWidth: 500, innerHeight: 700, outerWidth: 1050, outerHeight: 780, isTop: true }
  assert.equal(judge({ inspection: { stacksWritten: 1, awaitRatio: 0 }, windowGeometry: docked }), true)
})

test('slow awaits, a narrow page or a program on the protocol alone are not enough', () => {
  assert.equal(judge({ inspection: { stacksWritten: 0, awaitRatio: 9 } }), false)
  const sideBar = { innerWidth: 600, innerHeight: 700, outerWidth: 1050, outerHeight: 780, isTop: true }
  assert.equal(judge({ windowGeometry: sideBar }), false)
  assert.equal(judge({ inspection: { stacksWritten: 1, awaitRatio: 0.1 } }), false)
})

test('has no verdict on other engines', () => {
  assert.equal(developerTools.judge(recorded('firefox-ordinary')), undefined)
})

test('detects developer mode, USB and wireless debugging on Android; has no verdict without that fact', () => {
  const judged = (developerOptions: object) => developerTools.judge(androidPhone({ developerOptions }))?.verdict.result
  assert.equal(judged({ isEnabled: false, isAdbEnabled: false }), false)
  assert.equal(judged({ isEnabled: true, isAdbEnabled: false }), true)
  assert.equal(judged({ isAdbEnabled: true }), true)
  assert.equal(judged({ isWirelessDebuggingEnabled: true }), true)
  assert.equal(judged({}), undefined)
  assert.ok(!developerTools.platforms.includes(iphone().platform), 'iOS does not report it to apps')
})

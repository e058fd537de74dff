import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { hooking } from './hooking.ts'

test('detects a library, a class or a port of a hooking framework', () => {
  assert.equal(hooking.judge(iphone({ hookTraces: { libraries: ['ellekit.dylib'] } }))?.verdict.result, true)
  assert.equal(hooking.judge(iphone({ hookTraces: { classes: ['SSLKillSwitch'] } }))?.verdict.result, true)
  assert.equal(hooking.judge(androidPhone({ hookTraces: { openPorts: [27042] } }))?.verdict.result, true)
})

test('detects nothing on an ordinary phone, and ignores other ports', () => {
  assert.equal(hooking.judge(iphone())?.verdict.result, false)
  assert.equal(
    hooking.judge(iphone({ hookTraces: { ...iphone().facts.hookTraces, openPorts: [8080] } }))?.verdict.result,
    false,
  )
  assert.equal(hooking.judge({ ...iphone(), facts: {} }), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { iphone } from '../../testdata/phones.ts'
import { jailbroken } from './jailbroken.ts'

const { jailbreakTraces: ofOrdinary } = iphone().facts
const judge = (traces: object) =>
  jailbroken.judge(iphone({ jailbreakTraces: { ...ofOrdinary, ...traces } }))?.verdict.result

test('a jailbreak needs two kinds of trace', () => {
  assert.equal(judge({ paths: ['/var/jb'], libraries: ['TweakInject.dylib'] }), true)
  assert.equal(judge({ wroteOutside: true, forked: true }), true)
  assert.equal(judge({ paths: ['/Applications/Cydia.app', '/bin/bash'] }), false)
  assert.equal(judge({ wroteOutside: true }), false)
})

test('the folder of a rootless jailbreak is enough: nothing else may be visible to the app', () => {
  assert.equal(judge({ paths: ['/var/jb'] }), true)
  assert.equal(judge({ paths: ['/var/jb/usr/bin/bash'] }), true)
  assert.equal(judge({ paths: ['/var/jbx'] }), false)
})

test('an ordinary iPhone is not jailbroken, and a simulator gets no verdict', () => {
  assert.equal(jailbroken.judge(iphone())?.verdict.result, false)
  const traces = { jailbreakTraces: { paths: ['/bin/bash'], forked: true } }
  assert.equal(jailbroken.judge(iphone({ ...traces, simulator: { isTarget: true } })), undefined)
  const { jailbreakTraces: _, ...others } = iphone().facts
  assert.equal(jailbroken.judge({ ...iphone(), facts: others }), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { frida } from './frida.ts'

test('detects Frida by its gadget, its agent or its port', () => {
  for (const hookTraces of [
    { libraries: ['FridaGadget.dylib'] },
    { libraries: ['frida-agent-64.so'] },
    { openPorts: [27043] },
  ]) {
    assert.equal(frida.judge(androidPhone({ hookTraces }))?.verdict.result, true)
    assert.equal(frida.judge(iphone({ hookTraces }))?.verdict.result, true)
  }
})

test('does not detect Frida in another framework, nor on an ordinary phone', () => {
  assert.equal(
    frida.judge(iphone({ hookTraces: { ...iphone().facts.hookTraces, libraries: ['ellekit.dylib'] } }))?.verdict.result,
    false,
  )
  assert.equal(frida.judge(androidPhone())?.verdict.result, false)
  assert.equal(frida.judge({ ...iphone(), facts: {} }), undefined)
})

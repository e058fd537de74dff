import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { systemProxy } from './system-proxy.ts'

test('a proxy of HTTP, SOCKS or a PAC file is one', () => {
  assert.equal(systemProxy.judge(iphone({ proxy: { http: true } }))?.verdict.result, true)
  assert.equal(systemProxy.judge(iphone({ proxy: { socks: true } }))?.verdict.result, true)
  assert.equal(systemProxy.judge(androidPhone({ proxy: { autoConfiguration: true } }))?.verdict.result, true)
})

test('an ordinary phone has none', () => {
  assert.equal(systemProxy.judge(iphone())?.verdict.result, false)
  assert.equal(systemProxy.judge({ ...iphone(), facts: {} }), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone, iphone } from '../testdata/phones.ts'
import { systemProxy } from './system-proxy.ts'

test('detects an HTTP proxy, a SOCKS proxy and a PAC file', () => {
  assert.equal(systemProxy.judge(iphone({ proxy: { http: true } }))?.verdict.result, true)
  assert.equal(systemProxy.judge(iphone({ proxy: { socks: true } }))?.verdict.result, true)
  assert.equal(systemProxy.judge(androidPhone({ proxy: { autoConfiguration: true } }))?.verdict.result, true)
})

test('detects no proxy on an ordinary phone', () => {
  assert.equal(systemProxy.judge(iphone())?.verdict.result, false)
  assert.equal(systemProxy.judge({ ...iphone(), facts: {} }), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listed, unlisted } from '../testdata/addresses.ts'
import { recorded } from '../testdata/recordings.ts'
import { proxy } from './proxy.ts'

const ordinary = recorded('chromium-ordinary')

test('detects an open proxy; a VPN, a relay and an unlisted IP address are none', () => {
  assert.deepEqual(proxy.judge({ ...ordinary, anonymity: listed('openProxy') })?.verdict, { result: true })
  for (const anonymity of [listed('vpnServer'), listed('relay', 'openProxy'), unlisted]) {
    assert.deepEqual(proxy.judge({ ...ordinary, anonymity })?.verdict, { result: false })
  }
})

test('has no verdict without lists', () => {
  assert.equal(proxy.judge(ordinary), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { androidPhone } from '../../testdata/phones.ts'
import { openWifi } from './open-wifi.ts'

const judged = (wifi: object) => openWifi.judge(androidPhone({ wifi }))?.verdict.result

test('a Wi-Fi without encryption or with WEP is open; with WPA it is not', () => {
  assert.equal(judged({ security: 0 }), true)
  assert.equal(judged({ security: 1 }), true)
  for (const security of [2, 4, 6, 9, 12]) assert.equal(judged({ security }), false, String(security))
})

test('an unknown type, and a phone that is not in a Wi-Fi, say nothing', () => {
  for (const security of [-1, 14]) assert.equal(judged({ security }), undefined, String(security))
  const { wifi: _, ...others } = androidPhone().facts
  assert.equal(openWifi.judge({ ...androidPhone(), facts: others }), undefined)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultRules } from './default-rules.ts'

test('every default rule has a message for the user, which does not reveal what was detected', () => {
  assert.ok(defaultRules.rules.length > 10)
  for (const { id, message } of defaultRules.rules) {
    assert.match(message ?? '', /^[A-Z].{20,158}\.$/, id)
    assert.doesNotMatch(
      message!,
      /bot|hook|tamper|jail|root|emulat|simulat|clone|swap|forward|fraud|risk|VPN|proxy/i,
      id,
    )
  }
})

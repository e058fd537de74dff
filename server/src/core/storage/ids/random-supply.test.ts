import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomSupply } from './random-supply.ts'

test('random bytes of a supply are never given twice, and stay as they were given', () => {
  const take = randomSupply()
  const given = Array.from({ length: 3000 }, () => take(12))
  const texts = given.map((bytes) => bytes.toString('hex'))
  assert.equal(new Set(texts).size, 3000)
  assert.ok(texts.every((text) => text.length === 24))
  assert.deepEqual(
    given.map((bytes) => bytes.toString('hex')),
    texts,
  )
  const whole = take(4096)
  assert.equal(whole.length, 4096)
  assert.notDeepEqual(take(4096), whole)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUuid, newUuidAt, uuidBytes } from './uuid.ts'

test('a UUID of version 7 begins with its time, and the rest is random', () => {
  const now = Date.parse('2026-03-01T00:00:00.123Z')
  const ids = Array.from({ length: 1000 }, () => newUuidAt(now))
  assert.ok(ids.every(isUuid))
  assert.ok(ids.every((id) => /^.{14}7.{4}[89ab]/.test(id)))
  assert.deepEqual(new Set(ids.map((id) => uuidBytes(id).readUIntBE(0, 6))), new Set([now]))
  assert.equal(new Set(ids).size, 1000)
  assert.ok(newUuidAt(now) < newUuidAt(now + 1))
})

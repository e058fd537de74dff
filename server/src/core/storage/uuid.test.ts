import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayKey, isUuid, newUuidAt, uuidBytes } from './uuid.ts'

test('a UUID of version 7 begins with its time, and the rest is random', () => {
  const now = Date.parse('2026-03-01T00:00:00.123Z')
  const ids = Array.from({ length: 1000 }, () => newUuidAt(now))
  assert.ok(ids.every(isUuid))
  assert.ok(ids.every((id) => /^.{14}7.{4}[89ab]/.test(id)))
  assert.deepEqual(new Set(ids.map((id) => uuidBytes(id).readUIntBE(0, 6))), new Set([now]))
  assert.equal(new Set(ids).size, 1000)
  assert.ok(newUuidAt(now) < newUuidAt(now + 1))
})

test('keys of a day begin with the same two bytes, and those of later days are greater, whatever follows', () => {
  const rest = (byte: number) => new Uint8Array(8).fill(byte)
  const keyAt = (time: string, byte: number) => dayKey(Date.parse(time), rest(byte))
  const first = keyAt('2026-03-01T00:00:00.000Z', 255)
  const last = keyAt('2026-03-01T23:59:59.999Z', 0)
  assert.deepEqual(first.subarray(0, 2), last.subarray(0, 2))
  assert.deepEqual([first.length, first.subarray(2)], [10, Buffer.from(rest(255))])
  assert.ok(Buffer.compare(keyAt('2026-03-02T00:00:00.000Z', 0), first) > 0)
  assert.ok(Buffer.compare(keyAt('2149-06-06T00:00:00.000Z', 0), first) > 0, 'two bytes are enough')
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { HashTable, never } from './hash-table.ts'

/** Few hashes that meet in the same places, and words with the highest bit. */
const word = fc.constantFrom(0, 1, 2, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff)
const step = fc.record({
  low: word,
  high: word,
  put: fc.boolean(),
  until: fc.constantFrom(5, 10, never),
})

test('has what a map would have, after any puts and removals', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = new HashTable()
      const model = new Map<string, number>()
      for (const { low, high, put, until } of steps) {
        if (put) table.put(low | 0, high | 0, { from: 1, until })
        else table.remove(low, high)
        if (put) model.set(`${low} ${high}`, until)
        else model.delete(`${low} ${high}`)
      }
      assert.equal(table.size, model.size)
      for (const { low, high } of steps) {
        const until = model.get(`${low} ${high}`) ?? 0
        assert.equal(table.has(low, high, 7), until > 7)
        assert.equal(table.hadAt(low, high, 0), false)
        assert.equal(table.hadAt(low, high, 1), until > 1)
      }
    }),
  )
})

test('holds a hundred thousand hashes in 30 bytes each, and finds no other', () => {
  const table = new HashTable()
  const hashOf = (i: number) => [Math.imul(i, 0x9e3779b1), Math.imul(i ^ 0x5bd1e995, 0x85ebca6b)] as const
  for (let i = 0; i < 100_000; i++) table.put(...hashOf(i), { from: 0, until: never })
  for (let i = 0; i < 200_000; i++) assert.equal(table.has(...hashOf(i), 1), i < 100_000, String(i))
  for (let i = 0; i < 100_000; i += 2) table.remove(...hashOf(i))
  for (let i = 0; i < 100_000; i++) assert.equal(table.has(...hashOf(i), 1), i % 2 === 1, String(i))
  assert.equal(table.size, 50_000)
  assert.ok(table.bytes < 30 * 100_000, String(table.bytes))
})

test('does not match from the second of its expiry on', () => {
  const table = new HashTable()
  table.put(1, 2, { from: 0, until: 100 })
  assert.deepEqual(
    [99, 100].map((now) => table.has(1, 2, now)),
    [true, false],
  )
  table.put(1, 2, { from: 0, until: never })
  assert.equal(table.has(1, 2, 0xfffffffe), true)
})

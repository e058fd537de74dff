import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClock } from '../testing/test-clock.ts'
import { ExpiringMap } from './expiring-map.ts'

const start = () => {
  const clock = testClock()
  return { clock, map: new ExpiringMap<string, number>({ clock, ttlMs: 1000, most: 3 }) }
}

test('returns an entry until it expires, then forgets it', () => {
  const { clock, map } = start()
  map.set('a', 1)
  clock.advance({ ms: 999 })
  assert.equal(map.get('a'), 1)
  clock.advance({ ms: 1 })
  assert.equal(map.get('a'), undefined)
  assert.equal(map.size, 0)
})

test('counts the time to live from `since`, and takes another time to live', () => {
  const { clock, map } = start()
  map.set('early', 1, { since: clock.now() - 500 })
  map.set('long', 2, { ttlMs: 5000 })
  clock.advance({ ms: 500 })
  assert.deepEqual([map.get('early'), map.get('long')], [undefined, 2])
})

test('does not prolong an entry when the clock is set back', () => {
  const { clock, map } = start()
  map.set('a', 1)
  clock.advance({ ms: -1 })
  assert.equal(map.get('a'), undefined)
  clock.advance({ ms: 1 })
  assert.equal(map.get('a'), undefined, 'it is gone')
})

test('drops the entry that was set first when it is full', () => {
  const { map } = start()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
    ['a', 4],
    ['d', 5],
  ] as const)
    map.set(key, value)
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((key) => map.get(key)),
    [4, undefined, 3, 5],
  )
  assert.equal(map.size, 3)
})

test('deletes an entry by its key, and entries by their value', () => {
  const { map } = start()
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ] as const)
    map.set(key, value)
  map.delete('a')
  map.deleteWhere((value) => value === 3)
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [undefined, 2, undefined])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageMs, dayAheadMs, isInFuture, isOlder, renewed } from './renewal.ts'

const of = (previous: string[] | undefined, found: string[] | Error, mayShrink = false) =>
  renewed({
    name: 'list',
    fetch: async () => {
      if (found instanceof Error) throw found
      return found
    },
    previous,
    entriesOf: ({ length }) => length,
    mayShrink,
  })

test('uses what is newer, or else the previous one, and says why', async () => {
  const [two, four] = [
    ['a', 'b'],
    ['a', 'b', 'c', 'd'],
  ]
  const updated = { name: 'list', outcome: 'updated' }
  assert.deepEqual(await of(undefined, two), { renewal: { ...updated, entries: 2 }, used: two })
  assert.deepEqual(await of(four, two), { renewal: { ...updated, entries: 2 }, used: two })
  const reason = 'it has 1 entries, and the one in use 4; --force accepts it'
  const kept = { name: 'list', outcome: 'kept', entries: 4 }
  assert.deepEqual(await of(four, ['a']), { renewal: { ...kept, reason }, used: four })
  assert.deepEqual((await of(four, ['a'], true)).used, ['a'])
  const fails = new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })
  assert.deepEqual(await of(four, fails), { renewal: { ...kept, reason: 'fetch failed: ECONNREFUSED' }, used: four })
  const { renewal, used } = await of(undefined, fails)
  assert.deepEqual([renewal.outcome, renewal.entries, used], ['missing', 0, undefined])
})

test('what is dated in the future may be of any age', () => {
  const [now, hour] = [1_800_000_000_000, 3_600_000]
  const found = [-2 * hour, -hour, 0, 60_000, hour].map((ms) => isOlder(now + ms, hour, now))
  assert.deepEqual(found, [true, false, false, false, true])
  const ages = [-hour, 0, 60_000, hour].map((ms) => ageMs({ datedMs: now + ms }, now))
  assert.deepEqual(ages, [hour, 0, 0, Number.POSITIVE_INFINITY])
  assert.deepEqual(
    [14, 25].map((hours) => isInFuture({ datedMs: now + hours * hour, aheadMs: dayAheadMs }, now)),
    [false, true],
    'a day begins earlier elsewhere',
  )
})

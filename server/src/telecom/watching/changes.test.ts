// Is a change reported once, and is what is not known never a change?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learnOperator, learnRecycling, learnReported, learnSwap } from './changes.ts'

const hour = 3_600_000
const start = Date.parse('2026-03-01T12:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()

interface FakeOperator {
  /** Whether it reports the date of the last swap. */
  readonly dated: boolean
  /** How long after a swap it knows it. */
  readonly lateMs?: number
  /** A longer window gets this one. */
  readonly longest?: number
}

/** An operator that swaps SIMs at these times. */
function operatorWith(swaps: readonly number[], { dated, lateMs = 0, longest = 2400 }: FakeOperator) {
  const windows: (number | undefined)[] = []
  const queryAt = (now: number) => async (maxAge: number | undefined) => {
    windows.push(maxAge)
    const last = Math.max(...swaps.filter((swap) => swap + lateMs <= now))
    const maxAgeHours = Math.min(maxAge ?? 240, longest)
    const swapped = now - last <= maxAgeHours * hour
    return { swapped, maxAgeHours, ...(dated && Number.isFinite(last) && { latestChange: iso(last) }) }
  }
  /** The indexes of the looks that found something new. */
  async function looksAt(times: readonly number[]) {
    let known = {}
    const found: number[] = []
    for (const [index, time] of times.entries()) {
      const { state, change } = await learnSwap(known, queryAt(time), time)
      known = state
      if (change) found.push(index)
    }
    return found
  }
  return { windows, queryAt, looksAt }
}

for (const dated of [true, false]) {
  const by = dated ? 'by its date' : 'by windows of whole hours'

  test(`a swap before the first look is no change, one after it is one change, ${by}`, async () => {
    const swaps = [start - 2 * hour, start + 8 * hour]
    const looks = [0, 6.1, 12.3, 18.2, 24.9, 48].map((hours) => start + hours * hour)
    assert.deepEqual(await operatorWith(swaps, { dated }).looksAt(looks), [2])
  })

  test(`two swaps between different looks are two changes, ${by}`, async () => {
    const swaps = [start - 900 * hour, start + 5 * hour, start + 11 * hour]
    const looks = [0, 6.1, 12.3, 18.2].map((hours) => start + hours * hour)
    assert.deepEqual(await operatorWith(swaps, { dated }).looksAt(looks), [1, 2])
  })

  test(`a swap minutes before a look is not new at the next one, whose window reaches behind it, ${by}`, async () => {
    const swaps = [start + 5.9 * hour]
    const looks = [0, 6, 12, 17.4].map((hours) => start + hours * hour)
    assert.deepEqual(await operatorWith([start - 900 * hour, ...swaps], { dated }).looksAt(looks), [1])
  })

  test(`a swap that the operator learns hours later is one change, ${by}`, async () => {
    for (const longest of [2400, 24, 25]) {
      for (const delay of [0.5, 2, 11, 18]) {
        const swaps = [start - 900 * hour, start + 4.5 * hour]
        const { looksAt } = operatorWith(swaps, { dated, lateMs: delay * hour, longest })
        const looks = Array.from({ length: 12 }, (_, i) => start + i * 6.05 * hour)
        const expected = looks.findIndex((look) => look >= start + (4.5 + delay) * hour)
        assert.deepEqual(await looksAt(looks), [expected], `known ${delay} h later, windows up to ${longest} h`)
      }
    }
  })

  test(`a known swap and a later one that the operator learns late are two changes, ${by}`, async () => {
    const swaps = [start - 3 * hour, start + 8 * hour, start + 22 * hour]
    const { looksAt } = operatorWith(swaps, { dated, lateMs: 3 * hour })
    const looks = Array.from({ length: 12 }, (_, i) => start + hour + i * 6.05 * hour)
    assert.deepEqual(await looksAt(looks), [2, 4])
  })

  test(`a clock that is set back between two looks hides no later swap and repeats none, ${by}`, async () => {
    for (const aheadHours of [0.5, 20, 9000]) {
      const swaps = [start - 900 * hour, start + 5 * hour, start + 14 * hour]
      const { looksAt } = operatorWith(swaps, { dated })
      const looks = [0, 6 + aheadHours, 6.1, 12, 18, 24].map((hours) => start + hours * hour)
      const found = await looksAt(looks)
      assert.ok(found.includes(4), `${aheadHours} h ahead: ${found}`)
      assert.ok(!found.includes(3) && !found.includes(5), `${aheadHours} h ahead: ${found}`)
    }
  })
}

test('a swap between the beginning of a watch and its first look is one change, one before it is none', async () => {
  for (const lookAfter of [0.01, 0.5, 3, 30, 700]) {
    for (const swapAfter of [-1000, -2, -0.001, lookAfter / 3, lookAfter / 1.1]) {
      const looks = [lookAfter, lookAfter + 6.1, lookAfter + 12].map((hours) => start + hours * hour)
      for (const dated of [true, false]) {
        const { queryAt } = operatorWith([start - 3000 * hour, start + swapAfter * hour], { dated })
        let known: Parameters<typeof learnSwap>[0] = { beganAt: start }
        const found: number[] = []
        for (const [index, now] of looks.entries()) {
          const { state, change } = await learnSwap(known, queryAt(now), now)
          known = { ...state, ...(change && { noticedAt: now }) }
          if (change) found.push(index)
        }
        // Without a date only whole hours are certain: those that begin after the watch.
        const isCertain = dated || lookAfter - swapAfter <= Math.ceil(lookAfter - 0.1) - 1
        assert.deepEqual(found, swapAfter > 0 && isCertain ? [0] : [], `${swapAfter} of ${lookAfter} h, dated ${dated}`)
      }
    }
  }
  // A clock that was a year ahead when the watch began, and is set back.
  const ahead = { beganAt: start + 9000 * hour }
  const swapped = operatorWith([start - hour], { dated: true }).queryAt(start)
  const { state, change } = await learnSwap(ahead, swapped, start)
  assert.equal(change, undefined)
  assert.ok(learnReported(state, start + hour, start + hour).change)
})

test('a window reaches a day behind the last look, and not behind a swap that is known', async () => {
  const { windows, looksAt } = operatorWith([start - 900 * hour, start + 5010 * hour], { dated: false })
  await looksAt([0, 6.1, 5000, 5000.2, 5011.1, 5016.1].map((hours) => start + hours * hour))
  assert.deepEqual(windows, [undefined, 31, 2400, 25, 35, 5])
})

test('the usual window of an operator that refuses a window never makes an old swap new', async () => {
  // It answers for 240 hours whatever the question is, and the swap was 100 hours before the first look.
  const answer = async () => ({ swapped: true, maxAgeHours: 240 })
  let known = {}
  for (let look = 0; look < 12; look++) {
    const { state, change } = await learnSwap(known, answer, start + look * 6 * hour)
    known = state
    assert.equal(change, undefined)
  }
})

test('connectors that answer by turns report a swap once', async () => {
  const swap = start + 15.2 * hour
  for (const dates of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ] as const) {
    // The second connector knows another date of the swap before the watch, and of the one that counts.
    const operators = [
      operatorWith([start - 30 * hour, swap], { dated: dates[0] }),
      operatorWith([start - 10 * hour, swap + 20 * 60_000], { dated: dates[1] }),
    ]
    let known = {}
    const found: number[] = []
    for (let look = 0; look < 14; look++) {
      const now = start + look * 6 * hour
      const query = operators[look % 2]!.queryAt(now)
      const source = `c${look % 2}`
      const { state, change } = await learnSwap(known, async (maxAge) => ({ ...(await query(maxAge)), source }), now)
      known = { ...state, ...(change && { noticedAt: now }) }
      if (change) found.push(look)
    }
    assert.deepEqual(found, [3], `dated: ${dates}`)
  }
})

test('a report of a swap long before the watch began is no change, and a late one is', async () => {
  for (const dated of [true, false]) {
    const { queryAt } = operatorWith([start - 5000 * hour], { dated })
    const { state } = await learnSwap({}, queryAt(start), start)
    const now = start + 2 * hour
    for (const hours of [-7200, -300, -25]) {
      const { change } = learnReported(state, start + hours * hour, now)
      assert.equal(change, undefined, `${hours} h, dated ${dated}`)
    }
    assert.ok(learnReported(state, start - 2 * hour, now).change, `dated ${dated}`)
    assert.ok(learnReported(state, start + hour, now).change, `dated ${dated}`)
  }
  const swapped = await learnSwap({}, async () => ({ swapped: true, maxAgeHours: 240 }), start)
  assert.equal(learnReported(swapped.state, start - 2 * hour, start + hour).change, undefined, 'it is known')
})

test('a swap that an operator reports and a poll finds is one change, whichever comes first', async () => {
  const swap = start + 8 * hour
  const base = { seenAt: start, coveredUntil: start - 900 * hour }
  const reported = learnReported(base, swap, swap + 60_000)
  assert.equal(reported.change?.changedAt, iso(swap))
  for (const dated of [true, false]) {
    const answer = async (maxAge: number | undefined) => ({
      swapped: (maxAge ?? 240) >= 5,
      maxAgeHours: maxAge ?? 240,
      ...(dated && { latestChange: iso(swap - 20_000) }),
    })
    const polled = await learnSwap(reported.state, answer, swap + 4.5 * hour)
    assert.equal(polled.change, undefined, `dated ${dated}`)
  }
  const dated = async () => ({ swapped: true, maxAgeHours: 240, latestChange: iso(swap) })
  const polled = await learnSwap(base, dated, swap + hour)
  assert.ok(polled.change)
  const late = learnReported({ ...polled.state, noticedAt: swap + hour }, swap + 120_000, swap + 2 * hour)
  assert.equal(late.change, undefined)
  assert.ok(learnReported({ ...polled.state, noticedAt: swap + hour }, swap + 5 * hour, swap + 5 * hour).change)
})

test('reports within an hour are of one swap, however many an operator sends, and a swap after it is another', async () => {
  const { state } = await learnSwap({}, operatorWith([], { dated: false }).queryAt(start), start)
  let known: Parameters<typeof learnReported>[0] = state
  const changes: number[] = []
  for (let now = start + hour; now < start + 25 * hour; now += 60_000) {
    const learned = learnReported(known, now, now)
    known = learned.state
    if (learned.change) changes.push((now - start) / hour)
  }
  assert.ok(changes.length > 20 && changes.length <= 24, `${changes}`)
  assert.ok(
    changes.every((at, index) => index === 0 || at - changes[index - 1]! > 1),
    `${changes}`,
  )
  // The clock was a year ahead when the last one was reported, and is set back.
  const ahead = start + 9000 * hour
  const set = learnReported({ ...known, ...{ seenAt: ahead, reportedAt: ahead } }, start + 30 * hour, start + 30 * hour)
  assert.ok(learnReported(set.state, start + 31.1 * hour, start + 31.1 * hour).change)
})

test('another date from another connector is no change, unless it is later than the last look', async () => {
  const from = (source: string, hours: number) => async () => ({
    ...{ swapped: false, maxAgeHours: 240, source },
    latestChange: iso(start + hours * hour),
  })
  const { state } = await learnSwap({}, from('main', -9000), start)
  const fallback = await learnSwap(state, from('other', -5000), start + 6 * hour)
  assert.equal(fallback.change, undefined)
  assert.ok((await learnSwap(state, from('other', 2), start + 6 * hour)).change)
  assert.ok((await learnSwap(state, from('main', -1), start + 6 * hour)).change)
})

test('another subscriber is new once, and the queries are for whole days', async () => {
  const dates: string[] = []
  const query = (recycledOn: string) => async (since: string) => {
    dates.push(since)
    return { recycled: recycledOn > since }
  }
  const first = await learnRecycling({}, query('2014-06-01'), start)
  const quiet = await learnRecycling(first.state, query('2014-06-01'), start + 24 * hour)
  const found = await learnRecycling(quiet.state, query('2026-03-02'), start + 48 * hour)
  assert.deepEqual([first.change, quiet.change, found.change], [undefined, undefined, {}])
  const sameDay = await learnRecycling(found.state, query('2026-03-02'), start + 49 * hour)
  assert.deepEqual(sameDay, { state: found.state })
  const after = await learnRecycling(found.state, query('2026-03-02'), start + 96 * hour)
  assert.equal(after.change, undefined)
  assert.deepEqual(dates, ['2026-03-01', '2026-03-01', '2026-03-01', '2026-03-04'])
  // The first look is days after the watch began, whose own day says nothing.
  const late = { beganAt: start }
  assert.ok((await learnRecycling(late, query('2026-03-03'), start + 96 * hour)).change)
  assert.equal((await learnRecycling(late, query('2026-03-01'), start + 96 * hour)).change, undefined)
  assert.equal((await learnRecycling(late, query('2026-03-03'), start + hour)).change, undefined)
  assert.deepEqual(dates.slice(4), ['2026-03-02', '2026-03-02', '2026-03-01'])
  // The clock was a year ahead when the change was found.
  const ahead = { since: '2027-03-04', seenAt: start + 9000 * hour }
  const back = await learnRecycling(ahead, query('2026-03-01'), start)
  assert.equal(back.change, undefined)
  assert.ok((await learnRecycling(back.state, query('2026-03-09'), start + 240 * hour)).change)
})

test('a port has the operator before and after, and an unknown operator is never a change', () => {
  const [north, south] = [
    { id: 'n', name: 'NORTH' },
    { id: 's', name: 'SOUTH' },
  ]
  const first = learnOperator({}, { operator: north, ported: false } as never, start)!
  assert.equal(first.change, undefined)
  assert.equal(learnOperator(first.state, {} as never, start), undefined)
  assert.equal(learnOperator(first.state, { operator: south, sourceFailure: new Error() } as never, start), undefined)
  assert.equal(
    learnOperator(first.state, { operator: { ...north, name: 'RENAMED' } } as never, start)?.change,
    undefined,
  )
  const moved = learnOperator(first.state, { operator: south, ported: true } as never, start)
  assert.deepEqual(moved?.change, { operator: 'SOUTH', previousOperator: 'NORTH' })
  assert.deepEqual(learnOperator(moved!.state, { operator: south, ported: true } as never, start), {
    state: moved!.state,
  })
  const onlyFlag = learnOperator({ ported: false }, { ported: true } as never, start)
  assert.deepEqual(onlyFlag?.change, {})
})

test('a source that fails hides no port that the source after it reports, and makes none up', () => {
  const north = { id: 'n', name: 'NORTH' }
  const south = { id: 's', name: 'SOUTH' }
  const sourceFailure = new Error('no answer')
  const file = { ported: true, portedBy: 'file', sourceFailure }
  // The first source always fails.
  const first = learnOperator({}, { ...file, operator: north }, start)!
  assert.equal(first.change, undefined)
  const moved = learnOperator(first.state, { ...file, operator: south }, start)
  assert.deepEqual(moved?.change, { operator: 'SOUTH', previousOperator: 'NORTH' })
  // An incomplete answer counts for nothing.
  assert.equal(learnOperator(first.state, { operator: south, sourceFailure }, start), undefined)
  // The first source fails once, and the file is old.
  const live = learnOperator({}, { operator: south, ported: true, portedBy: 'live' }, start)!
  assert.equal(learnOperator(live.state, { ...file, operator: north }, start), undefined)
  // The file agrees, so what it reports next is a change.
  const agreed = learnOperator(live.state, { ...file, operator: south }, start)!
  assert.equal(agreed.change, undefined)
  assert.ok(learnOperator(agreed.state, { ...file, operator: north }, start)?.change)
})

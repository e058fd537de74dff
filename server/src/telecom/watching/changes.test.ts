// Is a change reported once, and is what is not known never a change?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learnOperator, learnRecycling, learnReported, learnSwap } from './changes.ts'

const hour = 3_600_000
const start = Date.parse('2026-03-01T12:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()

/** An operator that swaps SIMs at these times, and answers with or without the date of the last one. */
function operatorWith(swaps: readonly number[], { dated }: { dated: boolean }) {
  const asked: (number | undefined)[] = []
  const askAt = (now: number) => async (maxAge: number | undefined) => {
    asked.push(maxAge)
    const last = Math.max(...swaps.filter((swap) => swap <= now))
    const swapped = now - last <= (maxAge ?? 240) * hour
    return { swapped, ...(dated && Number.isFinite(last) && { latestChange: iso(last) }) }
  }
  /** The indexes of the looks that found something new. */
  async function looksAt(times: readonly number[]) {
    let known = {}
    const found: number[] = []
    for (const [index, time] of times.entries()) {
      const { state, change } = await learnSwap(known, askAt(time), time)
      known = state
      if (change) found.push(index)
    }
    return found
  }
  return { asked, looksAt }
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
}

test('asks for a window at least as long as the time since the last look', async () => {
  const { asked, looksAt } = operatorWith([start - 900 * hour], { dated: false })
  await looksAt([0, 6.1, 5000, 5000.2].map((hours) => start + hours * hour))
  assert.deepEqual(asked, [undefined, 7, 2400, 1])
})

test('a swap that an operator reports and a poll finds is one change, whichever comes first', async () => {
  const swap = start + 8 * hour
  const base = { seenAt: start, coveredUntil: start - 900 * hour, wasFound: false }
  const reported = learnReported(base, swap, swap + 60_000)
  assert.equal(reported.change?.changedAt, iso(swap))
  for (const dated of [true, false]) {
    const answer = async (maxAge: number | undefined) => ({
      swapped: (maxAge ?? 240) >= 5,
      ...(dated && { latestChange: iso(swap - 20_000) }),
    })
    const polled = await learnSwap(reported.state, answer, swap + 4.5 * hour)
    assert.equal(polled.change, undefined, `dated ${dated}`)
  }
  const dated = async () => ({ swapped: true, latestChange: iso(swap) })
  const polled = await learnSwap(base, dated, swap + hour)
  assert.ok(polled.change)
  const late = learnReported({ ...polled.state, noticedAt: swap + hour }, swap + 120_000, swap + 2 * hour)
  assert.equal(late.change, undefined)
  assert.ok(learnReported({ ...polled.state, noticedAt: swap + hour }, swap + 5 * hour, swap + 5 * hour).change)
})

test('another date from another connector is no change, unless it is later than the last look', async () => {
  const from = (source: string, hours: number) => async () => ({
    ...{ swapped: false, source },
    latestChange: iso(start + hours * hour),
  })
  const { state } = await learnSwap({}, from('main', -9000), start)
  const fallback = await learnSwap(state, from('other', -5000), start + 6 * hour)
  assert.equal(fallback.change, undefined)
  assert.ok((await learnSwap(state, from('other', 2), start + 6 * hour)).change)
  assert.ok((await learnSwap(state, from('main', -1), start + 6 * hour)).change)
})

test('another subscriber is new once, and is asked for by days', async () => {
  const asked: string[] = []
  const ask = (recycledOn: string) => async (since: string) => {
    asked.push(since)
    return { recycled: recycledOn > since }
  }
  const first = await learnRecycling({}, ask('2014-06-01'), start)
  const quiet = await learnRecycling(first!.state, ask('2014-06-01'), start + 24 * hour)
  const found = await learnRecycling(quiet!.state, ask('2026-03-02'), start + 48 * hour)
  assert.deepEqual([first?.change, quiet?.change, found?.change], [undefined, undefined, {}])
  assert.equal(await learnRecycling(found!.state, ask('2026-03-02'), start + 49 * hour), undefined)
  const after = await learnRecycling(found!.state, ask('2026-03-02'), start + 96 * hour)
  assert.equal(after?.change, undefined)
  assert.deepEqual(asked, ['2026-03-01', '2026-03-01', '2026-03-01', '2026-03-04'])
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
  const onlyFlag = learnOperator({ ported: false }, { ported: true } as never, start)
  assert.deepEqual(onlyFlag?.change, {})
})

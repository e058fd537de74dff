import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Refusal } from '../errors.ts'
import { type Pause, Slices } from './slices.ts'

/** Slices whose stopwatch moves by `pass` alone. */
function timed(requestsWaiting = () => 0) {
  let elapsedMs = 0
  const shared = new Slices({ requestsWaiting, stopwatch: () => elapsedMs })
  return {
    during: <T>(tenantId: string, work: (pause: Pause) => Promise<T>) => shared.during(tenantId, work),
    pass: (ms: number) => {
      elapsedMs += ms
    },
  }
}

test('another turn of the event loop comes at the latest 1 ms after the last one', async () => {
  const { during, pass } = timed()
  const order: string[] = []
  const heavy = during('bank', async (pause) => {
    for (let item = 1; item <= 7; item++) {
      pass(0.4)
      order.push(`item ${item}`)
      await pause()
    }
  })
  const request = async () => {
    for (let turn = 1; turn <= 3; turn++) {
      await nextTurn()
      order.push('request')
    }
  }
  await Promise.all([heavy, request()])
  const [third, fourth, seventh] = ['item 3', 'item 4', 'item 7'].map((item) => order.indexOf(item))
  assert.ok(order.slice(third, fourth).includes('request'), order.join())
  assert.ok(order.slice(fourth, seventh).includes('request'), order.join())
})

test('one slice runs in each turn, and tenants share them by the time that they use', async () => {
  const { during, pass } = timed()
  const slicesOf: string[] = []
  const work = (tenant: string, itemMs: number, items: number) =>
    during(tenant, async (pause) => {
      for (let item = 0; item < items; item++) {
        slicesOf.push(tenant)
        pass(itemMs)
        await pause()
      }
    })
  await Promise.all([work('long', 2, 20), work('short', 1, 40)])
  const first = slicesOf.slice(0, 30)
  const count = (tenant: string) => first.filter((each) => each === tenant).length
  assert.deepEqual([count('long'), count('short')], [10, 20])
})

test('a tenant that begins later does not catch up on what others used before', async () => {
  const { during, pass } = timed()
  const order: string[] = []
  const work = (tenant: string, items: number, then?: () => Promise<void>) =>
    during(tenant, async (pause) => {
      for (let item = 0; item < items; item++) {
        order.push(tenant)
        pass(5)
        if (item === 50) void then?.()
        await pause()
      }
    })
  let later: Promise<void> | undefined
  await work('first', 80, () => {
    later = work('later', 20)
    return later
  })
  await later
  assert.ok(order.slice(52, 60).filter((tenant) => tenant === 'first').length >= 3, order.slice(50, 62).join())
})

test('two calls of a tenant work at once, sixteen wait, and one more is refused; other tenants do not wait', async () => {
  const { during } = timed()
  const ends: (() => void)[] = []
  const held = (_pause: Pause) => new Promise<void>((resolve) => ends.push(resolve))
  const calls = Array.from({ length: 18 }, () => during('bank', held))
  await assert.rejects(
    during('bank', held),
    (error) => error instanceof Refusal && error.failure === 'rateLimited' && error.details.retryAfterSeconds === 1,
  )
  const ofOther = during('other', held)
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  assert.equal(ends.length, 3, 'two of the bank, and one of the other')
  for (let end = 0; end < 19; end++) {
    ends[end]!()
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  await Promise.all([...calls, ofOther])
})

test('heavy work leaves requests that wait two turns for each slice', async () => {
  const { during, pass } = timed(() => 1)
  let turns = 0
  let isDone = false
  const counted = (async () => {
    for (; !isDone; turns++) await nextTurn()
  })()
  await during('bank', async (pause) => {
    for (let item = 0; item < 5; item++) {
      pass(5)
      await pause()
    }
  })
  isDone = true
  await counted
  assert.ok(turns >= 10, `${turns} turns`)
})

test('a call that fails makes room for the next one', async () => {
  const { during } = timed()
  const failing = Array.from({ length: 6 }, () => during('bank', () => Promise.reject(new Error('no'))))
  for (const result of await Promise.allSettled(failing)) assert.equal(result.status, 'rejected')
  assert.equal(await during('bank', async () => 'done'), 'done')
})

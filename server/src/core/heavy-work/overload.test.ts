import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Overload } from './overload.ts'
import type { FlowName, TrafficClass } from './waiting-line.ts'

/** An overload guard with one place, whose stopwatch moves by `pass` alone. `happened` has what started and what was refused. */
function oneAtATime(t: TestContext, { delayMs = 50, mostInFlight = 1 } = {}) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let elapsedMs = 0
  const load = new Overload({ delayMs, mostInFlight, stopwatch: () => elapsedMs })
  const happened: string[] = []
  const arrive = (name: string, caller = 'bank', trafficClass: TrafficClass = 'checks') => {
    const waiting = { start: () => void happened.push(name), refuse: () => void happened.push(`${name} refused`) }
    return load.arrive(waiting, (): FlowName => ({ trafficClass, caller }))
  }
  return {
    load,
    happened,
    arrive,
    /** So many that a caller can become late. */
    crowd: (count = 64) => Array.from({ length: count }, (_, at) => arrive(`crowd ${at}`, 'crowd', 'strangers')),
    pass: (ms: number) => {
      elapsedMs += ms
    },
    /** Ends the request in flight, and returns what happened since the last call. */
    async leave() {
      load.leave()
      await nextTurn()
      return happened.splice(0)
    },
  }
}

test('starts a request at once while there are places, and the others in the order of their arrival', async (t) => {
  const { arrive, leave, happened, load } = oneAtATime(t)
  for (const name of ['first', 'second', 'third']) arrive(name)
  assert.deepEqual(happened.splice(0), ['first'])
  assert.deepEqual([load.inFlight(), load.waiting()], [1, 2])
  assert.deepEqual(await leave(), ['second'])
  assert.deepEqual(await leave(), ['third'])
  await leave()
  assert.deepEqual([load.inFlight(), load.waiting()], [0, 0])
})

test('at most 10,000 requests wait: one more is in line, and the oldest is refused', async (t) => {
  const { arrive, crowd, load, happened } = oneAtATime(t)
  arrive('in flight')
  crowd(10_000)
  assert.deepEqual(happened.splice(0), ['in flight'])
  arrive('one more')
  assert.deepEqual([happened.splice(0), load.waiting()], [['crowd 0 refused'], 10_000])
})

test('a request that waits for less than the delay is never refused', async (t) => {
  const { arrive, crowd, leave, pass, happened } = oneAtATime(t)
  arrive('first')
  crowd()
  arrive('second')
  happened.splice(0)
  pass(50)
  assert.deepEqual(await leave(), ['second'])
})

test('starts the newest first and refuses what waited for a fifth of the delay, once a caller waits too long', async (t) => {
  const { arrive, crowd, leave, pass, happened } = oneAtATime(t)
  arrive('in flight')
  arrive('oldest')
  crowd()
  pass(42)
  arrive('middle')
  pass(9)
  arrive('newest')
  happened.splice(0)
  const [started, ...refused] = await leave()
  assert.equal(started, 'newest')
  assert.equal(refused[0], 'oldest refused')
  assert.equal(refused.includes('middle refused'), false, 'it waited for 9 ms')
  assert.equal((await leave())[0], 'middle')
})

test('refuses nobody while only a few wait, however long', async (t) => {
  const { arrive, pass, happened, load } = oneAtATime(t, { mostInFlight: 1000 })
  for (let request = 0; request < 127; request++) arrive('a request')
  assert.equal(load.waiting(), 63)
  pass(10_000)
  for (let turn = 0; turn < 100 && load.waiting() > 0; turn++) await nextTurn()
  assert.deepEqual(new Set(happened), new Set(['a request']))
})

test('refuses every request that waits longer than the delay while no place becomes free', async (t) => {
  const { arrive, pass, happened } = oneAtATime(t)
  arrive('in flight')
  arrive('waits')
  await nextTurn()
  pass(49)
  t.mock.timers.tick(5)
  await nextTurn()
  assert.deepEqual(happened, ['in flight'])
  pass(2)
  t.mock.timers.tick(5)
  await nextTurn()
  assert.deepEqual(happened, ['in flight', 'waits refused'])
})

test('shares its places between two tenants, whatever one of them sends', async (t) => {
  const { arrive, leave, happened } = oneAtATime(t)
  arrive('in flight')
  for (let request = 0; request < 1000; request++) arrive('loud', 'loud bank')
  for (let request = 0; request < 5; request++) arrive('quiet', 'quiet bank')
  happened.splice(0)
  const started: string[] = []
  for (let left = 0; left < 12; left++) started.push(...(await leave()))
  assert.equal(started.filter((name) => name === 'quiet').length, 5)
  assert.ok(started.filter((name) => name === 'loud').length >= 5)
})

test('shares its places between classes, so that pages and strangers cannot starve checks', async (t) => {
  const { arrive, leave, happened } = oneAtATime(t)
  arrive('in flight')
  for (let address = 0; address < 500; address++) {
    arrive('page', `address ${address}`, 'pages')
    arrive('stranger', `address ${address}`, 'strangers')
  }
  for (let request = 0; request < 30; request++) arrive('check')
  happened.splice(0)
  const started: string[] = []
  for (let left = 0; left < 50; left++) started.push(...(await leave()))
  const count = (name: string) => started.filter((each) => each === name).length
  assert.equal(count('check'), 30)
  assert.ok(count('page') >= 10 && count('stranger') >= 10, `nobody is starved: ${started}`)
})

test('shares its time between two tenants by work: one whose requests cost ten times as much starts a tenth', async (t) => {
  const { arrive, leave, load } = oneAtATime(t)
  arrive('in flight')
  for (let request = 0; request < 200; request++) {
    arrive('heavy', 'heavy bank')
    arrive('light', 'light bank')
  }
  const started: string[] = []
  for (let left = 0; left < 110; left++) {
    const [next] = (await leave()).slice(-1)
    started.push(next!)
    // An average request takes 4 / 64 ms.
    if (next === 'heavy') load.charge({ trafficClass: 'checks', caller: 'heavy bank' }, (10 * 4) / 64)
  }
  const heavy = started.filter((name) => name === 'heavy').length
  assert.ok(heavy >= 9 && heavy <= 12, `${heavy} of ${started.length}`)
})

test('shares its time between classes by work, so that heavy requests of strangers do not displace checks', async (t) => {
  const { arrive, leave, load } = oneAtATime(t)
  arrive('in flight')
  for (let request = 0; request < 200; request++) {
    arrive('stranger', `address ${request}`, 'strangers')
    arrive('check')
  }
  const started: string[] = []
  for (let left = 0; left < 120; left++) {
    const [next] = (await leave()).slice(-1)
    started.push(next!)
    if (next === 'stranger') load.charge({ trafficClass: 'strangers', caller: 'address 1' }, (10 * 4) / 64)
  }
  const strangers = started.filter((name) => name === 'stranger').length
  assert.ok(strangers >= 2 && strangers <= 6, `a third of a tenth: ${strangers} of ${started.length}`)
})

test('a tenant that nobody waits for uses the whole machine, and owes nothing for it later', async (t) => {
  const { arrive, leave, load, happened } = oneAtATime(t)
  const flow = { trafficClass: 'checks', caller: 'loud bank' } as const
  arrive('in flight', 'loud bank')
  load.charge(flow, 5_000)
  arrive('loud', 'loud bank')
  for (let request = 0; request < 3; request++) arrive('quiet', 'quiet bank')
  happened.splice(0)
  const started = [...(await leave()), ...(await leave())]
  assert.deepEqual(started.toSorted(), ['loud', 'quiet'])
})

test('refuses a flow that took a second more than its share while others wait, and no other flow', async (t) => {
  const { arrive, load, happened } = oneAtATime(t)
  arrive('in flight')
  arrive('quiet', 'quiet bank')
  load.charge({ trafficClass: 'checks', caller: 'loud bank' }, 999)
  assert.ok(arrive('loud', 'loud bank'))
  load.charge({ trafficClass: 'checks', caller: 'loud bank' }, 50)
  assert.equal(arrive('too loud', 'loud bank'), undefined)
  assert.ok(arrive('quiet too', 'quiet bank'))
  assert.deepEqual(happened, ['in flight', 'too loud refused'])
})

test('a request whose caller is gone does not start', async (t) => {
  const { arrive, leave, load } = oneAtATime(t)
  arrive('in flight')
  const gone = arrive('gone')
  arrive('waits')
  load.withdraw(gone!)
  load.withdraw(gone!)
  assert.equal(load.waiting(), 1)
  assert.deepEqual((await leave()).slice(1), ['waits'])
})

test('starts no more in a turn of the event loop than it can finish, and the others in the next turns', async (t) => {
  const { arrive, happened, load } = oneAtATime(t, { mostInFlight: 10_000 })
  for (let request = 0; request < 300; request++) arrive('a request')
  assert.ok(happened.length < 300)
  for (let turn = 0; turn < 100 && load.waiting() > 0; turn++) await nextTurn()
  assert.equal(happened.length, 300)
})

test('spends at most a tenth of its time on refusals', async () => {
  let elapsedMs = 0
  const load = new Overload({ delayMs: 50, mostInFlight: 1, stopwatch: () => elapsedMs })
  let refusedMs = 0
  const refuse = () => {
    elapsedMs += 0.01
    refusedMs += 0.01
  }
  const flow = { trafficClass: 'sdk', caller: 'one' } as const
  for (let request = 0; request < 8000; request++) load.arrive({ start() {}, refuse }, () => flow)
  elapsedMs += 60
  const from = elapsedMs
  for (let turn = 0; turn < 200; turn++) {
    load.leave()
    elapsedMs += 1
    await nextTurn()
  }
  assert.ok(refusedMs > 0.03 * (elapsedMs - from), `${refusedMs} of ${elapsedMs - from} ms`)
  assert.ok(refusedMs < 0.1 * (elapsedMs - from), `${refusedMs} of ${elapsedMs - from} ms`)
})

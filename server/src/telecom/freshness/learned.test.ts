// What is answered after a change of the line was learned? Nothing of before it, and what was answered after it is still reused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { operators } from '@ringfence/sandbox'
import { eachDatabase } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { knownOfNumber } from '../known-answers.ts'
import { ordinary, type RoutedOptions, startRoutedService } from '../routing/testing.ts'
import { type LineRow, lineAfter, observationOf } from './line.ts'
import type { LineOfCall } from './line-store.ts'

/** Its SIM was changed 100 hours ago. */
const swapped = '917020140111'
const hourMs = 3_600_000
const options: RoutedOptions = {
  routing: { otherwise: [{ connector: 'acme' }] },
  settings: { simSwapReuseSeconds: 600, callForwardingReuseSeconds: 3600 },
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('an answer that was asked for before a change was learned is not joined after it'), async (t) => {
    const {
      post,
      clock,
      upstreams,
      parts: needs,
      tenantId,
      asked,
    } = await startRoutedService(t, await open(t), options)
    const newerThan10 = { 'cache-control': 'max-age=10' }
    const ask = async (headers = {}) =>
      (await post(endpoints.simSwapCheck.path, { phoneNumber: ordinary }, headers)).headers.get('age')
    while ((await ask()) === null) await delay(10)
    clock.advance({ seconds: 30 })
    asked()
    upstreams.acme.faults.switchOn({ kind: 'slow', delayMs: 600_000, route: '/sim-swap/v2/check' })
    const early = ask(newerThan10)
    while (upstreams.acme.calls.last(10).length === 0) await delay(10)
    clock.advance({ seconds: 1 })
    await needs.telecom.answers.lines.changed(tenantId, ordinary, '001-02')
    const second = ask(newerThan10)
    await until(() => upstreams.acme.calls.last(10).length === 2) // the second did not wait for the first
    upstreams.acme.faults.switchAllOff()
    await Promise.all([early, second])
    assert.equal(asked().length, 2)
  })

  test(it('a call that read the line before another one changed it keeps what that one learned'), async (t) => {
    const { post, clock, parts: needs, tenantId } = await startRoutedService(t, await open(t), options)
    const { answers } = needs.telecom
    await post(endpoints.callForwardingCheck.path, { phoneNumber: ordinary })
    while ((await answers.known(tenantId, ordinary)).length === 0) await delay(10)
    const early = { tenantId, digits: ordinary, lines: answers.ofCall().lines }
    const learn = (line: LineOfCall, check: string, isChange: boolean) =>
      answers.lines.observe(line, { check, isChange, since: clock.now() - 24 * hourMs })
    assert.equal(await learn(early, 'simSwap', false), undefined)
    const first = await learn({ tenantId, digits: ordinary }, 'deviceSwap', true)
    clock.advance({ seconds: 1 })
    const second = await learn(early, 'simSwap', true)
    assert.deepEqual([first, second], [clock.now() - 1000, clock.now()])
    clock.advance({ seconds: 1 })
    for (const check of ['deviceSwap', 'simSwap']) {
      for (const line of [early, { tenantId, digits: ordinary }]) {
        assert.equal(await learn(line, check, true), undefined, `${check} is known`)
      }
    }
  })

  test(it('a call that read no line keeps what another call learned since'), async (t) => {
    const { clock, parts: needs, tenantId } = await startRoutedService(t, await open(t), options)
    const { answers } = needs.telecom
    const call = { signal: AbortSignal.timeout(60_000), maxAgeSeconds: undefined }
    const question = { tenantId, digits: ordinary, name: 'simSwap:240@acme', reuseSeconds: 600, call }
    await answers.find(question, async () => ({ swapped: false }))
    while ((await answers.known(tenantId, ordinary)).length === 0) await delay(10)
    const early = { tenantId, digits: ordinary, lines: answers.ofCall().lines }
    const learn = (line: LineOfCall, check: string, isChange: boolean) =>
      answers.lines.observe(line, { check, isChange, since: clock.now() - 24 * hourMs })
    assert.equal(await learn(early, 'simSwap', false), undefined)
    await learn({ tenantId, digits: ordinary }, 'deviceSwap', true)
    clock.advance({ seconds: 1 })
    await learn(early, 'simSwap', true)
    clock.advance({ seconds: 1 })
    for (const check of ['deviceSwap', 'simSwap'])
      assert.equal(await learn({ tenantId, digits: ordinary }, check, true), undefined, `${check} is known`)
  })

  test(it('an answer in flight while a change is learned is not reused'), async (t) => {
    const { post, clock, upstreams, parts: needs, tenantId } = await startRoutedService(t, await open(t), options)
    const { answers } = needs.telecom
    await post(endpoints.callForwardingCheck.path, { phoneNumber: ordinary })
    while ((await answers.known(tenantId, ordinary)).length === 0) await delay(10)
    clock.advance({ seconds: 5 })
    upstreams.acme.faults.switchOn({ kind: 'slow', delayMs: 600_000, route: '/sim-swap/v2/check' })
    upstreams.acme.calls.clear()
    const slow = post(endpoints.simSwapCheck.path, { phoneNumber: ordinary })
    while (upstreams.acme.calls.last(10).length === 0) await delay(10)
    clock.advance({ seconds: 1 })
    await answers.lines.changed(tenantId, ordinary, '001-02')
    clock.advance({ seconds: 1 })
    upstreams.acme.faults.switchAllOff()
    await slow
    while ((await answers.known(tenantId, ordinary)).length < 2) await delay(10)
    assert.deepEqual(
      (await answers.known(tenantId, ordinary)).map(({ isOutdated }) => isOutdated),
      [true, true],
    )
    const { headers } = await post(endpoints.simSwapCheck.path, { phoneNumber: ordinary })
    assert.equal(headers.get('age'), null)
  })

  test(
    it('after a port that the portability check learned, decisions know no answer of the operator of before'),
    async (t) => {
      const { post, clock, sandbox, parts: needs, tenantId } = await startRoutedService(t, await open(t), options)
      const { answers } = needs.telecom
      const known = async () => (await knownOfNumber(ordinary, { tenantId, consent: undefined }, needs))?.simSwap
      await post(endpoints.simSwapCheck.path, { phoneNumber: ordinary })
      while (!(await known())) await delay(10)
      clock.advance({ seconds: 10 })
      await post(endpoints.portability.path, { phoneNumber: ordinary })
      assert.equal((await known())?.swapped, false, 'nothing has changed')
      sandbox.lines.change(ordinary, { operator: operators.find(({ id }) => id === '001-01')! })
      await post(endpoints.portability.path, { phoneNumber: ordinary })
      assert.equal(await known(), undefined)

      clock.advance({ seconds: 10 })
      await post(endpoints.simSwapCheck.path, { phoneNumber: ordinary })
      while (!(await known())) await delay(10)
      assert.ok((await answers.known(tenantId, ordinary)).every(({ operator }) => operator === '001-01'))
    },
  )

  for (const calls of [['check'], ['retrieve-date']]) {
    test(
      it(`an old SIM swap that is found again and again by ${calls} does not end reuse of other answers`),
      async (t) => {
        const {
          post,
          clock,
          upstreams,
          parts: needs,
          tenantId,
        } = await startRoutedService(t, await open(t), {
          ...options,
          settings: { simSwapReuseSeconds: 0, callForwardingReuseSeconds: 36_000 },
          edit: ({ connectors, ...parts }) => ({
            ...parts,
            connectors: { ...connectors, acme: { ...connectors.acme!, simSwap: { calls } } as never },
          }),
        })
        const rounds: number[] = []
        for (let round = 0; round < 6; round++) {
          upstreams.acme.calls.clear()
          const { body } = await post(endpoints.telecomChecks.path, {
            phoneNumber: swapped,
            checks: { simSwap: {}, callForwarding: {} },
          })
          assert.equal(body.checks.simSwap.swapped, true)
          rounds.push(upstreams.acme.calls.last(100).filter(({ path }) => path.startsWith('/call-forwarding')).length)
          // It waits for the answers that are on their way into the store.
          assert.ok((await needs.telecom.answers.known(tenantId, swapped)).length > 0)
          clock.advance({ seconds: 100 })
        }
        assert.deepEqual(rounds.slice(3), [0, 0, 0], `calls of each round: ${rounds}`)
      },
    )
  }
})

test('a swap without a date is new when nothing explains it, and old when the change that is known may be it', () => {
  const observed = (hour: number, swapped: boolean, maxAgeHours: number) => ({
    now: hour * hourMs,
    observation: observationOf('simSwap', swapped, { swapped, maxAgeHours }, hour * hourMs),
  })
  let line: LineRow = { changedAt: 0, state: { operator: '001-02' } }
  const isNew = ({ observation, now }: ReturnType<typeof observed>) => {
    const after = lineAfter(line, observation, now)
    const before = line.changedAt
    line = after ?? line
    assert.equal(line.state.operator, '001-02')
    return line.changedAt > before
  }
  assert.equal(isNew(observed(1000, true, 240)), true)
  assert.equal(isNew(observed(1001, true, 240)), false)
  // Another window does not contradict the long one.
  assert.deepEqual([isNew(observed(1030, false, 24)), isNew(observed(1031, true, 240))], [false, false])
  assert.equal(isNew(observed(1040, true, 24)), true, 'not found at 1030, so it happened since')
  assert.equal(isNew(observed(1041, true, 240)), false)
  assert.equal(isNew(observed(1300, true, 240)), true, 'the one at 1040 is out of the window')
  assert.equal(line.changedAt, 1300 * hourMs)
  // Another check found another change.
  const device = observationOf('deviceSwap', true, { swapped: true, maxAgeHours: 240 }, 1301 * hourMs)
  assert.equal(lineAfter(line, device, 1301 * hourMs)?.changedAt, 1301 * hourMs)
})

test('a dated swap counts from its date, and only one that is later than what is known', () => {
  const line: LineRow = { changedAt: 500 * hourMs, state: {} }
  const dated = (hour: number) =>
    lineAfter(
      line,
      observationOf(
        'simSwap',
        true,
        { latestChange: new Date(hour * hourMs).toISOString(), maxAgeHours: 240 },
        600 * hourMs,
      ),
      600 * hourMs,
    )?.changedAt
  assert.equal(dated(400), undefined)
  const changedAt = dated(550)!
  assert.ok(changedAt >= 550 * hourMs && changedAt < 551 * hourMs, String(changedAt))
  assert.equal(dated(610), 600 * hourMs, 'a clock that is ahead')
})

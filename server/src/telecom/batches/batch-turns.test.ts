// What if the numbers of a batch have to wait for each other, for an operator, or for other tenants?

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { turns } from '../../core/heavy-work/turns.ts'
import { sqliteDatabases } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { claimBatch } from '../store/batches.ts'
import { batchRunner } from './batch-runner.ts'
import { runBatch } from './run-batch.ts'
import { batchCalls, csvOf, ordinaryNumbers } from './testing.ts'

const { open } = sqliteDatabases
const free = { waiting: () => 0 }

async function checked(service: TestService, numbers: readonly string[]) {
  const { send, read } = batchCalls(service)
  const { body } = await send(csvOf(numbers))
  const runner = batchRunner(service.parts)
  await runner.round()
  await runner.close()
  return read(body.batchId)
}

for (const route of ['/portability/v1/numbers/{digits}', '/sim-swap/v2/check']) {
  test(`waiting for a turn costs a number nothing of its deadline, however long it waits for ${route}`, async (t) => {
    const deadlineMs = 29_999
    const service = await startTestService(t, await open(t), { settings: { deadlineMs, portabilityReuseSeconds: 0 } })
    const { parts: needs, sandbox } = service
    const { send, read } = batchCalls(service)
    const { body } = await send(csvOf(ordinaryNumbers(60)))
    const deadlines = holdTimers(t, deadlineMs)
    const { enter, ...others } = turns(4, free)
    const leave = await Promise.all(Array.from({ length: 4 }, () => enter('another')))
    let waiting = 0
    const counted = (tenantId: string) => {
      waiting++
      return enter(tenantId)
    }
    const now = service.clock.now()
    const claim = randomBytes(16)
    const row = await claimBatch(needs.database, { claim, now, until: now + 10_000, busy: [] })
    const resources = { needs, turns: { ...others, enter: counted }, isClosing: () => false }
    const running = runBatch({ ...row!, claim }, { ...resources, othersWait: async () => false })
    await until(() => waiting === 60)
    assert.deepEqual([deadlines.waiting(), sandbox.calls.last(1)], [0, []])
    const { id } = sandbox.faults.switchOn({ kind: 'slow', delayMs: 600_000, route })
    for (const each of leave) each()
    await until(() => sandbox.calls.last(1000).some(({ fault }) => fault === 'slow'))
    assert.ok(deadlines.waiting() > 0, 'it begins with the turn')
    sandbox.faults.switchOff(id)
    await running
    const { counts, errors } = await read(body.batchId)
    assert.deepEqual([counts.answered, errors], [60, {}])
  })
}

test('after an operator asked for a pause, the numbers of the batch and of later ones are checked', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { batchConcurrency: 4 } })
  const { faults } = service.sandbox
  const paused = { kind: 'status', status: 429, retryAfterSeconds: 1, route: '/sim-swap/v2/check', times: 8 } as const
  faults.switchOn(paused)
  const pausing = checked(service, ordinaryNumbers(40))
  for (let isOver = false; !isOver; ) {
    // The pause of the upstream is on the clock of the service.
    service.clock.advance({ seconds: 1 })
    isOver = await Promise.race([pausing.then(() => true), wait(100).then(() => false)])
  }
  const batch = await pausing
  assert.deepEqual([batch.counts.answered, batch.errors], [40, {}])
  assert.equal((await checked(service, ordinaryNumbers(80).slice(40))).counts.answered, 40)
})

test('a batch of a revoked client asks about no further number', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { batchConcurrency: 1 } })
  const { parts: needs, sandbox, tenantId, credentials } = service
  const { send } = batchCalls(service)
  sandbox.faults.switchOn({ kind: 'slow', delayMs: 20, route: '/sim-swap/v2/check' })
  const { body } = await send(csvOf(ordinaryNumbers(500)))
  const runner = batchRunner(needs)
  const running = runner.round()
  while (sandbox.calls.last(1).length === 0) await wait(5)
  await needs.clients.revoke(credentials.clientId)
  await running
  await runner.close()
  const another = await needs.clients.createClient(tenantId, 'another')
  const batch = await batchCalls({ url: service.url, credentials: another }).read(body.batchId)
  assert.equal(batch.status, 'canceled')
  assert.ok(batch.counts.answered < 400, `${batch.counts.answered} were answered`)
  assert.equal(batch.errors.P7352, 500 - batch.counts.answered)
})

test('tenants that wait for a turn go round', async () => {
  const { enter } = turns(1, free)
  const order: string[] = []
  const leave = await enter('first')
  const take = async (tenantId: string) => {
    const release = await enter(tenantId)
    order.push(tenantId)
    release()
  }
  const waiting = ['a', 'a', 'a', 'b', 'c', 'b'].map(take)
  leave()
  await Promise.all(waiting)
  assert.deepEqual(order, ['a', 'b', 'c', 'a', 'b', 'a'])
})

test('a turn that is given back twice is free once', async () => {
  const { enter } = turns(1, free)
  const leave = await enter('a')
  leave()
  leave()
  await enter('a')
  const next = enter('a').then(() => 'entered')
  assert.equal(await Promise.race([next, wait(20).then(() => 'waits')]), 'waits')
})

// Does a tenant that has spent its requests or its money of the day pay nothing more, and does every number get its turn?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, type Watch } from '@ringfence/contract'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { watchRequestsOf } from '../store/number-watches.ts'
import { type WatchPoller, watchPoller } from './poller.ts'

const { path } = endpoints.watchNumber
const dayMs = 86_400_000

async function watchAll(service: TestService, count: number, checks: readonly string[], from = 10) {
  const ids: string[] = []
  for (let i = from; i < from + count; i++) {
    const { body } = await service.post(path, { phoneNumber: `9170201417${i}`, checks })
    ids.push(body.watchId)
  }
  return ids
}

const read = async ({ url, credentials }: TestService, watchId: string) => {
  const response = await fetch(`${url}${path}/${watchId}`, { headers: { ...credentials } })
  return (await response.json()) as Watch
}

const checked = async (service: TestService, ids: readonly string[]) => {
  const watches = await Promise.all(ids.map((id) => read(service, id)))
  return watches.filter(({ checks }) => checks.every(({ lastCheckedAt }) => lastCheckedAt !== undefined)).length
}

const requests = ({ sandbox }: TestService) =>
  sandbox.calls.last(1000).filter(({ path: called }) => !called.includes('oauth2')).length

const used = ({ parts: needs, tenantId, clock }: TestService) =>
  watchRequestsOf(needs.database, tenantId, Math.floor(clock.now() / dayMs))

/** Polls at the end of this day, at the beginning of the next one, and at its noon. */
async function pollForADay({ clock }: TestService, poller: WatchPoller) {
  const leftMs = dayMs - (clock.now() % dayMs)
  for (const ms of [leftMs - 1, 600_001, dayMs / 2 - 600_000]) {
    clock.advance({ ms })
    await poller.round()
  }
}

eachDatabase(({ engine, open }) => {
  test(`the budget counts every request, and the next day goes on with who waits longest (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { watchRequestsPerDay: 6 } })
    const ids = await watchAll(service, 10, ['simSwap'])
    service.sandbox.calls.clear()
    service.clock.advance({ seconds: 301 })
    const poller = watchPoller(service.parts)
    t.after(() => poller.close())
    await poller.round()
    assert.deepEqual([requests(service), await used(service)], [6, 6])
    // Each poll looks up the operator first: 10 numbers × 4 polls × 2 requests, 80 / 6 of six hours.
    assert.equal((await read(service, ids[0]!)).checks[0]?.pollIntervalSeconds, 288_000)
    await poller.round()
    assert.equal(requests(service), 6)
    for (let day = 1; day < 5; day++) {
      await pollForADay(service, poller)
      assert.ok(requests(service) <= 6 * (day + 1))
    }
    assert.equal(await checked(service, ids), 10)
  })

  test(`portability from files of this server needs no budget (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), {
      settings: { watchRequestsPerDay: 1 },
      edit: (parts) => ({ ...parts, portabilitySources: {} }),
    })
    const ids = await watchAll(service, 3, ['portability'])
    await watchAll(service, 3, ['simSwap'], 30)
    service.clock.advance({ seconds: 301 })
    const poller = watchPoller(service.parts)
    t.after(() => poller.close())
    await poller.round()
    const states = await Promise.all(ids.map(async (id) => (await read(service, id)).checks[0]!.state))
    // No file knows these numbers, and no request was refused for that.
    assert.deepEqual(states, ['unsupported', 'unsupported', 'unsupported'])
  })

  test(`a reached cap defers its check to the next day, and nothing is paid for it until then (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), {
      settings: { watchRequestsPerDay: 1000 },
      edit: (parts) => ({
        ...parts,
        costs: {
          currency: 'EUR',
          prices: { sandbox: { simSwap: 1000, deviceSwap: 0, portability: 500 } },
          dailyCap: { checks: { simSwap: 5000 } },
        },
      }),
    })
    const ids = await watchAll(service, 20, ['simSwap'])
    service.clock.advance({ seconds: 301 })
    const { body } = await service.post(path, { phoneNumber: '917020141799', checks: ['deviceSwap'] })
    const poller = watchPoller(service.parts)
    t.after(() => poller.close())
    service.clock.advance({ seconds: 301 })
    await poller.round()
    const afterFirst = {
      used: await used(service),
      spent: await service.parts.telecom.costs.spent(service.tenantId),
    }
    assert.equal(afterFirst.spent.find(({ check }) => check === 'simSwap')?.micros, 5000)
    // Those that were in flight when the cap was reached have paid a look-up.
    assert.ok(afterFirst.used <= 2 * 5 + 8 + 2, `${afterFirst.used} requests`)
    assert.equal((await read(service, body.watchId)).checks[0]?.state, 'watching', 'another check goes on')
    for (let round = 0; round < 5; round++) {
      service.clock.advance({ seconds: 60 })
      await poller.round()
    }
    assert.equal(await used(service), afterFirst.used)
    assert.deepEqual(await service.parts.telecom.costs.spent(service.tenantId), afterFirst.spent)
    for (const id of ids) {
      const [check] = (await read(service, id)).checks
      assert.ok(check?.state === 'watching' || check?.nextCheckAt.startsWith('2026-03-02T00:0'), JSON.stringify(check))
    }
    for (let day = 1; day < 10; day++) await pollForADay(service, poller)
    assert.equal(await checked(service, ids), 20)
  })
})

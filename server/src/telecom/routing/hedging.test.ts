import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sqliteDatabases } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { until } from '../../testing/until.ts'
import { latencies } from './latency.ts'
import { ordinary, type RoutedOptions, startRoutedService } from './testing.ts'

const { open } = sqliteDatabases
const check = '/sim-swap/v2/check'
const p95 = 'p95' as const
const hedged = { otherwise: [{ connector: 'acme', hedgeAfter: p95 }, { connector: 'hub' }, { connector: 'spare' }] }

type SlowAcme = Awaited<ReturnType<typeof slowAcme>>
/** When the next connector is asked too: not before acme has the request, however slow the machine is. */
const hedgeMs = 12_345
const has = ({ calls }: SlowAcme['upstreams']['acme']) => calls.last(10).some(({ path }) => path === check)

/** Asks, and the time after which the next connector is asked too ends once acme has the request. */
async function askHedged({ ask, upstreams: { acme }, hedges }: SlowAcme, meanwhile = async () => {}) {
  const asking = ask()
  await until(() => has(acme))
  hedges.fire()
  await meanwhile()
  acme.faults.switchAllOff()
  return asking
}

/** Asks while acme holds its answer back until hub was asked too. */
async function askWhileAcmeWaits(service: SlowAcme) {
  const { acme, hub } = service.upstreams
  acme.faults.switchOn({ kind: 'slow', delayMs: 600_000, route: check })
  return askHedged(service, async () => void (await until(() => has(hub))))
}

async function slowAcme(t: TestContext, options: RoutedOptions = {}) {
  const service = await startRoutedService(t, await open(t), { routing: hedged, ...options })
  const ask = async () =>
    (await service.post('/v1/telecom/checks', { phoneNumber: ordinary, checks: { simSwap: {} } })).body.checks.simSwap
  const { latencies } = service.parts.telecom
  const hedgeAfter = (ms: number) => {
    for (let answers = 0; answers < 100; answers++) latencies.add('acme', 'simSwap', ms)
  }
  await ask() // fetches the access token, and is not hedged: too few answers are known
  service.asked()
  hedgeAfter(hedgeMs)
  return { ...service, ask, hedgeAfter, hedges: holdTimers(t, hedgeMs) }
}

test('the next connector is asked when the first is slow; the answer that comes first wins, and the other is aborted', async (t) => {
  const service = await slowAcme(t)
  const { ask, asked, upstreams, hedgeAfter } = service
  upstreams.acme.faults.switchOn({ kind: 'half-open', route: check })
  assert.equal((await askHedged(service)).source, 'hub')
  assert.deepEqual(asked(), ['acme', 'hub'])
  hedgeAfter(60_000)
  assert.equal((await ask()).source, 'acme', 'an abort says nothing of its health')
  assert.deepEqual(asked(), ['acme'])
})

test('when the second request fails, the first still answers, and no third one is sent meanwhile', async (t) => {
  const service = await slowAcme(t)
  service.upstreams.hub.faults.switchOn({ kind: 'garbage', route: check })
  assert.equal((await askWhileAcmeWaits(service)).source, 'acme')
  assert.deepEqual(service.asked(), ['acme', 'hub'])
})

test('when both fail, the third is asked', async (t) => {
  const { ask, asked, upstreams } = await slowAcme(t)
  upstreams.acme.faults.switchOn({ kind: 'garbage', route: check })
  upstreams.hub.faults.switchOn({ kind: 'garbage', route: check })
  assert.equal((await ask()).source, 'spare')
  assert.deepEqual(asked(), ['acme', 'hub', 'spare'])
})

test('a check is hedged once, also when the second connector is to be hedged too', async (t) => {
  const routing = {
    otherwise: [{ connector: 'acme', hedgeAfter: p95 }, { connector: 'hub', hedgeAfter: 50 }, { connector: 'spare' }],
  }
  const service = await slowAcme(t, { routing })
  service.upstreams.hub.faults.switchOn({ kind: 'half-open', route: check })
  assert.equal((await askWhileAcmeWaits(service)).source, 'acme')
  assert.deepEqual(service.asked(), ['acme', 'hub'])
})

test('a second request that the cost cap does not allow is not sent', async (t) => {
  const service = await slowAcme(t, {
    edit: (parts) => ({
      ...parts,
      costs: { currency: 'EUR', prices: { hub: { otherwise: 10 } }, dailyCap: { total: 9 } },
    }),
  })
  const { acme, hub } = service.upstreams
  acme.faults.switchOn({ kind: 'slow', delayMs: 600_000, route: check })
  const refused = t.mock.method(service.parts.telecom.costs, 'charge')
  const triedHub = () => refused.mock.calls.some(({ arguments: [, connector] }) => connector === 'hub')
  assert.equal((await askHedged(service, async () => void (await until(triedHub)))).source, 'acme')
  assert.deepEqual([service.asked(), has(hub)], [['acme'], false])
})

test('both requests of a hedged check are in its cost', async (t) => {
  const service = await slowAcme(t, {
    edit: (parts) => ({
      ...parts,
      costs: { currency: 'EUR', prices: { acme: { otherwise: 3 }, hub: { otherwise: 10 } } },
    }),
  })
  service.upstreams.acme.faults.switchOn({ kind: 'half-open', route: check })
  assert.deepEqual((await askHedged(service)).cost, { currency: 'EUR', micros: 13 })
})

test('p95 is known after twenty answers, for each connector and check, and follows the last hundred', () => {
  const known = latencies()
  for (let ms = 1; ms <= 19; ms++) known.add('acme', 'simSwap', ms)
  assert.equal(known.p95('acme', 'simSwap'), undefined)
  known.add('acme', 'simSwap', 20)
  assert.equal(known.p95('acme', 'simSwap'), 19)
  assert.equal(known.p95('acme', 'tenure'), undefined)
  for (let count = 0; count < 100; count++) known.add('acme', 'simSwap', 500)
  assert.equal(known.p95('acme', 'simSwap'), 500)
})

// What is not paid? A request that did not leave, and one that the upstream refused as a whole.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Config } from '../../core/config/config.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { sandboxTimeoutMs, startTestService, type TestService } from '../../testing/test-service.ts'
import { until } from '../../testing/until.ts'
import { scriptedUpstream } from '../../upstream/testing/scripted-upstream.ts'
import { ordinary, startRoutedService } from '../routing/testing.ts'

const euros = (micros: number) => ({ currency: 'EUR', micros })
const spentBy = async ({ parts: needs, tenantId }: TestService) =>
  (await needs.telecom.costs.spent(tenantId)).reduce((sum, { micros }) => sum + micros, 0)
const checksOf = async ({ post }: TestService, checks: object) =>
  (await post('/v1/telecom/checks', { phoneNumber: ordinary, checks })).body.checks

/** What a second request waits for, and when it gets so far. */
const secondRequest = () => ({
  charges: 0,
  charging: Promise.withResolvers<void>(),
  overtaken: Promise.withResolvers<void>(),
  givenBack: Promise.withResolvers<void>(),
})

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('a vendor that does not cover a number is not paid for saying so, and the next source answers'),
    async (t) => {
      const vendor = await scriptedUpstream(t, () => ({ status: 404, body: {} }))
      const hub = {
        ...{ type: 'http', sandbox: true, baseUrl: vendor.url },
        operator: {
          path: '/n/{digits}',
          answer: { mcc: '$.mcc', mnc: '$.mnc' },
          errors: [{ status: 404, means: 'unsupported' }],
          samples: [{ response: { mcc: '404', mnc: '45' }, answer: { operator: '404-45' } }],
        },
      }
      const service = await startTestService(t, await open(t), {
        edit: (parts) => ({
          ...parts,
          connectors: { ...parts.connectors, hub } as Config['connectors'],
          portabilitySources: { hub: { type: 'connector', connector: 'hub' }, ...parts.portabilitySources } as never,
          costs: { currency: 'EUR', prices: { hub: { portability: 700 }, sandbox: { otherwise: 1 } } },
        }),
      })
      const { portability } = await checksOf(service, { portability: {} })
      assert.equal(vendor.received.length, 1)
      assert.deepEqual([portability.success, portability.cost], [true, euros(1)])
      assert.equal(await spentBy(service), 1)
    },
  )

  test(it('a second request that is overtaken before it is sent costs nothing'), async (t) => {
    const service = await startRoutedService(t, await open(t), {
      routing: { otherwise: [{ connector: 'acme', hedgeAfter: 30 }, { connector: 'hub' }] },
      edit: (parts) => ({
        ...parts,
        costs: { currency: 'EUR', prices: { acme: { otherwise: 100 }, hub: { otherwise: 1000 } } },
      }),
    })
    const { upstreams, asked, parts: needs } = service
    const { costs } = needs.telecom
    const { charge } = costs
    let hub = secondRequest()
    t.mock.method(costs, 'charge', async (...[tenantId, connector, check]: Parameters<typeof charge>) => {
      if (connector !== 'hub') return charge(tenantId, connector, check)
      const { charging, overtaken, givenBack } = hub
      hub.charges++
      charging.resolve()
      await overtaken.promise
      const charged = await charge(tenantId, connector, check)
      return { ...charged, giveBack: () => charged.giveBack().then(givenBack.resolve) }
    })
    await checksOf(service, { simSwap: {} }) // fetches the access token, which may take so long that it is hedged too
    hub.overtaken.resolve()
    if (hub.charges > 0) await hub.givenBack.promise
    const before = await spentBy(service)
    hub = secondRequest()
    asked()
    upstreams.acme.faults.switchOn({ kind: 'slow', delayMs: 600_000, route: '/sim-swap/v2/check' })
    const checking = checksOf(service, { simSwap: {} })
    await hub.charging.promise
    upstreams.acme.faults.switchAllOff()
    const { simSwap } = await checking
    assert.deepEqual([simSwap.source, simSwap.cost], ['acme', euros(100)])
    assert.equal(hub.charges, 1, 'the second one was about to be sent')
    hub.overtaken.resolve()
    await hub.givenBack.promise
    assert.equal(await spentBy(service), before + 100)
    assert.deepEqual(asked(), ['acme'])
  })

  test(it('a request that gets no token or no connection costs nothing, and leaves the cap as it is'), async (t) => {
    /** No test listens there. */
    const nobody = 'http://127.0.0.1:1'
    const service = await startRoutedService(t, await open(t), {
      routing: { otherwise: [{ connector: 'acme' }, { connector: 'hub' }, { connector: 'spare' }] },
      edit: ({ connectors, ...parts }) => ({
        ...parts,
        connectors: { ...connectors, hub: { ...connectors.hub!, baseUrl: nobody } as Config['connectors'][string] },
        costs: {
          currency: 'EUR',
          prices: { acme: { otherwise: 40 }, hub: { otherwise: 50 }, spare: { otherwise: 7 } },
          dailyCap: { total: 60 },
        },
      }),
    })
    const { upstreams, parts: needs, tenantId } = service
    upstreams.acme.faults.switchOn({ kind: 'status', status: 401, route: '/oauth2/token' })
    const { simSwap } = await checksOf(service, { simSwap: {} })
    assert.deepEqual([simSwap.source, simSwap.cost], ['spare', euros(7)])
    assert.equal(await needs.telecom.costs.remaining(tenantId, 'simSwap'), 53)
  })

  test(it('a request that was sent and has no answer in time may be billed, so it counts'), async (t) => {
    const service = await startRoutedService(t, await open(t), {
      routing: { otherwise: [{ connector: 'acme' }] },
      edit: (parts) => ({ ...parts, costs: { currency: 'EUR', prices: { acme: { otherwise: 40 } } } }),
    })
    const { acme } = service.upstreams
    acme.faults.switchOn({ kind: 'half-open', route: '/sim-swap/v2/check' })
    const timeouts = holdTimers(t, sandboxTimeoutMs)
    const checking = checksOf(service, { simSwap: {} })
    await until(() => acme.calls.last(1).some(({ fault }) => fault !== null))
    timeouts.fire()
    const { simSwap } = await checking
    assert.deepEqual([simSwap.success, simSwap.cost], [false, euros(40)])
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, TelecomChecksResult } from '@ringfence/contract'
import Value from 'typebox/value'
import { eachDatabase } from '../../testing/databases.ts'
import { until } from '../../testing/until.ts'
import { ordinary, startRoutedService, type UpstreamName } from '../routing/testing.ts'
import { costs } from './costs.ts'

const simSwap = endpoints.simSwapCheck.path
const check = '/sim-swap/v2/check'
const to = (...names: UpstreamName[]) => names.map((connector) => ({ connector }))
const euros = (micros: number) => ({ currency: 'EUR', micros })

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('every answer says what it cost, with the requests that failed for it; a reused one costs nothing'),
    async (t) => {
      const service = await startRoutedService(t, await open(t), {
        settings: { simSwapReuseSeconds: 600 },
        routing: { otherwise: to('acme', 'hub') },
        edit: (parts) => ({
          ...parts,
          costs: { currency: 'EUR', prices: { acme: { simSwap: 12_000 }, hub: { simSwap: 30_000, otherwise: 1 } } },
        }),
      })
      const { post, parts: needs, tenantId, upstreams } = service
      const ask = async (checks: object) => {
        const { body } = await post('/v1/telecom/checks', { phoneNumber: ordinary, checks })
        assert.deepEqual([...Value.Errors(TelecomChecksResult, body)], [])
        return body.checks
      }
      upstreams.acme.faults.switchOn({ kind: 'garbage', route: check })
      assert.deepEqual((await ask({ simSwap: {} })).simSwap.cost, euros(42_000), 'garbage may be billed')
      await until(async () => (await needs.telecom.answers.known(tenantId, ordinary)).length > 0)
      assert.deepEqual((await ask({ simSwap: {} })).simSwap.cost, euros(0))
      const { tenure, portability } = await ask({ tenure: { since: '2025-01-01' }, portability: {} })
      assert.equal(tenure.source, 'acme')
      assert.deepEqual([tenure.cost, portability.cost], [undefined, undefined], 'no price is configured')

      upstreams.acme.faults.switchAllOff()
      const failed = await post('/v1/telecom/checks', { phoneNumber: '917020140150', checks: { simSwap: {} } })
      assert.deepEqual(failed.body.checks.simSwap.cost, euros(42_000))
      const unsupported = await post('/v1/telecom/checks', { phoneNumber: '917020140141', checks: { simSwap: {} } })
      assert.deepEqual(unsupported.body.checks.simSwap.cost, euros(0), 'who refuses the check does not bill it')

      const [spent] = await needs.telecom.costs.spent(tenantId)
      assert.deepEqual([spent?.check, (spent?.micros ?? 0) % 42_000], ['simSwap', 0])
      const { body: counted } = await needs.metrics.text()
      assert.match(
        counted,
        /ringfence_check_cost_micros_total\{check="simSwap",connector="hub",currency="EUR"\} \d*0000\n/,
      )
    },
  )

  test(it('the answers of the three endpoints say nothing of costs'), async (t) => {
    const { post } = await startRoutedService(t, await open(t), {
      routing: { otherwise: to('acme') },
      edit: (parts) => ({ ...parts, costs: { currency: 'EUR', prices: { acme: { otherwise: 5 } } } }),
    })
    for (const { path } of [endpoints.simSwapCheck, endpoints.callForwardingCheck, endpoints.portability]) {
      const { body } = await post(path, { phoneNumber: ordinary })
      assert.deepEqual([body.success, 'cost' in body], [true, false])
    }
  })

  test(it('at the daily cap no paid request is sent, by no server, until the next day; a free one is'), async (t) => {
    const database = await open(t)
    const settings = {
      currency: 'EUR',
      prices: { acme: { simSwap: 40_000, otherwise: 10_000 }, hub: { otherwise: 0 } },
      dailyCap: { total: 100_000, checks: { simSwap: 80_000 } },
    }
    const service = await startRoutedService(t, database, {
      routing: { otherwise: [{ connector: 'acme' }, { connector: 'hub', checks: ['tenure'] }] },
      edit: (parts) => ({ ...parts, costs: settings }),
    })
    const { post, asked, parts: needs, tenantId, clock } = service
    const swap = () => post(simSwap, { phoneNumber: ordinary })
    assert.equal((await swap()).body.success, true)
    // Another server, or this one after a restart, has nothing in memory.
    const other = costs({ settings, database, clock })
    assert.equal(await other.remaining(tenantId, 'simSwap'), 40_000)
    await other.charge(tenantId, 'acme', 'simSwap')
    asked()
    const capped = await swap()
    assert.deepEqual([capped.status, capped.body.success, capped.body.error.errorCode], [200, false, 'P7345'])
    assert.equal(capped.body.phoneDetail.operator, 'SANDBOX_SOUTH')
    assert.deepEqual(asked(), [])
    assert.deepEqual(
      await Promise.all([other.remaining(tenantId, 'simSwap'), other.remaining(tenantId, 'roaming')]),
      [0, 20_000],
    )

    const tenure = () =>
      post('/v1/telecom/checks', { phoneNumber: ordinary, checks: { tenure: { since: '2025-01-01' } } })
    const sources: string[] = []
    for (let call = 0; call < 3; call++) sources.push((await tenure()).body.checks.tenure.source)
    assert.deepEqual(sources, ['acme', 'acme', 'hub'], 'the total is reached, and hub is free')
    assert.deepEqual(await needs.telecom.costs.remaining('another tenant', 'simSwap'), 80_000)

    clock.advance({ hours: 24 })
    assert.equal((await swap()).body.success, true)
  })

  test(it('a remote portability source has a price and a cap too, whichever check needs it'), async (t) => {
    const {
      post,
      parts: needs,
      tenantId,
    } = await startRoutedService(t, await open(t), {
      routing: { otherwise: to('acme') },
      edit: (parts) => ({
        ...parts,
        costs: { currency: 'EUR', prices: { sandbox: { portability: 7 } }, dailyCap: { checks: { portability: 20 } } },
      }),
    })
    const ask = async (checks: object) =>
      (await post('/v1/telecom/checks', { phoneNumber: ordinary, checks })).body.checks
    assert.deepEqual((await ask({ portability: {} })).portability.cost, euros(7))
    assert.equal((await ask({ simSwap: {} })).simSwap.success, true)
    assert.equal(await needs.telecom.costs.remaining(tenantId, 'portability'), 6)
    const capped = await ask({ portability: {}, simSwap: {} })
    assert.equal(capped.portability.error.errorCode, 'P7345')
    assert.equal(capped.simSwap.source, 'acme', 'the catch-all route needs no operator')
  })

  test(it('many requests at once never spend more than the cap'), async (t) => {
    const database = await open(t)
    const { clock, tenantId } = await startRoutedService(t, database)
    const settings = { currency: 'EUR', prices: { acme: { otherwise: 10 } }, dailyCap: { total: 55 } }
    const servers = [costs({ settings, database, clock }), costs({ settings, database, clock })]
    const charges = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        servers[index % 2]!.charge(tenantId, 'acme', index % 3 === 0 ? 'roaming' : 'simSwap'),
      ),
    )
    assert.equal(charges.filter(({ status }) => status === 'fulfilled').length, 5)
    const spent = await servers[0]!.spent(tenantId)
    assert.equal(
      spent.reduce((sum, { micros }) => sum + micros, 0),
      50,
    )
    for (const charge of charges) if (charge.status === 'fulfilled') await charge.value.giveBack()
    assert.equal(await servers[1]!.remaining(tenantId, 'simSwap'), 55)
  })
})

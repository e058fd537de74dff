import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints, ShownRoute } from '@ringfence/contract'
import Value from 'typebox/value'
import { adminClient } from '../../admin/testing.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { holdTimers } from '../../testing/held-timers.ts'
import { until } from '../../testing/until.ts'
import { ordinary, startRoutedService, type UpstreamName } from './testing.ts'

const simSwap = endpoints.simSwapCheck.path
const { open } = sqliteDatabases
const to = (...names: UpstreamName[]) => names.map((connector) => ({ connector }))
const south = '001-02'
const check = '/sim-swap/v2/check'

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('asks the next connector when one fails, and says who answered'), async (t) => {
    const { post, upstreams, asked } = await startRoutedService(t, await open(t), {
      routing: { operators: { [south]: to('acme', 'hub') } },
    })
    const ask = async () => (await post('/v1/telecom/checks', { phoneNumber: ordinary, checks: { simSwap: {} } })).body
    assert.equal((await ask()).checks.simSwap.source, 'acme')
    assert.deepEqual(asked(), ['acme'])
    upstreams.acme.faults.switchOn({ kind: 'status', status: 500, route: check })
    const { simSwap } = (await ask()).checks
    assert.deepEqual([simSwap.success, simSwap.swapped, simSwap.source], [true, false, 'hub'])
    assert.deepEqual(asked(), ['acme', 'hub'])
  })

  test(it('reuses the answer of the connector that gave it, also when another one is first'), async (t) => {
    const service = await startRoutedService(t, await open(t), {
      routing: { operators: { [south]: to('acme', 'hub') } },
      settings: { simSwapReuseSeconds: 600 },
    })
    const { acme } = service.upstreams
    acme.faults.switchOn({ kind: 'status', status: 500, route: check })
    await service.post(simSwap, { phoneNumber: ordinary })
    // It is stored after the response.
    const ask = () => service.post(simSwap, { phoneNumber: ordinary })
    while ((await ask()).headers.get('age') === null) await new Promise((later) => setTimeout(later, 10))
    service.clock.advance({ seconds: 30 })
    acme.faults.switchAllOff()
    service.asked()
    assert.deepEqual([(await ask()).headers.get('age'), service.asked()], ['30', []])
  })
})

test('an upstream that does not support the check passes on, and only all of them together do not support it', async (t) => {
  const { post, asked } = await startRoutedService(t, await open(t), {
    routing: { otherwise: [...to('acme'), { connector: 'hub', checks: ['tenure'] }, ...to('spare')] },
  })
  const refused = await post(simSwap, { phoneNumber: '917020140141' })
  assert.deepEqual([refused.status, refused.body.errorCode], [400, 'P7311'])
  assert.deepEqual(asked(), ['acme', 'spare'], 'hub is asked for another check only')
})

test('a failure weighs more than a refusal: what one could have answered is not unsupported', async (t) => {
  const { post, upstreams, asked } = await startRoutedService(t, await open(t), {
    routing: { otherwise: to('acme', 'hub') },
  })
  upstreams.acme.faults.switchOn({ kind: 'garbage', route: check })
  const failed = await post(simSwap, { phoneNumber: '917020140141' })
  assert.deepEqual([failed.status, failed.body.error.errorCode], [200, 'P7314'])
  assert.deepEqual(asked(), ['acme', 'hub'])
})

test('an open circuit passes on at once', async (t) => {
  const service = await startRoutedService(t, await open(t), {
    routing: { operators: { [south]: to('acme', 'hub') } },
  })
  service.upstreams.acme.faults.switchOn({ kind: 'status', status: 500, route: check })
  for (let call = 0; call < 10; call++) await service.post(simSwap, { phoneNumber: ordinary, maxAge: 100 + call })
  service.asked()
  assert.equal((await service.post(simSwap, { phoneNumber: ordinary })).body.success, true)
  assert.deepEqual(service.asked(), ['hub'])
  const call = await adminClient(service, 'analyst')
  const { body } = await call('explainRoute', { phoneNumber: ordinary })
  assert.deepEqual([...Value.Errors(ShownRoute, body)], [])
  assert.deepEqual(
    (body as ShownRoute).routes.map(({ connector, by, isOpen }) => [connector, by, isOpen]),
    [
      ['acme', 'operator', true],
      ['hub', 'operator', false],
    ],
  )
})

test('no fallback is asked after the deadline of the caller', async (t) => {
  const { post, upstreams, asked } = await startRoutedService(t, await open(t), {
    routing: { operators: { [south]: to('acme', 'hub') } },
  })
  await post(simSwap, { phoneNumber: ordinary }) // fetches the access token
  asked()
  upstreams.acme.faults.switchOn({ kind: 'half-open', route: check })
  const deadlines = holdTimers(t, (ms) => ms >= 20_000 && ms <= 30_000)
  const asking = post(simSwap, { phoneNumber: ordinary }, { 'x-ringfence-deadline-ms': '30000' })
  await until(() => upstreams.acme.calls.last(1).some(({ path }) => path === check))
  deadlines.fire()
  const late = await asking
  assert.equal(late.body.error.errorCode, 'P7314')
  assert.deepEqual(asked(), ['acme'])
})

test('an operator without a route takes that of its country, else the catch-all; so does a number that no source knows', async (t) => {
  const routing = { operators: { [south]: to('acme') }, countries: { IN: to('hub') }, otherwise: to('spare') }
  for (const isKnown of [true, false]) {
    const { post, asked } = await startRoutedService(t, await open(t), {
      routing,
      edit: (parts) => ({ ...parts, ...(!isKnown && { portabilitySources: {} }) }),
    })
    const { body } = await post('/v1/telecom/checks', { phoneNumber: ordinary, checks: { simSwap: {} } })
    assert.equal(body.phoneDetail.operator, isKnown ? 'SANDBOX_SOUTH' : undefined)
    assert.equal(body.checks.simSwap.source, isKnown ? 'acme' : 'hub')
    asked()
    // The operator of this number offers no checks.
    await post(simSwap, { phoneNumber: '917020140140' })
    assert.deepEqual(asked(), ['hub'])
    await post(simSwap, { phoneNumber: '61491570140' })
    assert.deepEqual(asked(), ['spare'], 'Australia has no route')
  }
})

test('the home operator of prefix data never takes its own route, unless the configuration assumes it', async (t) => {
  // Prefix data allocate this number of Guernsey to Airtel. No source knows it.
  const phoneNumber = '447839700110'
  for (const assumeHomeOperator of [false, true]) {
    const { post } = await startRoutedService(t, await open(t), {
      routing: { operators: { '234-03': to('acme') }, otherwise: to('spare') },
      edit: (parts) => ({
        ...parts,
        portabilitySources: {},
        operators: [{ id: '234-03', name: 'AIRTEL', assumeHomeOperator }],
      }),
    })
    const { body } = await post('/v1/telecom/checks', { phoneNumber, checks: { simSwap: {} } })
    assert.equal(body.checks.simSwap.source, assumeHomeOperator ? 'acme' : 'spare')
  }
})

test('an operator with an empty list supports no check, whatever its country says', async (t) => {
  const { post, asked } = await startRoutedService(t, await open(t), {
    routing: { operators: { [south]: [] }, countries: { IN: to('hub') }, otherwise: to('spare') },
  })
  const { status, body } = await post(simSwap, { phoneNumber: ordinary })
  assert.deepEqual([status, body.errorCode, asked()], [400, 'P7311', []])
})

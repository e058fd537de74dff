import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CallForwardingResult,
  ErrorBody,
  endpoints,
  PortabilityResult,
  readSamples,
  SimSwapResult,
} from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { eachDatabase } from '../testing/databases.ts'
import { startTestService, type TestAnswer } from '../testing/test-service.ts'
import { until } from '../testing/until.ts'
import type { Answers } from './answers.ts'
import { operatorRegistry } from './operator-registry.ts'
import { operators } from './operators.ts'
import type { PortabilitySource } from './portability-sources/source.ts'

const simSwap = endpoints.simSwapCheck.path
const callForwarding = endpoints.callForwardingCheck.path
const portability = endpoints.portability.path
const samples = readSamples()

/** The specification's own number, an ordinary one. With the prefix below, it also makes numbers of the sandbox's scenarios. */
const ordinary = '917020141726'
const scenario = (suffix: string) => `91702014${suffix}`

function fits(schema: TSchema, { status, body }: TestAnswer, expectedStatus = 200) {
  assert.equal(status, expectedStatus, JSON.stringify(body))
  assert.deepEqual(Value.Errors(schema, body), [])
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('4.1.2 returns swapped false when no swap is found within the window, and phoneDetail without isPorted'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const answer = await service.post(simSwap, { phoneNumber: ordinary })
      fits(SimSwapResult, answer)
      assert.deepEqual(answer.body, samples.SimSwapResult?.['not-swapped'])
      assert.equal(answer.headers.get('x-ringfence-sandbox'), 'true')
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      assert.equal(answer.headers.get('age'), null)
    },
  )

  test(it('4.1.1 returns swapped true when a swap occurred within the maxAge window'), async (t) => {
    const { post } = await startTestService(t, await open(t))
    const phoneNumber = scenario('0111') // swapped 100 hours ago
    assert.equal((await post(simSwap, { phoneNumber })).body.swapped, true, 'the default window is 240 hours')
    assert.equal((await post(simSwap, { phoneNumber, maxAge: 100 })).body.swapped, true)
    assert.equal((await post(simSwap, { phoneNumber, maxAge: 99 })).body.swapped, false)
  })

  test(it('2.1 returns the time zones of the country of the number, and none of its calling code'), async (t) => {
    const { post } = await startTestService(t, await open(t))
    for (const [phoneNumber, timeZone] of [
      ['18762101234', 'America/Jamaica'],
      ['375291234567', 'Europe/Minsk'],
      ['447797712345', 'Europe/Jersey'],
    ] as const)
      assert.deepEqual((await post(portability, { phoneNumber })).body.phoneDetail?.timeZones, [timeZone], phoneNumber)
  })

  test(it('4.1 moves the window with the clock, so that a swap is outside of it later'), async (t) => {
    const { post, sandbox, clock } = await startTestService(t, await open(t))
    const phoneNumber = ordinary
    assert.equal((await post(simSwap, { phoneNumber, maxAge: 24 })).body.swapped, false)
    sandbox.lines.change(phoneNumber, { latestSimChange: new Date(clock.now() - 3_600_000).toISOString() })
    assert.equal((await post(simSwap, { phoneNumber, maxAge: 24 })).body.swapped, true)
    clock.advance({ hours: 24 })
    assert.equal((await post(simSwap, { phoneNumber, maxAge: 24 })).body.swapped, false)
  })

  test(
    it('4.2.1 and 4.2.2 returns callForwardingType active for true and inactive for false, and phoneDetail for both'),
    async (t) => {
      const { post } = await startTestService(t, await open(t))
      const active = await post(callForwarding, { phoneNumber: scenario('0120') })
      fits(CallForwardingResult, active)
      assert.equal(active.body.callForwarding, true)
      assert.equal(active.body.callForwardingType, 'active')
      const inactive = await post(callForwarding, { phoneNumber: ordinary })
      assert.deepEqual(inactive.body, samples.CallForwardingResult?.inactive)
    },
  )

  test(it('counts conditional forwarding only if the configuration of the operator says so'), async (t) => {
    const phoneNumber = scenario('0121')
    const plain = await startTestService(t, await open(t))
    assert.equal((await plain.post(callForwarding, { phoneNumber })).body.callForwarding, false)
    const counting = await startTestService(t, await open(t), {
      edit: (parts) => ({
        ...parts,
        connectors: {
          sandbox: {
            ...parts.connectors.sandbox!,
            callForwarding: { calls: ['call-forwardings', 'unconditional-call-forwardings'] },
          } as { type: string },
        },
        operators: parts.operators.map((entry) => ({ ...entry, callForwarding: { conditional: true } })),
      }),
    })
    assert.equal((await counting.post(callForwarding, { phoneNumber })).body.callForwarding, true)
  })

  test(
    it('4.3.1 returns isPorted true when operator differs from homeOperator, and false for a number ported back home'),
    async (t) => {
      const { post } = await startTestService(t, await open(t))
      const ported = await post(portability, { phoneNumber: scenario('0130') })
      fits(PortabilityResult, ported)
      assert.equal(ported.body.phoneDetail.isPorted, true)
      assert.notEqual(ported.body.phoneDetail.operator, ported.body.phoneDetail.homeOperator)
      const back = await post(portability, { phoneNumber: scenario('0131') })
      assert.equal(back.body.phoneDetail.isPorted, false)
      assert.equal(back.body.phoneDetail.operator, back.body.phoneDetail.homeOperator)
      assert.deepEqual(
        (await post(portability, { phoneNumber: ordinary })).body,
        samples.PortabilityResult?.['not-ported'],
      )
    },
  )

  test(
    it('2.1 returns the type LANDLINE for a landline number, and no type when it can be a landline or a mobile'),
    async (t) => {
      const { post } = await startTestService(t, await open(t))
      assert.equal((await post(portability, { phoneNumber: '442071838750' })).body.phoneDetail.type, 'LANDLINE')
      assert.equal('type' in (await post(portability, { phoneNumber: '12125550123' })).body.phoneDetail, false)
    },
  )

  for (const [path, code] of [
    [simSwap, 'P7311'],
    [callForwarding, 'P7331'],
  ] as const) {
    test(it(`7.1 returns 400 ${code} when the operator does not support the check: ${path}`), async (t) => {
      const { post } = await startTestService(t, await open(t))
      for (const suffix of ['0140', '0141']) {
        // without a connector; with one that says SERVICE_NOT_APPLICABLE
        const answer = await post(path, { phoneNumber: scenario(suffix) })
        fits(ErrorBody, answer, 400)
        assert.equal(answer.body.errorCode, code)
        assert.equal(answer.headers.get('x-ringfence-sandbox'), 'true')
      }
    })
  }

  test(
    it('returns 400 P7312 for a window beyond the limit of the operator, with the limit if it is known'),
    async (t) => {
      const unknownLimit = await startTestService(t, await open(t))
      const phoneNumber = scenario('0114') // 168 hours by law
      const refused = await unknownLimit.post(simSwap, { phoneNumber, maxAge: 169 })
      fits(ErrorBody, refused, 400)
      assert.equal(refused.body.errorCode, 'P7312')
      assert.doesNotMatch(refused.body.description, /\d/)
      assert.equal((await unknownLimit.post(simSwap, { phoneNumber, maxAge: 168 })).body.success, true)

      const knownLimit = await startTestService(t, await open(t), {
        edit: (parts) => ({
          ...parts,
          operators: parts.operators.map((entry) => ({ ...entry, simSwap: { limitHours: 168 } })),
        }),
      })
      const overLimit = await knownLimit.post(simSwap, { phoneNumber: ordinary, maxAge: 169 })
      assert.equal(overLimit.status, 400)
      assert.equal(overLimit.body.description, 'The operator of the phone number looks back at most 168 hours')
      assert.equal(
        (await knownLimit.post(simSwap, { phoneNumber })).body.success,
        true,
        'a default window is never larger than the limit',
      )
    },
  )

  test(it('4.1.3 omits swapped from a failed check, and still returns phoneDetail'), async (t) => {
    const { post } = await startTestService(t, await open(t))
    const answer = await post(simSwap, { phoneNumber: scenario('0150') })
    fits(SimSwapResult, answer)
    assert.deepEqual(answer.body, samples.SimSwapResult?.failed)
  })

  test(it('4.2.3 omits callForwarding and callForwardingType from a failed check'), async (t) => {
    const { post } = await startTestService(t, await open(t))
    const failed = await post(callForwarding, { phoneNumber: scenario('0150') })
    assert.deepEqual(failed.body, samples.CallForwardingResult?.failed)
    // The operator answers `{}`: that is a failure, not "false".
    assert.equal((await post(callForwarding, { phoneNumber: scenario('0122') })).body.error.errorCode, 'P7334')
  })

  test(it('4.3.2 and 7.2 returns P7301 in a 200 when the operator cannot be determined'), async (t) => {
    const { post } = await startTestService(t, await open(t))
    for (const path of [simSwap, callForwarding, portability]) {
      for (const suffix of ['0132', '0133']) {
        const { status, body } = await post(path, { phoneNumber: scenario(suffix) })
        assert.equal(status, 200)
        assert.equal(body.success, false)
        assert.equal(body.error.errorCode, 'P7301')
        assert.equal(body.error.message, 'Telecom lookup failed')
        assert.equal(body.error.description, 'Unable to retrieve operator details from the upstream provider')
        assert.equal(body.phoneDetail.country, 'IN')
        assert.equal('isPorted' in body.phoneDetail, false)
      }
    }
  })

  test(
    it(
      'queries the home operator of prefix data only if its configuration says assumeHomeOperator, and never reports it',
    ),
    async (t) => {
      // Prefix data allocate this number of Guernsey to Airtel. No source knows it.
      const phoneNumber = '447839700110'
      const withHome = async (assumeHomeOperator: boolean) =>
        startTestService(t, await open(t), {
          edit: (parts) => ({
            ...parts,
            portabilitySources: {},
            operators: [{ id: '234-03', name: 'AIRTEL', connector: 'sandbox', assumeHomeOperator }],
          }),
        })
      const strict = await withHome(false)
      const assuming = await withHome(true)
      for (const path of [simSwap, callForwarding]) {
        assert.equal((await strict.post(path, { phoneNumber })).body.error.errorCode, 'P7301')
        const { body } = await assuming.post(path, { phoneNumber })
        assert.equal(body.success, true)
        assert.equal(body.phoneDetail.homeOperator, 'AIRTEL')
        for (const field of ['operator', 'isPorted']) assert.equal(field in body.phoneDetail, false, field)
      }
      assert.equal((await assuming.post(portability, { phoneNumber })).body.error.errorCode, 'P7301')
      const { body } = await assuming.parts.metrics.text()
      for (const check of ['simSwap', 'callForwarding'])
        assert.match(
          body,
          new RegExp(`checks_total\\{check="${check}",operator="AIRTEL",`),
          'counted for the one that answered',
        )
    },
  )

  test(
    it('reuses an answer for a configurable time and returns its age; another window queries the operator'),
    async (t) => {
      const { post, clock, sandbox } = await startTestService(t, await open(t), {
        settings: { simSwapReuseSeconds: 60, callForwardingReuseSeconds: 60 },
      })
      const ask = () => post(simSwap, { phoneNumber: ordinary, maxAge: 24 })
      assert.equal((await ask()).headers.get('age'), null)
      await until(ask, (answer) => answer.headers.get('age') === '0')
      sandbox.lines.change(ordinary, { latestSimChange: new Date(clock.now() - 3_600_000).toISOString() })
      clock.advance({ seconds: 59 })
      const reused = await ask()
      assert.equal(reused.body.swapped, false)
      assert.equal(reused.headers.get('age'), '59')
      assert.equal((await post(simSwap, { phoneNumber: ordinary, maxAge: 25 })).body.swapped, true)
      clock.advance({ seconds: 1 })
      const second = await ask()
      assert.equal(second.body.swapped, true)
      assert.equal(second.headers.get('age'), null)
    },
  )

  test(
    it(
      '4.3 reuses a remote portability answer for 24 hours and returns its age; queries again for a number that was unknown',
    ),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { post, clock, parts: needs } = service
      let queries = 0
      let known: { operator: string; homeOperator: string; ported: boolean } | undefined
      const registry: PortabilitySource = {
        name: 'registry',
        async lookUp() {
          queries++
          return known && { ...known, asOf: clock.now() }
        },
      }
      needs.telecom.operators = operators({
        registry: operatorRegistry([]),
        sources: () => [registry],
        metadata: { origin: 'none', lookUp: () => ({ timeZones: [] }) },
        answers: needs.telecom.answers,
        portabilityReuseSeconds: needs.settings.portabilityReuseSeconds,
        clock,
        log: needs.log,
      })
      const ask = () => post(portability, { phoneNumber: ordinary })
      assert.equal((await ask()).body.error.errorCode, 'P7301')
      known = { operator: '404-45', homeOperator: '404-10', ported: true }
      const fresh = await ask()
      assert.equal(fresh.body.phoneDetail.isPorted, true)
      assert.equal(fresh.headers.get('age'), null)
      await until(ask, (answer) => answer.headers.get('age') === '0')
      known = { ...known, ported: false }
      clock.advance({ hours: 23 })
      const queriesBefore = queries
      const reused = await ask()
      assert.equal(reused.headers.get('age'), String(23 * 3600))
      assert.equal(reused.body.phoneDetail.isPorted, true)
      assert.equal(queries, queriesBefore)
      clock.advance({ hours: 1 })
      assert.equal((await ask()).body.phoneDetail.isPorted, false)
    },
  )

  test(it('reuses a stored answer only for the tenant that asked'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { simSwapReuseSeconds: 3600 } })
    await service.post(simSwap, { phoneNumber: ordinary })
    await until(
      () => service.post(simSwap, { phoneNumber: ordinary }),
      (answer) => answer.headers.has('age'),
    )
    const other = await service.parts.tenantKeyring.createTenant('other')
    const credentials = await service.parts.clients.createClient(other.id, 'other')
    const answer = await service.post(simSwap, { phoneNumber: ordinary }, { ...credentials })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('age'), null)
  })

  test(it('sends one upstream call for equal questions at the same time'), async (t) => {
    const { post, sandbox, parts } = await startTestService(t, await open(t), { settings: { overloadDelayMs: 60_000 } })
    await post(simSwap, { phoneNumber: ordinary }) // fetches the access tokens
    sandbox.calls.clear()
    sandbox.faults.switchOn({ kind: 'slow', delayMs: 600_000, route: '/sim-swap/v2/check' })
    // The operator answers when all of them have asked.
    const questions = t.mock.method(parts.telecom.answers, 'findAmong')
    const all = Promise.all(Array.from({ length: 20 }, () => post(simSwap, { phoneNumber: ordinary })))
    const isSimSwap = ([{ names }]: Parameters<Answers['findAmong']>) => names[0]!.startsWith('simSwap')
    await until(() => questions.mock.calls.filter((call) => isSimSwap(call.arguments)).length === 20)
    await until(() => sandbox.calls.last(1).length === 1)
    sandbox.faults.switchAllOff()
    await all
    const checks = sandbox.calls.last(100).filter(({ path }) => path.endsWith('/check'))
    assert.equal(checks.length, 1)
  })
})

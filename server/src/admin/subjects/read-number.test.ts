// Does the console see what is known of a number, explain the way of a check, and check it in the name of who clicked?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckedNumber, checks, operatorCheckNames, ShownNumber, ShownRoute } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { ruleSetOf } from '../../rules/rule-set.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import type { ActorCall } from '../call.ts'
import { type AdminCaller, adminClient } from '../testing.ts'
import { adminExplainRoute } from './explain-route.ts'

/** Its SIM was swapped, and the operator says so. */
const swapped = '917020140110'
const usual = '917020141726'

async function answer<T>(
  call: AdminCaller,
  name: Parameters<AdminCaller>[0],
  schema: TSchema,
  fields: object,
): Promise<T> {
  const { status, body } = await call(name, fields)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([...Value.Errors(schema, body)], [])
  return body
}

const calls = (call: AdminCaller) => ({
  read: (phoneNumber: string) => answer<ShownNumber>(call, 'readNumber', ShownNumber, { phoneNumber }),
  route: (phoneNumber: string) => answer<ShownRoute>(call, 'explainRoute', ShownRoute, { phoneNumber }),
  check: (fields: object) => answer<CheckedNumber>(call, 'checkNumber', CheckedNumber, fields),
})

async function eventsAbout(call: AdminCaller, phoneNumber: string) {
  const { body } = await call('searchEvents', { phoneNumber, types: ['telecom.*'] })
  return (body.events as { data: Record<string, unknown> }[]).map(({ data }) => data)
}

const auditLines = async ({ parts: needs, tenantId }: TestService) =>
  (await needs.database.query('select 1 as line from audit_line where tenant_id = $1', [tenantId])).length

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(
    it('a check by hand calls the operator, is reused like any other, and leaves an event and an audit line each time'),
    async (t) => {
      const service = await startTestService(t, await open(t), { settings: { simSwapReuseSeconds: 600 } })
      const analyst = await adminClient(service, 'analyst')
      const { check } = calls(analyst)
      const first = await check({ phoneNumber: swapped, check: 'simSwap' })
      assert.deepEqual([first.result, first.sandbox, first.ageSeconds], ['yes', true, undefined])
      assert.equal(first.maxAgeHours, 240)
      service.clock.advance({ seconds: 90 })
      const again = await check({ phoneNumber: swapped, check: 'simSwap' })
      assert.deepEqual([again.result, again.ageSeconds], ['yes', 90])
      const events = await eventsAbout(analyst, swapped)
      assert.deepEqual(
        events.map(({ check: name, result }) => [name, result]),
        [
          ['simSwap', 'yes'],
          ['simSwap', 'yes'],
        ],
      )
      assert.ok(events.every(({ by }) => typeof by === 'string' && by.startsWith('rfc_')))
      assert.equal(await auditLines(service), 2)
    },
  )

  test(it('an answer is reused for as long as the entry of its operator says'), async (t) => {
    const service = await startTestService(t, await open(t), {
      settings: { simSwapReuseSeconds: 600 },
      edit: (parts) => ({
        ...parts,
        operators: parts.operators.map((entry) => ({ ...entry, reuseSeconds: { simSwap: 60 } })),
      }),
    })
    const { read, check } = calls(await adminClient(service, 'analyst'))
    await check({ phoneNumber: usual, check: 'simSwap' })
    const reusable = async () => (await read(usual)).answers.map(({ reusableSeconds }) => reusableSeconds)
    while ((await reusable()).length === 0) await new Promise((later) => setTimeout(later, 10))
    service.clock.advance({ seconds: 20 })
    assert.deepEqual(await reusable(), [40])
  })

  test(it('a check without an answer says why, and one of an impossible number is refused'), async (t) => {
    const service = await startTestService(t, await open(t), {
      edit: (parts) => ({ ...parts, operators: parts.operators.map(({ connector: _, ...rest }) => rest) }),
    })
    const call = await adminClient(service, 'owner')
    const { check } = calls(call)
    const unsupported = await check({ phoneNumber: usual, check: 'callForwarding' })
    assert.deepEqual([unsupported.result, unsupported.failure], ['unknown', 'P7331'])
    assert.match(unsupported.why!, /No call forwarding check available/)
    assert.equal((await eventsAbout(call, usual)).length, 1)
    const impossible = await call('checkNumber', { phoneNumber: '99999', check: 'simSwap' })
    assert.deepEqual([impossible.status, impossible.body.type], [400, '/problems/field-invalid'])
    assert.equal(await auditLines(service), 1)
  })

  test(
    it('a KYC match by hand says which field differs from the subscriber, and stores what was typed nowhere'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      service.sandbox.lines.change(usual, { subscriber: { name: 'Zainab Ali', birthdate: '1988-07-06', email: null } })
      const call = await adminClient(service, 'analyst')
      const { check } = calls(call)
      const params = { name: 'ZAINAB ALI', birthdate: '1978-08-22', email: 'z@shop.example' }
      const { result, fields } = await check({ phoneNumber: usual, check: 'kycMatch', params })
      assert.deepEqual([result, fields], ['yes', { name: { match: true }, birthdate: { match: false } }])
      const right = await check({ phoneNumber: usual, check: 'kycMatch', params: { birthdate: '1988-07-06' } })
      assert.equal(right.result, 'no')
      for (const table of ['audit_line', 'event', 'telecom_answer']) {
        const rows = JSON.stringify(await service.parts.database.query(`select * from ${table}`))
        for (const typed of Object.values(params)) assert.ok(!rows.includes(typed), `${table} ${typed}`)
      }
      for (const [wrong, mistake] of [
        [undefined, /params must have what kycMatch compares/],
        [{}, /params/],
        [{ birthdate: '1978-02-30' }, /birthdate/],
        [{ birthdate: '2999-01-01' }, /birthdate must not be in the future/],
        [{ birthDate: '1978-08-22' }, /birthDate/],
        [{ name: 7 }, /name/],
      ] as const) {
        const { status, body } = await call('checkNumber', { phoneNumber: usual, check: 'kycMatch', params: wrong })
        assert.equal(status, 400, JSON.stringify(wrong))
        assert.match(JSON.stringify(body), mistake)
      }
    },
  )

  test(it('who may only read checks nothing, and nobody is called'), async (t) => {
    const service = await startTestService(t, await open(t))
    for (const role of ['viewer', 'support'] as const) {
      const call = await adminClient(service, role)
      const { status, body } = await call('checkNumber', { phoneNumber: swapped, check: 'simSwap' })
      assert.deepEqual([status, body.type], [403, '/problems/permission-missing'], role)
      await calls(call).read(swapped)
    }
    assert.deepEqual(service.sandbox.calls.last(10), [])
  })

  test(it('shows stored answers with their age, users of decisions, and velocities'), async (t) => {
    const service = await startTestService(t, await open(t), {
      settings: { simSwapReuseSeconds: 600, callForwardingReuseSeconds: 0 },
    })
    const { parts: needs, tenantId, clock, post } = service
    const { read, check } = calls(await adminClient(service, 'analyst'))
    const ruleSet = ruleSetOf({
      velocity: { payments: { count: 'decisions', per: 'phoneNumber', within: '24h' } },
      rules: [
        {
          id: 'many',
          name: 'Many',
          when: 'velocity.payments > 5 or telecom.simSwap.swapped',
          action: 'WARN',
          score: 1,
        },
      ],
    })
    const version = await needs.rules.draft(tenantId, ruleSet, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    clock.advance({ seconds: 1 })
    assert.deepEqual((await read(usual)).answers, [])
    await check({ phoneNumber: usual, check: 'simSwap', maxAge: 24 })
    clock.advance({ seconds: 100 })
    for (const userId of ['asha', 'ben', 'asha']) {
      assert.equal((await post('/v1/decisions', { action: 'PAYMENT', userId, phoneNumber: usual })).status, 200)
      clock.advance({ seconds: 1 })
    }
    const number = await read(usual)
    const swap = number.answers.find(({ maxAgeHours }) => maxAgeHours === 24)
    assert.deepEqual([swap?.check, swap?.result, swap?.from], ['simSwap', 'no', 'sandbox'])
    assert.equal(swap?.reusableSeconds, 600 - 103)
    assert.deepEqual(
      number.accounts.map(({ userId, saidBy }) => [userId, saidBy]),
      [
        ['asha', 'backend'],
        ['ben', 'backend'],
      ],
    )
    assert.deepEqual(
      number.velocities.map(({ name, value }) => [name, value]),
      [['payments', 3]],
    )
    assert.equal(number.phoneDetail.country, 'IN')
  })

  test(it('explains which source says which operator, and which connector would be called'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { portabilityReuseSeconds: 3600 } })
    const call = await adminClient(service, 'analyst')
    const { route, check } = calls(call)
    const { phoneDetail } = await check({ phoneNumber: usual, check: 'simSwap' })
    const after = await route(usual)
    assert.deepEqual(
      after.sources.map(({ name, kind, state, sandbox }) => [name, kind, state, sandbox]),
      [['sandbox', 'remote', 'answered', true]],
    )
    assert.deepEqual(after.asked, { operator: phoneDetail?.operator, because: 'serves' })
    assert.equal(after.connector?.name, 'sandbox')
    assert.deepEqual(after.connector?.checks, operatorCheckNames)
    assert.deepEqual(
      after.connector?.upstreams.map(({ service: name, circuit }) => [name, circuit]),
      [...operatorCheckNames.map((name) => checks[name].camara?.api), 'code', 'number-verification'].map((name) => [
        name,
        'closed',
      ]),
    )
  })

  test(
    it('explains a route without calling a remote source that may cost, and says what a check would do'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { parts: needs, tenantId } = service
      let looked = 0
      const remote = { name: 'hub', lookUp: async () => ({ asOf: 0, operator: `404-${looked++}` }) }
      t.mock.method(needs.telecom.operators, 'sourcesFor', async () => ({ asked: [remote], leftOut: [] }))
      const call = { actor: { tenantId }, signal: new AbortController().signal, correlator: '' } as unknown as ActorCall
      const explained = await adminExplainRoute({ phoneNumber: usual }, call, needs)
      assert.deepEqual(
        explained.sources.map(({ name, kind, state }) => [name, kind, state]),
        [['hub', 'remote', 'notCalled']],
      )
      assert.deepEqual([looked, explained.asked, explained.connector], [0, undefined, undefined])
    },
  )

  test(it('another tenant sees nothing of a number'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { simSwapReuseSeconds: 600 } })
    const { id: tenantId } = await service.parts.tenantKeyring.createTenant('another')
    const [own, foreign] = [await adminClient(service, 'owner'), await adminClient(service, 'owner', { tenantId })]
    await calls(own).check({ phoneNumber: swapped, check: 'simSwap' })
    await service.post('/v1/decisions', { action: 'PAYMENT', userId: 'asha', phoneNumber: swapped })
    const seen = await calls(foreign).read(swapped)
    assert.deepEqual([seen.answers, seen.accounts], [[], []])
    assert.deepEqual(await eventsAbout(foreign, swapped), [])
  })
})

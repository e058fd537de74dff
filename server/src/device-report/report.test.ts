import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { DeviceReport, endpoints, readSamples } from '@ringfence/contract'
import Value from 'typebox/value'
import { dropExpired } from '../device/history/retention.ts'
import { combined } from '../device/scores/combine.ts'
import { findAnalysis } from '../device/store/device-analyses.ts'
import { dfrIdOf } from '../device/store/find-analysis.ts'
import { openRecord } from '../device/store/record.ts'
import { ordinaryFacts, browserClient as sdkClient } from '../device/testdata/ordinary-report.ts'
import { backtest } from '../rules/backtests/backtest.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import { readRuleSet } from '../rules/rule-set.ts'
import { eachDatabase, sqliteDatabases } from '../testing/databases.ts'
import { createApp, type SdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestAnswer, type TestService } from '../testing/test-service.ts'
import type { ReportBasis } from './basis.ts'
import { basisOf as reportBasisOf } from './basis.ts'
import { reportDefaults } from './fields.ts'
import { ruleInputOf } from './rule-input.ts'
import { storedReports } from './stored-reports.ts'

const push = endpoints.pushFingerprint.path
const report = endpoints.deviceFingerprint.path
const samples = readSamples().DeviceErrorBody!

const read = ({ post }: TestService, dfrId: unknown, deviceType: unknown = 'WEB', headers = {}) =>
  post(report, { dfrId, deviceType }, headers)

async function readReport(service: TestService, dfrId: string): Promise<DeviceReport> {
  const { status, body } = await read(service, dfrId)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Value.Errors(DeviceReport, body), [])
  return body
}

/** Makes an engine call with updateInfo, then a push. */
async function reportOf(
  service: TestService,
  client: SdkClient,
  {
    facts = ordinaryFacts,
    updateInfo = {},
    params = {},
  }: { facts?: object; updateInfo?: object; params?: object } = {},
): Promise<DeviceReport> {
  const { requestId } = await client.analyse(facts, { updateInfo })
  const { body } = await client.post(push, client.pushBody(requestId, params))
  return readReport(service, body.dfrId)
}

/** The stored basis of the report of an engine call, and the input of its rules. */
async function basisOf(
  { parts: needs, tenantId }: TestService,
  requestId: string,
): Promise<ReportBasis & { input: RuleInput }> {
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  const found = await findAnalysis(needs.database, { tenantId, dfrId: dfrIdOf(requestId, keys) }, 0)
  const { analysis, report } = found ? openRecord(found, keys, needs.compression) : {}
  assert.ok(analysis && report)
  const basis = reportBasisOf(report)
  return { ...basis, input: ruleInputOf(analysis, basis) }
}

function assertRefused({ status, body, headers }: TestAnswer, expected: number, sample: string): void {
  const { errorMessage } = samples[sample] as { errorMessage: string }
  assert.deepEqual(body, { requestId: headers.get('x-request-id'), errorMessage })
  assert.equal(status, expected)
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('a report has every field of 2.6 in its type, the requestId of the engine call, and its tsId as sessionId'),
    async (t) => {
      const service = await startTestService(t, await open(t), { settings: { trustedProxies: '127.0.0.1' } })
      const client = await sdkClient(service, { headers: { 'x-forwarded-for': '10.1.2.3' } })
      const { requestId, dfrId } = await client.fingerprint(ordinaryFacts, { orderId: 'A-17' })
      const body = await readReport(service, dfrId)
      assert.deepEqual(Object.keys(body).toSorted(), DeviceReport.required.toSorted())
      const { deviceId, sessionRiskScore, deviceRiskScore, ...rest } = body
      assert.match(deviceId, /^[0-9a-f-]{36}$/)
      assert.deepEqual([sessionRiskScore, deviceRiskScore], [0, 0])
      assert.deepEqual(rest, {
        ...Object.fromEntries(Object.keys(rest).map((name) => [name, Reflect.get(reportDefaults, name)])),
        requestId,
        sessionId: client.sessionId,
        newDevice: true,
        ip: '10.1.2.3',
        deviceMeta: rest.deviceMeta,
      })
      assert.deepEqual((await read(service, dfrId)).body, body, 'it is read unchanged')
    },
  )

  test(it('refuses a device report with 401, 400 and 404 in its own error format'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { dfrId } = await (await sdkClient(service)).fingerprint(ordinaryFacts)
    assertRefused(await read(service, dfrId, 'WEB', { clientId: '', clientSecret: '' }), 401, 'credentials-missing')
    assertRefused(await read(service, dfrId, 'WEB', { clientSecret: 'x' }), 401, 'credentials-invalid')
    for (const [body, field] of [
      [{ deviceType: 'WEB' }, 'dfrId'],
      [{ dfrId: 7, deviceType: 'WEB' }, 'dfrId'],
      [{ dfrId }, 'deviceType'],
      [{ dfrId, deviceType: 'web' }, 'deviceType'],
      [{ dfrId, deviceType: null }, 'deviceType'],
    ] as const) {
      const { status, body: answer } = await service.post(report, body)
      assert.deepEqual([status, answer.errorMessage.split(' ')[0]], [400, field])
    }
    const stranger = await service.parts.tenantKeyring.createTenant('stranger')
    const foreign = await service.parts.clients.createClient(stranger.id, 'x')
    assertRefused(await read(service, dfrId, 'WEB', { ...foreign }), 404, 'report-unknown')
    assertRefused(await read(service, dfrId, 'IOS'), 404, 'report-unknown')
    for (const id of ['', 'x', dfrId.toUpperCase(), '0'.repeat(32), '\0', '\ud800', 'f'.repeat(10_000)]) {
      assertRefused(await read(service, id), 404, 'report-unknown')
    }
    service.clock.advance({ hours: 30 * 24 })
    assertRefused(await read(service, dfrId), 404, 'report-unknown')
  })

  test(
    it('the first push seals the report; later pushes change nothing, and concurrent pushes get one report'),
    async (t) => {
      const service = await startTestService(t, await open(t), { settings: { overloadDelayMs: 60_000 } })
      const app = await createApp(service, { settings: { revealReport: true } })
      const client = await sdkClient(service, { app })
      const { requestId } = await client.analyse(ordinaryFacts)
      const body = client.pushBody(requestId)
      const answers = await Promise.all(Array.from({ length: 6 }, () => client.post(push, body)))
      const [first] = answers
      for (const { body: each } of answers) assert.deepEqual(each, first!.body)
      assert.deepEqual(first!.body.intelligenceResponse, await readReport(service, first!.body.dfrId))
      service.clock.advance({ seconds: 60 })
      assert.deepEqual((await client.post(push, body)).body, first!.body)
      const visits = await service.parts.database.query('select signals from device_analysis')
      assert.deepEqual(visits, [{ signals: '' }])
    },
  )

  test(
    it('additionalData has the params and keys of additionalInput that additionalDataFields lists, verbatim'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const settings = { additionalDataFields: ['orderId', 'basket', 'shop', '__proto__', 'absent', 'data'] }
      const client = await sdkClient(service, { app: await createApp(service, { settings }) })
      const params = JSON.parse('{"orderId":7,"basket":{"a":[null,1.5]},"__proto__":"p","other":1}')
      const updateInfo = { additionalInput: { shop: 'north', orderId: 'of additionalInput' } }
      const { additionalData } = await reportOf(service, client, { params, updateInfo })
      assert.equal(
        JSON.stringify(additionalData),
        '{"orderId":7,"basket":{"a":[null,1.5]},"shop":"north","__proto__":"p"}',
      )
      assert.deepEqual((await reportOf(service, await sdkClient(service), { params, updateInfo })).additionalData, {})
    },
  )

  test(it('the fifth account on a device in a day raises the score and fires a rule, with reasons'), async (t) => {
    const service = await startTestService(t, await open(t))
    const client = await sdkClient(service)
    const { deviceToken } = await client.analyse(ordinaryFacts)
    const facts = { ...ordinaryFacts, deviceToken }
    const reports: DeviceReport[] = []
    for (const userId of ['a', 'b', 'c', 'd', 'e']) {
      service.clock.advance({ seconds: 60 })
      reports.push(await reportOf(service, client, { facts, updateInfo: { userId, phoneNumber: '+91 70201 41726' } }))
    }
    const [first, last] = [reports[0]!, reports.at(-1)!]
    assert.equal(last.deviceId, deviceToken!.split('.')[0])
    assert.deepEqual([first.newDevice, last.newDevice], [false, false])
    assert.equal(last.sessionRiskScore, first.sessionRiskScore)
    assert.ok(last.deviceRiskScore >= first.deviceRiskScore + 20, `${first.deviceRiskScore} ${last.deviceRiskScore}`)
    assert.ok(Object.hasOwn(last.appliedRules.rules, 'many-accounts : Many accounts on one device'))

    const { scores, input } = await basisOf(service, last.requestId)
    assert.equal(combined(scores.device.contributions, 100), last.deviceRiskScore)
    assert.ok(scores.device.contributions.some(({ source }) => source === 'accountsPerDevice'))
    assert.deepEqual(
      [
        input.velocity?.accountsPerDevice24h,
        input.velocity?.phoneNumbersPerDevice24h,
        input.velocity?.devicesPerAccount1h,
      ],
      [5, 1, 1],
    )
  })

  test(it('a live rule blocks the next session of a device; a shadow rule only records'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const client = await sdkClient(service)
    const { deviceToken } = await client.analyse(ordinaryFacts)
    const facts = { ...ordinaryFacts, deviceToken }
    const { deviceId, ruleAction } = await reportOf(service, client, { facts })
    assert.equal(ruleAction.action, 'ALLOW')
    const draft = (id: string, action: string) => {
      const when = `deviceId == "${deviceId}" and params.amount > 10`
      const written = { rules: [{ id, name: `Rule ${id}`, when, action, score: 77, message: 'Call us' }] }
      return needs.rules.draft(tenantId, readRuleSet(written).ruleSet, { by: 'test' })
    }
    await needs.rules.live(tenantId, await draft('r1', 'BLOCK'), { by: 'test' }, { untried: true })
    await needs.rules.shadow(tenantId, await draft('r2', 'WARN'), { by: 'test' })
    service.clock.advance({ seconds: 2 })
    const blocked = await reportOf(service, client, { facts, params: { amount: 25 } })
    assert.deepEqual(blocked.ruleAction, { action: 'BLOCK', name: 'Rule r1', description: '', message: 'Call us' })
    assert.deepEqual(blocked.appliedRules, { rules: { 'r1 : Rule r1': 77 }, totalScore: 77 })
    const { rules } = await basisOf(service, blocked.requestId)
    assert.deepEqual([rules.live, rules.shadow?.version, rules.shadow?.ruleAction.action], [1, 2, 'WARN'])
    assert.equal((await reportOf(service, client, { facts, params: { amount: 5 } })).ruleAction.action, 'ALLOW')

    await needs.rules.live(tenantId, await draft('r3', 'CHALLENGE'), { by: 'test' }, { untried: true })
    await needs.rules.shadow(tenantId, await draft('r4', 'REVIEW'), { by: 'test' })
    service.clock.advance({ seconds: 2 })
    const challenged = await reportOf(service, client, { facts, params: { amount: 25 } })
    assert.deepEqual([challenged.ruleAction.action, challenged.ruleAction.name], ['WARN', 'Rule r3'])
    const basis = await basisOf(service, challenged.requestId)
    assert.equal(basis.rules.shadow?.ruleAction.action, 'REVIEW')
    const text = await (await fetch(`${service.url}/metrics`)).text()
    assert.match(text, /ringfence_reports_total\{platform="WEB",action="WARN"\} 1/)
  })

  test(it('a rule reads a list, at once after the start and after each change'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, clock } = service
    const client = await sdkClient(service)
    await needs.rules.lists.create(tenantId, { name: 'stolen-cards', kind: 'text', purpose: 'block' }, 'test')
    const when = 'inList("stolen-cards", params.card) and not inList("gone", params.card)'
    const { ruleSet } = readRuleSet({ rules: [{ id: 'r', name: 'Stolen', when, action: 'BLOCK', score: 90 }] })
    await assert.rejects(needs.rules.draft(tenantId, ruleSet, { by: 'test' }), /there is no list "gone"/)
    await needs.rules.lists.create(tenantId, { name: 'gone', kind: 'text', purpose: 'allow' }, 'test')
    await needs.rules.live(
      tenantId,
      await needs.rules.draft(tenantId, ruleSet, { by: 'test' }),
      { by: 'test' },
      { untried: true },
    )
    await needs.rules.lists.delete(tenantId, 'gone')
    await needs.rules.lists.add(tenantId, 'stolen-cards', [{ value: 'c1' }], 'test')
    const actionOf = async (card: string) => (await reportOf(service, client, { params: { card } })).ruleAction.action
    assert.deepEqual([await actionOf('c1'), await actionOf('c2')], ['BLOCK', 'ALLOW'])
    await needs.rules.lists.add(tenantId, 'stolen-cards', [{ value: 'c2' }], 'test')
    await needs.rules.lists.remove(tenantId, 'stolen-cards', ['c1'])
    clock.advance({ seconds: 1 })
    assert.deepEqual([await actionOf('c1'), await actionOf('c2')], ['ALLOW', 'BLOCK'])
  })

  test(it('userEventType is OTHERS for rules unless updateInfo has it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const client = await sdkClient(service)
    for (const [updateInfo, wanted] of [
      [{}, 'OTHERS'],
      [{ userId: 'a', userEventType: 'login' }, 'OTHERS'],
      [{ userEventType: 'LOGIN' }, 'LOGIN'],
    ] as const) {
      const { requestId } = await reportOf(service, client, { updateInfo })
      const { input } = await basisOf(service, requestId)
      assert.equal(input.updateInfo?.userEventType, wanted)
    }
  })

  test(it('labels of reports feed the history of the device, and count once'), async (t) => {
    const service = await startTestService(t, await open(t))
    const client = await sdkClient(service)
    const { deviceToken } = await client.analyse(ordinaryFacts)
    const facts = { ...ordinaryFacts, deviceToken }
    const { requestId, dfrId } = await client.fingerprint(facts)
    const label = (labels: object[], headers = {}) => service.post(endpoints.labelReports.path, { labels }, headers)
    const before = await reportOf(service, client, { facts })
    const unknown = randomUUID()
    const answer = await label([
      { dfrId, outcome: 'fraud' },
      { requestId, outcome: 'fraud' },
      { requestId: unknown, outcome: 'fraud' },
    ])
    assert.deepEqual([answer.status, answer.body], [200, { accepted: 2, unknown: [unknown] }])
    const after = await reportOf(service, client, { facts })
    assert.ok(after.deviceRiskScore >= 70 && before.deviceRiskScore < 70)
    assert.equal(after.ruleAction.name, 'Device used in earlier fraud')
    assert.deepEqual([after.ruleAction.action, after.sessionRiskScore], ['BLOCK', before.sessionRiskScore])

    service.clock.advance({ hours: 60 * 24 })
    await dropExpired(service.parts)
    assert.equal((await read(service, dfrId)).status, 404)
    const late = await label([{ dfrId, outcome: 'legitimate' }])
    assert.deepEqual(
      late.body,
      { accepted: 1, unknown: [] },
      'a chargeback, or its reversal, comes after reports are deleted',
    )
    const next = await sdkClient(service, { app: client.app })
    const { deviceRiskScore } = await reportOf(service, next, { facts })
    assert.ok(deviceRiskScore < 70)

    const stranger = await service.parts.tenantKeyring.createTenant('stranger')
    const foreign = await service.parts.clients.createClient(stranger.id, 'x')
    assert.deepEqual((await label([{ dfrId, outcome: 'fraud' }], { ...foreign })).body, {
      accepted: 0,
      unknown: [dfrId],
    })
    for (const wrong of [
      [],
      [{ outcome: 'fraud' }],
      [{ dfrId, outcome: 'odd' }],
      [{ dfrId, requestId, outcome: 'fraud' }],
    ]) {
      assert.equal((await label(wrong)).status, 400)
    }
  })
})

test('a tenant and a session cannot read the dfrId of another', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const app = await createApp(service)
  const [one, two] = [await sdkClient(service, { app }), await sdkClient(service, { app })]
  const [first, second] = [await one.fingerprint(ordinaryFacts), await two.fingerprint(ordinaryFacts)]
  assert.notEqual(first.dfrId, second.dfrId)
  assert.equal((await readReport(service, second.dfrId)).sessionId, two.sessionId)
})

test('a backtest over stored reports names the sessions that a rule would have hit', async (t) => {
  const service = await startTestService(t, await sqliteDatabases.open(t))
  const client = await sdkClient(service)
  const made: DeviceReport[] = []
  for (const amount of [5, 25, 30]) made.push(await reportOf(service, client, { params: { amount } }))
  const { ruleSet } = readRuleSet({
    rules: [{ id: 'r', name: 'R', when: 'params.amount > 10', action: 'BLOCK', score: 9 }],
  })
  const reports = storedReports(service.tenantId, service.parts)
  const { all, rules } = await backtest({ rules: ruleSet, reports })
  assert.equal(all.reports, 3)
  assert.deepEqual(
    rules[0]!.examples.toSorted(),
    made
      .slice(1)
      .map(({ requestId }) => requestId)
      .toSorted(),
  )
  const stranger = await service.parts.tenantKeyring.createTenant('stranger')
  assert.equal((await Array.fromAsync(storedReports(stranger.id, service.parts))).length, 0)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DeviceReport, endpoints } from '@ringfence/contract'
import type { Database } from '../core/storage/database.ts'
import { ordinaryFacts, browserClient as sdkClient } from '../device/testdata/ordinary-report.ts'
import type { RuleInput } from '../rules/language/vocabulary.ts'
import { readRuleSet } from '../rules/rule-set.ts'
import { passGate } from '../sign-in/authentication/gate.ts'
import type { Ending } from '../testing/at-end.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp, type SdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestService, type TestServiceOptions } from '../testing/test-service.ts'
import { until } from '../testing/until.ts'
import { storedReports } from './stored-reports.ts'

const swapped = '61491570110'
const forwarded = '61491570120'
const ported = '61491570130'
const quiet = '917020141726'
const day = 86_400

async function start(t: Ending, database: Database, options?: TestServiceOptions) {
  const service = await startTestService(t, database, options)
  const app = await createApp(service, { settings: { revealReport: true } })
  return { service, client: await sdkClient(service, { app }) }
}

/** Makes a check and waits until its answer is stored, which happens after the response. */
async function checked(service: TestService, path: string, body: object, rows: number): Promise<void> {
  const { status } = await service.post(path, body)
  assert.equal(status, 200)
  await until(
    () => service.parts.database.query(`select question from telecom_answer where question <> 'line'`),
    ({ length }) => length === rows,
  )
}

/** The report of a session with this phone number, and the telecom input of its rules. */
async function session(
  service: TestService,
  client: SdkClient,
  phoneNumber?: string,
): Promise<{ report: DeviceReport; telecom: RuleInput['telecom'] }> {
  const updateInfo = phoneNumber === undefined ? {} : { phoneNumber }
  const { requestId } = await client.analyse(ordinaryFacts, { updateInfo })
  const { status, body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
  assert.equal(status, 200, JSON.stringify(body))
  const stored = await Array.fromAsync(storedReports(service.tenantId, service.parts))
  const { input } = stored.find((report) => report.requestId === requestId)!
  return { report: body.intelligenceResponse, telecom: input.telecom }
}

/** Counts the reads of known telecom answers. */
function countingReads({ parts: needs }: TestService): () => number {
  const { answers } = needs.telecom
  const known = answers.known.bind(answers)
  let reads = 0
  answers.known = (...args) => {
    reads++
    return known(...args)
  }
  return () => reads
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('after the backend found a SIM swap, rules BLOCK a new device and WARN on a known one'), async (t) => {
    const { service, client } = await start(t, await open(t))
    await checked(service, endpoints.simSwapCheck.path, { phoneNumber: swapped }, 2)
    service.clock.advance({ seconds: 90 })
    const first = await session(service, client, `+${swapped.slice(0, 2)} ${swapped.slice(2)}`)
    assert.deepEqual(first.telecom?.simSwap, { swapped: true, maxAgeHours: 240, ageSeconds: 90 })
    const { country, countryCode, type } = first.telecom
    assert.deepEqual([country, countryCode, type], ['AU', '61', 'MOBILE'])
    assert.deepEqual(
      [first.report.ruleAction.action, first.report.ruleAction.name],
      ['BLOCK', 'New device after a SIM swap'],
    )
    const { report } = await session(service, client, swapped)
    assert.deepEqual([report.ruleAction.action, report.ruleAction.name], ['WARN', 'Recent SIM swap'])
  })

  test(it('rules read forwarding and portability with their age; a check that was not made is absent'), async (t) => {
    const { service, client } = await start(t, await open(t))
    await checked(service, endpoints.callForwardingCheck.path, { phoneNumber: forwarded }, 2)
    await checked(service, endpoints.portability.path, { phoneNumber: ported }, 3)
    service.clock.advance({ seconds: 5 })
    const ofForwarded = await session(service, client, forwarded)
    assert.deepEqual(ofForwarded.telecom?.callForwarding, { active: true, ageSeconds: 5 })
    assert.equal(ofForwarded.telecom?.simSwap, undefined)
    assert.ok(Object.hasOwn(ofForwarded.report.appliedRules.rules, 'calls-forwarded : Calls are forwarded'))
    const ofPorted = await session(service, client, ported)
    assert.deepEqual(ofPorted.telecom?.portability, { ported: true, ageSeconds: 5 })
    assert.notEqual(ofPorted.telecom?.operator, ofPorted.telecom?.homeOperator)
  })

  test(it('a swap found in a long window remains after a short window found none'), async (t) => {
    const { service, client } = await start(t, await open(t))
    const number = '61491570111'
    await checked(service, endpoints.simSwapCheck.path, { phoneNumber: number, maxAge: 240 }, 2)
    service.clock.advance({ seconds: 60 })
    await checked(service, endpoints.simSwapCheck.path, { phoneNumber: number, maxAge: 24 }, 3)
    const { telecom } = await session(service, client, number)
    assert.deepEqual(telecom?.simSwap, { swapped: true, maxAgeHours: 240, ageSeconds: 60 })
  })

  test(it('rules know a check for TELECOM_KNOWN_SECONDS, which does not extend its reuse'), async (t) => {
    const { service, client } = await start(t, await open(t), { settings: { simSwapReuseSeconds: 60 } })
    await checked(service, endpoints.simSwapCheck.path, { phoneNumber: swapped }, 2)
    service.clock.advance({ seconds: day - 1 })
    const next = await sdkClient(service, { app: client.app })
    assert.equal((await session(service, next, swapped)).telecom?.simSwap?.ageSeconds, day - 1)
    service.clock.advance({ seconds: 1 })
    const { telecom } = await session(service, next, swapped)
    assert.deepEqual([telecom?.simSwap, telecom?.country], [undefined, 'AU'])

    await service.parts.telecom.answers.dropExpired()
    assert.deepEqual(await service.parts.database.query('select question from telecom_answer'), [])
    await checked(service, endpoints.simSwapCheck.path, { phoneNumber: swapped }, 2)
    const ageAfter = async (seconds: number) => {
      service.clock.advance({ seconds })
      return (await service.post(endpoints.simSwapCheck.path, { phoneNumber: swapped })).headers.get('age')
    }
    assert.deepEqual([await ageAfter(59), await ageAfter(1)], ['59', null])
  })

  test(it('rules know the checks of a sign-in gate'), async (t) => {
    const { service, client } = await start(t, await open(t))
    const context = {
      tenantId: service.tenantId,
      appId: client.app.id,
      requestId: 'r',
      provenance: { sandbox: false },
    }
    const { checks } = await passGate(swapped, { simSwap: { onFound: 'record' } }, context, service.parts)
    assert.deepEqual(checks, { simSwap: 'found' })
    await checked(service, endpoints.portability.path, { phoneNumber: quiet }, 3)
    assert.equal((await session(service, client, swapped)).telecom?.simSwap?.swapped, true)
  })

  test(it('rules do not know the checks of another tenant'), async (t) => {
    const { service, client } = await start(t, await open(t))
    const other = await service.parts.tenantKeyring.createTenant('other')
    await createApp(service, {}, other.id)
    const asOther = await service.parts.clients.createClient(other.id, 'other')
    const { body } = await service.post(endpoints.simSwapCheck.path, { phoneNumber: swapped }, { ...asOther })
    assert.equal(body.swapped, true)
    assert.equal((await session(service, client, swapped)).telecom?.simSwap, undefined)
  })

  test(it('rules never call an operator, and nothing is read when no rule in force reads telecom'), async (t) => {
    const { service, client } = await start(t, await open(t))
    const { parts: needs, tenantId } = service
    const reads = countingReads(service)
    await session(service, client, swapped)
    await session(service, client)
    await session(service, client, 'no number')
    assert.equal(reads(), 1)
    assert.deepEqual(service.sandbox.calls.last(10), [])

    const { ruleSet } = readRuleSet({ rules: [{ id: 'r', name: 'R', when: 'vpn', action: 'WARN', score: 1 }] })
    const version = await needs.rules.draft(tenantId, ruleSet, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    service.clock.advance({ seconds: 2 })
    await service.post(endpoints.simSwapCheck.path, { phoneNumber: quiet })
    assert.equal((await session(service, client, swapped)).telecom, undefined)
    assert.equal(reads(), 1)
    assert.deepEqual(await needs.database.query('select question from telecom_answer'), [], 'nor is it stored')
    await needs.rules.shadow(tenantId, 0, { by: 'test' })
    service.clock.advance({ seconds: 2 })
    assert.equal((await session(service, client, swapped)).telecom?.country, 'AU', 'rules in shadow run too')
  })
})

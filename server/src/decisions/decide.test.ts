import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Decision, endpoints } from '@ringfence/contract'
import { pino } from 'pino'
import Value from 'typebox/value'
import { tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase } from '../testing/databases.ts'
import { holdTimers } from '../testing/held-timers.ts'
import { ordinaryFacts, sdkClient } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'
import { until } from '../testing/until.ts'
import { checksCalled, decisionCalls, operatorWithin } from './testing.ts'

const ordinaryNumber = '917020141726'
const swappedNumber = '917020140110'
const forwardedNumber = '917020140120'

eachDatabase(({ engine, open }) => {
  test(`decides about number, sign-in and device in one call (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, read } = decisionCalls(service)
    const sdk = await sdkClient(service)
    const { requestId, dfrId } = await sdk.fingerprint(ordinaryFacts)
    const token = await tokenCalls(service).issue({
      userId: 'u-1001',
      identities: [
        {
          identityType: 'MOBILE',
          identityValue: ordinaryNumber,
          channel: 'OTP',
          methods: ['SMS'],
          verified: true,
          verifiedAt: '2026-03-01T11:59:58Z',
        },
      ],
      requestId,
    })
    const answer = await decide({
      action: 'PAYMENT',
      userId: 'u-1001',
      phoneNumber: ordinaryNumber,
      token,
      dfrId,
      params: { amount: 1500 },
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const decision = answer.body as Decision
    assert.deepEqual([...Value.Errors(Decision, decision)], [])
    assert.deepEqual(decision.missing, [])
    assert.equal(decision.phone?.simSwap?.swapped, false)
    assert.equal(decision.phone?.callForwarding?.active, false)
    assert.equal(decision.login?.userId, 'u-1001')
    assert.equal(decision.device?.requestId, requestId)
    assert.equal(decision.device?.identification?.knownForAccount, 'no', 'the token confirmed it after the visit')
    assert.equal(decision.rules.version, 0)
    assert.equal(answer.headers.get('x-ringfence-sandbox'), 'true')

    const again = await read(decision.decisionId)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body, decision, 'a later read gets the same')
  })

  test(`a swapped SIM and forwarded calls are reasons with texts and weights (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const swapped = (await decide({ phoneNumber: swappedNumber, email: 'u@shop.example', simSwapMaxAgeHours: 72 }))
      .body as Decision
    assert.equal(swapped.action, 'CHALLENGE')
    const reason = swapped.reasons.find(({ code }) => code === 'SIM_SWAPPED')
    assert.match(reason!.text, /within the last 72 hours/)
    assert.equal(reason!.source, 'telecom.simSwap')
    assert.ok(swapped.score >= reason!.weight)
    assert.deepEqual(swapped.rules.fired, ['raised-score', 'swapped-sim'])
    assert.equal(swapped.phone?.simSwap?.maxAgeHours, 72)

    const forwarded = (await decide({ phoneNumber: forwardedNumber })).body as Decision
    assert.deepEqual(forwarded.rules.fired, ['raised-score', 'calls-forwarded'])
    assert.ok(forwarded.reasons.some(({ code }) => code === 'CALLS_FORWARDED'))
  })

  test(`a repeated Idempotency-Key gets the same decision and calls no operator again (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const body = { phoneNumber: swappedNumber, params: { amount: 1 } }
    const key = { 'idempotency-key': 'payment-4711' }
    const answers = await Promise.all([decide(body, key), decide(body, key), decide(body, key)])
    assert.equal(new Set(answers.map((answer) => answer.body.decisionId)).size, 1, 'also at the same time')
    const later = await decide(body, key)
    assert.deepEqual(later.body, answers[0]!.body)
    const other = await decide({ ...body, params: { amount: 2 } }, key)
    assert.equal(other.status, 409)
    assert.equal(other.body.errorCode, '70409')
    assert.match(other.body.description, /had another params\. Send it again unchanged .* or use a new key/)
    const reloaded = await decide({ ...body, dfrId: 'of-another-visit', action: 'PAYMENT' }, key)
    assert.match(reloaded.body.description, /had another action, dfrId\./)
    const { phoneNumber: _, ...withoutNumber } = body
    const shorter = await decide({ ...withoutNumber, userId: 'asha' }, key)
    assert.match(shorter.body.description, /had another userId, phoneNumber\./)
    const reordered = await decide({ params: body.params, phoneNumber: body.phoneNumber }, key)
    assert.match(reordered.body.description, /had another order of fields\./)
    const malformed = await decide(body, { 'idempotency-key': 'with space' })
    assert.equal(malformed.status, 400)
    assert.notEqual((await decide(body)).body.decisionId, later.body.decisionId, 'without a key, each call decides')
  })

  test(`what a page chose is missing with the reason, never an error (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const sdk = await sdkClient(service)
    const { requestId } = await sdk.analyse(ordinaryFacts, {
      updateInfo: { userId: 'victim', phoneNumber: ordinaryNumber },
    })
    const push = await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId))
    const { dfrId } = push.body
    const tokens = tokenCalls(service)
    const token = await tokens.issue()
    const missingOf = async (body: object) => {
      const answer = await decide(body)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return Object.fromEntries((answer.body as Decision).missing.map(({ what, why }) => [what, why]))
    }
    assert.deepEqual(await missingOf({ dfrId: 'rubbish' }), { device: 'unknown' })
    assert.deepEqual(await missingOf({ dfrId: '0'.repeat(32) }), { device: 'unknown' })
    assert.deepEqual(await missingOf({ token: 'rft_rubbish' }), { login: 'unknown' })
    assert.deepEqual(await missingOf({ token, userId: 'somebody-else' }), { login: 'other-user' })
    assert.deepEqual(await missingOf({ dfrId, userId: 'attacker' }), { device: 'other-user' })
    assert.deepEqual(await missingOf({ dfrId, phoneNumber: '917020141727' }), { device: 'other-number' })
    assert.deepEqual(await missingOf({ dfrId, userId: 'victim', phoneNumber: ordinaryNumber }), {})
    service.clock.advance({ seconds: 3601 })
    assert.deepEqual(await missingOf({ dfrId, token }), { device: 'expired', login: 'expired' })
  })

  test(`refuses wrong fields of the backend with what to do (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, read } = decisionCalls(service)
    const refusedWith = async (body: unknown, pattern: RegExp) => {
      const { status, body: error } = await decide(body as object)
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(error.description, pattern)
    }
    await refusedWith({}, /name at least one of userId, phoneNumber/)
    await refusedWith({ phoneNumber: '+917020141726' }, /Invalid phone number/)
    await refusedWith({ ip: '127.1' }, /ip must be an IPv4 or IPv6 address/)
    await refusedWith({ email: 'nobody' }, /email must be an email address such as ada@shop.example: it has no @/)
    await refusedWith({ email: 'a@evil' }, /it has no domain such as/)
    await refusedWith({ email: 'ka\u200bte@shop.example' }, /a character that nobody sees/)
    await refusedWith({ email: '\u212Aate@shop.example' }, /U\+212A, which only looks like another one/)
    await refusedWith({ userId: 'u', deadlineMs: 99 }, /deadlineMs/)
    await refusedWith({ userId: 'u', checks: ['simSwop'] }, /checks/)
    await refusedWith({ userId: 'u', params: { text: 'x'.repeat(17_000) } }, /params may have at most 16384 bytes/)
    await refusedWith({ userId: 'u', action: 'pay' }, /action/)
    for (const id of ['unknown', '019ab000-0000-7000-8000-000000000000']) {
      assert.equal((await read(id)).status, 404, id)
    }
  })

  test(`calls only the operators whose answer the rules need (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId } = service
    const { decide, publish } = decisionCalls(service)
    await publish([
      { id: 'swap', name: 'Swap', when: 'action == "PAYMENT" and telecom.simSwap.swapped', action: 'BLOCK', score: 50 },
    ])
    const checksOf = async (body: object) => {
      const { phone } = (await decide({ phoneNumber: swappedNumber, ...body })).body as Decision
      return Object.keys(phone!).filter((name) => name === 'simSwap' || name === 'callForwarding')
    }
    assert.deepEqual(await checksOf({ action: 'LOGIN' }), [], 'the rule cannot fire')
    assert.deepEqual(await checksOf({ action: 'PAYMENT' }), ['simSwap'])
    assert.deepEqual((await checksOf({ action: 'LOGIN', checks: ['callForwarding'] })).includes('callForwarding'), true)
    assert.equal((await needs.rules.current(tenantId)).live.version, 1)
  })

  test(`a slow operator is missing at the deadline, the rest decides, and the log has a line of it (${engine})`, async (t) => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
    const service = await startTestService(t, await open(t), { log, edit: operatorWithin(30_000) })
    const { decide } = decisionCalls(service)
    const deadline = holdTimers(t, 1500)
    // The sandbox never answers calls about this number.
    const deciding = decide({ phoneNumber: '917020140153', deadlineMs: 1500 })
    await until(() => checksCalled(service) === 2)
    deadline.fire()
    const { missing, phone } = (await deciding).body as Decision
    assert.deepEqual(missing, [
      { what: 'simSwap', why: 'operator-timeout' },
      { what: 'callForwarding', why: 'operator-timeout' },
    ])
    assert.equal(phone?.phoneDetail.country, 'IN')
    assert.equal(phone?.simSwap, undefined, 'not known is not "not swapped"')
    const expected = ['simSwap', 'callForwarding'].map((check) => ({
      ...{ check, reason: 'timeout', cause: 'the decision is due', err: undefined },
    }))
    // The answer does not wait for the lines.
    const failed = await until(
      () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'check failed'),
      ({ length }) => length === expected.length,
    )
    assert.deepEqual(
      failed.map(({ check, reason, cause, err }) => ({ check, reason, cause, err })),
      expected,
    )
  })

  test(`another tenant can neither read nor label a decision (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs } = service
    const { decide, read } = decisionCalls(service)
    const { decisionId } = (await decide({ userId: 'u' })).body
    const other = await needs.tenantKeyring.createTenant('other')
    const foreign = { ...(await needs.clients.createClient(other.id, 'other')) }
    assert.equal((await read(decisionId, foreign)).status, 404)
    const label = { labels: [{ decisionId, outcome: 'fraud' }] }
    assert.equal((await service.post(endpoints.labelReports.path, label, foreign)).body.accepted, 0)
    assert.equal((await service.post(endpoints.labelReports.path, label)).body.accepted, 1)
  })

  test(`a label of a decision counts for the device of its report (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const sdk = await sdkClient(service)
    const { dfrId } = await sdk.fingerprint(ordinaryFacts)
    const { decisionId } = (await decide({ userId: 'u', dfrId })).body
    await service.post(endpoints.labelReports.path, { labels: [{ decisionId, outcome: 'fraud' }] })
    const next = await sdk.fingerprint(ordinaryFacts)
    const { reasons, action } = (await decide({ userId: 'u', dfrId: next.dfrId })).body as Decision
    assert.equal(action, 'BLOCK')
    assert.ok(
      reasons.some(({ source }) => /device/.test(source)),
      JSON.stringify(reasons),
    )
  })
})

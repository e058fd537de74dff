// What can an attacker reach with a decision? He chooses what a page sends, and has read the source.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Decision, endpoints } from '@ringfence/contract'
import { pino } from 'pino'
import { ruleSetOf } from '../rules/rule-set.ts'
import { identity, tokenCalls } from '../sign-in/tokens/testing.ts'
import { eachDatabase } from '../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../testing/sdk-client.ts'
import { startTestService } from '../testing/test-service.ts'
import { decisionCalls, operatorWithin } from './testing.ts'

const number = '917020141726'
const whyMissing = ({ missing }: Decision) => Object.fromEntries(missing.map(({ what, why }) => [what, why]))

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(
    it('what belongs to another tenant does not exist: tokens, reports, lists, idempotency keys, cursors'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { post, parts: needs } = service
      const { decide } = decisionCalls(service)
      const other = await needs.tenantKeyring.createTenant('other')
      const theirs = { ...(await needs.clients.createClient(other.id, 'other')) }
      const { dfrId } = await (await sdkClient(service)).fingerprint(ordinaryFacts)
      const token = await tokenCalls(service).issue()
      const key = { 'idempotency-key': 'order-1' }
      const own = (await decide({ userId: 'customer-4711', token, dfrId }, key)).body
      assert.deepEqual(whyMissing(own), {})

      const foreign = (await decide({ userId: 'customer-4711', token, dfrId }, { ...theirs, ...key })).body
      assert.notEqual(foreign.decisionId, own.decisionId)
      assert.deepEqual(whyMissing(foreign), { login: 'unknown', device: 'unknown' })
      assert.deepEqual([foreign.login, foreign.device, foreign.account.sessions], [undefined, undefined, 0])
      assert.equal((await decide({ userId: 'somebody' }, { ...theirs, ...key })).status, 409, 'their own key')

      await post(endpoints.createList.path, { name: 'cards', kind: 'text', purpose: 'block' })
      const entries = [{ value: 'c1' }]
      assert.equal((await post(endpoints.addListEntries.path, { name: 'cards', entries }, theirs)).status, 404)
      assert.deepEqual((await post(endpoints.describeLists.path, {}, theirs)).body, { lists: [] })
      assert.deepEqual((await post(endpoints.deleteList.path, { name: 'cards' }, theirs)).body, { deleted: false })
      const { nextCursor } = (await post(endpoints.searchEvents.path, { limit: 1 })).body
      assert.equal((await post(endpoints.searchEvents.path, { limit: 1, cursor: nextCursor }, theirs)).status, 400)
      const search = await post(endpoints.searchEvents.path, { userId: 'customer-4711' }, theirs)
      assert.deepEqual(
        search.body.events.map(({ data }: { data: { decisionId: string } }) => data.decisionId),
        [foreign.decisionId],
      )
    },
  )

  test(it('params have the keys that were sent and no others, whatever they are called'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { parts: needs, tenantId, clock } = service
    const { decide, read } = decisionCalls(service)
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const set = ruleSetOf({
      velocity: { odd: { distinct: 'params["__proto__"]', per: 'params["constructor"]', within: '1h' } },
      rules: [
        ...names.map((name) => ({
          ...{
            id: name.replace(/^_+|_+$/g, ''),
            name,
            when: `exists params["${name}"]`,
            action: 'WARN' as const,
            score: 1,
          },
        })),
        { id: 'odd', name: 'Odd', when: 'velocity.odd > 1', action: 'BLOCK', score: 1 },
      ],
    })
    const version = await needs.rules.draft(tenantId, set, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    clock.advance({ seconds: 1 })
    const fired = async (params: string) => {
      const { status, body } = await decide(JSON.parse(`{"userId":"u","params":${params}}`))
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual((await read(body.decisionId)).body, body)
      return body.rules.fired
    }
    assert.deepEqual(await fired('{}'), [])
    assert.deepEqual(await fired('{"__proto__":{"constructor":"x","admin":true},"constructor":{"prototype":{}}}'), [])
    assert.deepEqual(await fired('{"__proto__":"a","constructor":"k"}'), ['proto', 'constructor'])
    assert.deepEqual(await fired('{"__proto__":"b","constructor":"k"}'), ['proto', 'constructor', 'odd'])
    assert.deepEqual(await fired('{"toString":1,"hasOwnProperty":false}'), ['toString', 'hasOwnProperty'])
    assert.equal(Reflect.get({}, 'admin'), undefined)
  })

  test(it('params that are too large, too deep or too many are refused, and up to 64 KiB arrive'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const refused = async (params: unknown, status: number, why: RegExp) => {
      const { status: found, body } = await decide({ userId: 'u', params })
      assert.equal(found, status)
      assert.match(body.description, why)
    }
    const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) })
    await refused({ a: 'x'.repeat(65_000) }, 400, /at most 16384 bytes/)
    await refused({ a: 'x'.repeat(70_000) }, 413, /at most 65536 bytes/)
    await refused(deep(9), 400, /at most 8 levels/)
    await refused(JSON.parse(`${'[{"a":'.repeat(5)}1${'}]'.repeat(5)}`), 400, /params/)
    await refused({ a: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) }, 400, /at most 16 levels/)
    await refused(Object.fromEntries(Array.from({ length: 201 }, (_, i) => [i, i])), 400, /at most 200 keys/)
    await refused('text', 400, /params/)
    assert.equal((await decide({ userId: 'u', params: { a: 'é'.repeat(8_000), ...(deep(8) as object) } })).status, 200)
  })

  test(it('a token or dfrId that the page left out is sent as null or an empty text, and is unknown'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    for (const nothing of [null, '']) {
      const { body } = await decide({ userId: 'victim', email: 'v@shop.example', token: nothing, dfrId: nothing })
      assert.deepEqual(whyMissing(body), { login: 'unknown', device: 'unknown' })
      assert.deepEqual([body.action, body.rules.fired.includes('unknown-parts')], ['CHALLENGE', true])
      for (const code of ['TOKEN_INVALID', 'DEVICE_UNKNOWN']) {
        assert.match((body as Decision).reasons.find((reason) => reason.code === code)!.text, /is empty/)
      }
    }
  })

  test(it('one token and one report can serve many decisions, and each says whose they are'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    const token = await issue({ userId: 'attacker', identities: [identity] })
    const { dfrId } = await (await sdkClient(service)).fingerprint(ordinaryFacts)
    for (const body of [
      { userId: 'victim', token, dfrId },
      { userId: 'victim', phoneNumber: number, token, dfrId },
    ]) {
      const decision = (await decide(body)).body as Decision
      assert.deepEqual(whyMissing(decision), { login: 'other-user' })
      assert.deepEqual([decision.action, decision.login], ['BLOCK', undefined])
    }
    const decision = (await decide({ token, dfrId })).body as Decision
    assert.deepEqual([decision.login?.userId, decision.missing], ['attacker', []])
  })

  test(it('whoever forwards the calls of a number teaches the account nothing by signing in with it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decide, publish } = decisionCalls(service)
    const { issue } = tokenCalls(service)
    await publish([
      { id: 'forwarded', name: 'Forwarded', when: 'telecom.callForwarding.active', action: 'WARN', score: 10 },
    ])
    const phoneNumber = '917020140120'
    const session = async (type: 'MOBILE' | 'EMAIL', value: string) => {
      service.clock.advance({ hours: 1 })
      const { dfrId } = await (await sdkClient(service)).fingerprint(ordinaryFacts)
      const token = await issue({
        userId: 'victim',
        identities: [{ ...identity, identityType: type, identityValue: value }],
      })
      const { body } = await decide({ userId: 'victim', phoneNumber, token, dfrId })
      assert.equal(body.action, 'WARN', JSON.stringify(body))
      return [body.account.sessions, body.account.knownDevice]
    }
    assert.deepEqual(await session('MOBILE', phoneNumber), [0, 'no'])
    assert.deepEqual(await session('MOBILE', phoneNumber), [0, 'no'])
    assert.deepEqual(await session('EMAIL', 'victim@shop.example'), [0, 'no'])
    const [sessions, known] = await session('EMAIL', 'victim@shop.example')
    assert.equal(sessions, 1)
    assert.notEqual(known, 'no', 'the email address proved it')
  })

  test(
    it('a sign-in by number teaches nothing while the operator does not say whether its SIM was swapped'),
    async (t) => {
      const service = await startTestService(t, await open(t), { edit: operatorWithin(2_000) })
      const { decide, publish } = decisionCalls(service)
      await publish([
        { id: 'swapped', name: 'Swapped', when: 'telecom.simSwap.swapped', action: 'CHALLENGE', score: 10 },
      ])
      const session = async (phoneNumber: string) => {
        service.clock.advance({ hours: 1 })
        const { dfrId } = await (await sdkClient(service)).fingerprint(ordinaryFacts)
        const token = await tokenCalls(service).issue({
          userId: 'victim',
          identities: [{ ...identity, identityType: 'MOBILE', identityValue: phoneNumber }],
        })
        const { body } = await decide({ userId: 'victim', phoneNumber, token, dfrId, deadlineMs: 30_000 })
        assert.equal(body.action, 'ALLOW', JSON.stringify(body))
        return [body.missing.length, body.account.sessions]
      }
      const silent = '917020140153'
      assert.deepEqual(await session(silent), [1, 0])
      assert.deepEqual(await session(silent), [1, 0])
      assert.deepEqual(await session('917020141726'), [0, 0])
      assert.deepEqual(await session('917020141726'), [0, 1])
    },
  )

  test(
    it('a challenge that a code to the number passes teaches nothing while its operator does not answer'),
    async (t) => {
      const service = await startTestService(t, await open(t), { edit: operatorWithin(300) })
      const { decide, publish, passChallenge } = decisionCalls(service)
      const when = 'action == "PAYMENT" and not telecom.simSwap.swapped'
      await publish([{ id: 'always', name: 'Always', when, action: 'CHALLENGE', score: 10 }])
      const known = async (identityType: string, identityValue: string) => {
        const { dfrId } = await (await sdkClient(service)).fingerprint(ordinaryFacts)
        const body = { userId: 'victim', phoneNumber: '917020140153', email: 'victim@shop.example', dfrId }
        const { decisionId } = (await decide({ ...body, action: 'PAYMENT', deadlineMs: 30_000 })).body
        service.clock.advance({ seconds: 30 })
        const token = await tokenCalls(service).issue({
          userId: 'victim',
          identities: [{ ...identity, identityType, identityValue }],
        })
        assert.equal((await passChallenge(decisionId, token)).status, 200)
        return (await decide(body)).body.account.knownDevice
      }
      assert.equal(await known('MOBILE', '917020140153'), 'no')
      assert.equal(await known('EMAIL', 'victim@shop.example'), 'yes')
    },
  )

  test(it('neither logs nor errors contain who it is about'), async (t) => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
    const service = await startTestService(t, await open(t), { log })
    const { decide, passChallenge } = decisionCalls(service)
    const { post } = service
    const token = await tokenCalls(service).issue({ userId: 'asha-secret', identities: [identity] })
    service.clock.advance({ seconds: 1 })
    const secrets = {
      ...{ userId: 'asha-secret', email: 'asha@secret.example', phoneNumber: '917020140153', ip: '81.2.69.142', token },
      dfrId: 'd'.repeat(40),
    }
    const { body } = await decide({ ...secrets, params: { card: 'card-secret' }, deadlineMs: 100 })
    const answers = [
      await decide({ ...secrets, phoneNumber: '9170201401539999999' }),
      await decide({ ...secrets, ip: '81.2.69.142.999' }),
      await decide({ ...secrets, email: 'asha-secret' }),
      await passChallenge(body.decisionId, token),
      await post(endpoints.lookUpList.path, { name: 'no-list', value: 'card-secret' }),
      await post(endpoints.searchEvents.path, { userId: 'asha-secret', ipAddress: '81.2.69.142x' }),
    ]
    const clear = /asha|secret\.example|91702014015|81\.2\.69|card-sec|d{13}/
    for (const answer of answers) {
      assert.notEqual(answer.status, 200, JSON.stringify(answer.body))
      assert.doesNotMatch(JSON.stringify(answer.body), clear)
      assert.ok(!JSON.stringify(answer.body).includes(token))
    }
    await service.parts.close()
    for (const line of lines) assert.ok(!clear.test(line) && !line.includes(token), line)
  })
})

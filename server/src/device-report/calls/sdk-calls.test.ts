import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  endpoints,
  IntelligenceAnswer,
  PushAnswer,
  readSamples,
  SecureAnswer,
  SecureInfoResult,
  TokenVerification,
} from '@ringfence/contract'
import Value from 'typebox/value'
import { type Database, type SqlValue, StorageUnavailable } from '../../core/storage/database.ts'
import { openDatabase } from '../../core/storage/open-database.ts'
import { dropExpired } from '../../device/history/retention.ts'
import { analysisOf } from '../../device/store/find-analysis.ts'
import { login, tokenCalls } from '../../sign-in/tokens/testing.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp, type SdkClient, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestAnswer } from '../../testing/test-service.ts'

const intelligence = endpoints.intelligence.path
const push = endpoints.pushFingerprint.path
const secure = endpoints.secure.path
const samples = readSamples()

function assertRefused({ status, body, headers }: TestAnswer, expected: number, sample: string): void {
  const { errorMessage } = samples.DeviceErrorBody![sample] as { errorMessage: string }
  assert.deepEqual(body, { requestId: headers.get('x-request-id'), errorMessage })
  assert.equal(status, expected)
}

eachDatabase(({ engine, open, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('analyses once, and returns the same answer for the same body'), async (t) => {
    const service = await startTestService(t, await open(t))
    const client = await sdkClient(service)
    const body = client.engineBody()
    const first = await client.post(intelligence, body)
    assert.equal(first.status, 200)
    assert.deepEqual(Value.Errors(IntelligenceAnswer, first.body), [])
    assert.equal(first.body.requestId, body.requestId)
    assert.equal(first.body.sessionId, client.sessionId)
    assert.notEqual(first.body.nextChallenge, body.challenge)
    assert.equal(first.headers.get('cache-control'), 'no-store')
    assert.deepEqual((await client.post(intelligence, body)).body, first.body)
    const next = { ...client.engineBody(), challenge: first.body.nextChallenge }
    assert.equal((await client.post(intelligence, next)).status, 200)
    assert.deepEqual((await client.post(intelligence, body)).body, first.body, 'even after the next one')
  })

  test(it('returns 401 for a used or forged challenge, another body, or another session'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const client = await sdkClient(service, { app })
    const other = await sdkClient(service, { app })
    const body = client.engineBody()
    const { nextChallenge } = (await client.post(intelligence, body)).body
    const refused = async (
      changed: object,
      sample = 'challenge-used',
      by: SdkClient = client,
      path: string = intelligence,
    ) => assertRefused(await by.post(path, { ...body, ...changed }), 401, sample)
    await refused({ requestId: randomUUID() })
    await refused({ facts: {} })
    await refused({ challenge: nextChallenge }, 'challenge-used')
    await refused({ challenge: 'x', requestId: randomUUID() })
    await refused({ challenge: other.challenge, requestId: randomUUID() })
    await refused({}, 'challenge-used', client, secure)
    await refused({}, 'session-foreign', other)
    await refused({ tsId: other.sessionId, challenge: other.challenge }, 'challenge-used', other)
    await refused({ tsId: other.sessionId }, 'session-foreign')
    await refused({ platform: 'IOS' }, 'session-foreign')
    const last = { ...client.engineBody(), challenge: nextChallenge }
    assert.equal((await client.post(intelligence, last)).status, 200, 'what was refused took no challenge')
  })

  test(it('completes an interrupted engine call or push exactly once when it is repeated'), async (t) => {
    const database = await open(t)
    let failing: { statement: RegExp; when: 'before' | 'after' } | undefined
    const query = <R>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> => database.query<R>(sql, params)
    const batch: Database['batch'] = async (statements) => {
      const end = statements.some(({ sql }) => failing?.statement.test(sql)) ? failing?.when : undefined
      if (end === 'before') throw new StorageUnavailable('ended before')
      await database.batch(statements)
      if (end === 'after') throw new StorageUnavailable('ended after')
    }
    const transaction: Database['transaction'] = (work, timeoutMs) => database.transaction(work, timeoutMs)
    const [ping, close, pools] = [() => database.ping(), () => database.close(), () => database.pools()]
    const within: Database['within'] = (until, work) => database.within(until, work)
    const service = await startTestService(t, {
      engine,
      query,
      batch,
      batchSoon: batch,
      transaction,
      within,
      pools,
      ping,
      close,
    })
    const client = await sdkClient(service)
    /** Fails at its one batch, which writes to the analysis, then is sent again. */
    const repeated = async (path: string, body: object, statement: RegExp) => {
      for (const when of ['before', 'after'] as const) {
        failing = { statement, when }
        assert.equal((await client.post(path, body)).status, 503, when)
      }
      failing = undefined
      const answer = await client.post(path, body)
      assert.equal(answer.status, 200)
      return answer.body
    }
    const body = client.engineBody()
    const { nextChallenge } = await repeated(intelligence, body, /^insert into device_analysis/)
    assertRefused(await client.post(intelligence, { ...body, requestId: randomUUID() }), 401, 'challenge-used')
    const { dfrId } = await repeated(push, client.pushBody(body.requestId), /^update device_analysis/)
    assert.match(dfrId, /^[0-9a-f]{32}$/)
    const next = { ...client.engineBody(), challenge: nextChallenge }
    assert.equal((await client.post(intelligence, next)).status, 200, 'the challenge that comes next is there')
    const visits = await database.query('select dfr_id from device_analysis where push_hash is not null')
    assert.equal(visits.length, 1)
  })

  test(it('accepts one of several concurrent calls with one challenge, on two servers'), async (t) => {
    const settings = { masterKey: randomBytes(32).toString('base64'), overloadDelayMs: 60_000, appRateBurst: 1000 }
    const at = await place(t)
    const services = []
    for (let server = 0; server < 2; server++) {
      const database = await openDatabase(at)
      atEnd(t, () => database.close())
      services.push(await startTestService(t, database, { settings }))
    }
    const [here, there] = services as [(typeof services)[0], (typeof services)[0]]
    const app = await createApp(here)
    for (let round = 0; round < 10; round++) {
      const client = await sdkClient(here, { app })
      const bodies = Array.from({ length: 4 }, () => client.engineBody())
      const answers = await Promise.all(
        bodies.flatMap((body) =>
          [here, there].map(async ({ url }) => {
            const headers = { 'content-type': 'application/json', ...client.headers }
            const response = await fetch(url + intelligence, { method: 'POST', headers, body: JSON.stringify(body) })
            return { body, status: response.status, answer: await response.json() }
          }),
        ),
      )
      const won = answers.filter(({ status }) => status === 200)
      assert.equal(new Set(won.map(({ body }) => body)).size, 1)
      assert.equal(new Set(won.map(({ answer }) => JSON.stringify(answer))).size, 1)
      assert.equal(won.length, 2, 'the winner and its repetition')
      assert.ok(answers.every(({ status }) => status === 200 || status === 401))
    }
  })

  test(it('returns the same dfrId for each push of an engine call'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const client = await sdkClient(service, { app })
    const { requestId } = await client.analyse()
    const body = client.pushBody(requestId, { orderId: 'A-17', nested: { deep: ['\ud800', null] } })
    const first = await client.post(push, body)
    assert.equal(first.status, 200)
    assert.deepEqual(Value.Errors(PushAnswer, first.body), [])
    assert.match(first.body.dfrId, /^[0-9a-f]{32}$/)
    assert.equal(first.headers.get('x-ringfence-notice'), null, 'params are asked for')
    assert.deepEqual((await client.post(push, body)).body, first.body)
    assertRefused(await client.post(push, { ...body, orderId: 'B' }), 401, 'challenge-used')
    const other = await sdkClient(service, { app })
    assertRefused(await other.post(push, body), 401, 'session-foreign')
    assertRefused(await other.post(push, other.pushBody(requestId)), 401, 'session-foreign')
    assertRefused(await client.post(push, client.pushBody(randomUUID())), 401, 'session-foreign')
    assertRefused(await client.post(push, { ...body, appId: 'rfa_x' }), 401, 'session-foreign')
    const wrong = await client.post(push, { ...body, data: { requestId: randomUUID() } })
    assert.deepEqual([wrong.status, wrong.body.errorMessage], [400, 'data.requestId must be the requestId of the body'])
    const found = await analysisOf(
      { dfrId: first.body.dfrId },
      { tenantId: app.tenantId, appId: app.id },
      service.parts,
    )
    assert.equal(found?.requestId, requestId)
  })

  test(it('returns a token without a login, which secure info accepts and validate refuses'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { trustedProxies: '127.0.0.1' } })
    const client = await sdkClient(service, { headers: { 'x-forwarded-for': '10.1.2.3' } })
    const body = client.engineBody()
    const { status, body: answer } = await client.post(secure, body)
    assert.equal(status, 200)
    assert.deepEqual(Value.Errors(SecureAnswer, answer), [])
    const { secureInfo, validate } = tokenCalls(service)
    const result = (await secureInfo(answer.token)).body
    assert.deepEqual(Value.Errors(SecureInfoResult, result), [])
    assert.deepEqual(result.network_info, { ip: '10.1.2.3', ipLocation: {} })
    assert.equal(result.device_info.deviceId, answer.deviceToken.split('.')[0])
    assert.equal(result.device_info.browserInfo.browserFullVersion, '156.0.8078.73')
    assert.deepEqual(result.secure_info.emulator, { result: false })
    assert.equal((await validate(answer.token)).body.errorCode, '7114')
    const again = (await client.post(secure, body)).body
    assert.deepEqual({ ...again, token: '' }, { ...answer, token: '' })
    assert.deepEqual((await secureInfo(again.token)).body, result)
    assertRefused(await client.post(intelligence, body), 401, 'challenge-used')
  })

  test(it('links an issued token to an analysis, and returns 7115 for an unknown one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const client = await sdkClient(service)
    const { requestId, deviceToken = '' } = await client.analyse()
    const { issue, validate, secureInfo } = tokenCalls(service)
    const token = await issue({ ...login, requestId })
    const { body } = await validate(token)
    assert.deepEqual(Value.Errors(TokenVerification, body), [])
    assert.equal(body.deviceInfo.deviceId, deviceToken.split('.')[0])
    assert.deepEqual(body.deviceInfo.browserInfo, {
      browserName: 'Chrome',
      os: 'Windows',
      osVersion: '11',
      device: 'desktop',
    })
    assert.deepEqual(body.network, { ip: '127.0.0.1', ipLocation: {} })
    assert.deepEqual(body.secureInfo.jailbroken, { result: false })
    assert.equal((await secureInfo(token)).body.device_info.browserInfo.browserMajorVersion, '156')

    const silent = await createApp(service, { settings: { secure: false } })
    const { requestId: quiet } = await (await sdkClient(service, { app: silent })).analyse()
    const without = await issue({ ...login, requestId: quiet })
    assert.equal((await validate(without)).body.secureInfo, undefined)
    assert.equal((await secureInfo(without)).body.secure_info, undefined)
    assert.equal((await secureInfo(without)).body.device_info.language, 'en-GB')

    const stranger = await service.parts.tenantKeyring.createTenant('stranger')
    const credentials = await service.parts.clients.createClient(stranger.id, 'x')
    const unknown = samples.ErrorBody?.['device-analysis-unknown']
    const ask = (id: string, headers = {}) =>
      service.post(endpoints.issueToken.path, { ...login, requestId: id }, headers)
    assert.deepEqual((await ask(requestId, { ...credentials })).body, unknown)
    for (const id of [randomUUID(), 'x', '\0', '\ud800']) assert.deepEqual((await ask(id)).body, unknown)
    service.clock.advance({ hours: 1 })
    assert.equal((await ask(requestId)).status, 200)
    service.clock.advance({ seconds: 1 })
    assert.deepEqual((await ask(requestId)).body, unknown, 'of an earlier visit')
    service.clock.advance({ hours: 30 * 24 })
    await dropExpired(service.parts)
    assert.deepEqual(await service.parts.database.query('select dfr_id from device_analysis'), [])
  })
})

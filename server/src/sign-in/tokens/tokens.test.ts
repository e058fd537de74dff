import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  endpoints,
  readSamples,
  type SecureInfoResult as SecureInfoAnswer,
  SecureInfoResult,
  TokenVerification,
  type TokenVerification as Verification,
} from '@ringfence/contract'
import Value from 'typebox/value'
import { openDatabase } from '../../core/storage/open-database.ts'
import { atEnd } from '../../testing/at-end.ts'
import { eachDatabase, sqliteDatabases } from '../../testing/databases.ts'
import { startTestService } from '../../testing/test-service.ts'
import { login, tokenCalls } from './testing.ts'

const samples = readSamples()
const invalid = samples.ErrorBody?.['token-invalid']
const expired = samples.ErrorBody?.['token-expired']
const unexpected = samples.UnexpectedErrorBody?.ordinary
const everything = samples.TokenVerification?.everything as Verification
const everythingSecure = samples.SecureInfoResult?.everything as SecureInfoAnswer

eachDatabase(({ engine, open, place }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('4.4 verifies a token: userId, timestamp, identities, and the token itself'), async (t) => {
    const service = await startTestService(t, await open(t))
    const issued = await service.post(endpoints.issueToken.path, login)
    assert.equal(issued.status, 200)
    assert.deepEqual(issued.body, { token: issued.body.token, expiresAt: '2026-03-01T12:05:00.000Z' })
    service.clock.advance({ seconds: 1 })
    const { status, body, headers } = await tokenCalls(service).validate(issued.body.token)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      token: issued.body.token,
      status: 'SUCCESS',
      timestamp: '2026-03-01T12:00:00.000Z',
      ...login,
    })
    assert.deepEqual(Value.Errors(TokenVerification, body), [])
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  })

  test(it('2.4 and 2.5 return every collected field, under the name that the endpoint gives it'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { issueDirectly, validate, secureInfo } = tokenCalls(service)
    const { token: _, status: __, ...collected } = everything
    const { status: ___, ...device } = everythingSecure
    const { token } = await issueDirectly({ login: collected, device })
    assert.deepEqual((await validate(token)).body, { ...everything, token })
    const secure = await secureInfo(token)
    assert.deepEqual(secure.body, everythingSecure)
    assert.deepEqual(Value.Errors(SecureInfoResult, secure.body), [])
  })

  test(
    it('secure info returns only status when nothing was collected, and accepts tokens without a login'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { issue, issueDirectly, validate, secureInfo } = tokenCalls(service)
      assert.deepEqual((await secureInfo(await issue())).body, { status: 'SUCCESS' })
      const { status: _, ...device } = everythingSecure
      const { token } = await issueDirectly({ device })
      assert.deepEqual((await secureInfo(token)).body, everythingSecure)
      const refused = await validate(token)
      assert.deepEqual([refused.status, refused.body], [400, invalid], 'validate refuses a token without a login')
    },
  )

  test(it('a token can be exchanged any number of times until it expires'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { issue, validate, secureInfo } = tokenCalls(service)
    const token = await issue()
    service.clock.advance({ seconds: 299, ms: 999 })
    for (const answer of [await validate(token), await validate(token), await secureInfo(token)]) {
      assert.equal(answer.status, 200)
    }
  })

  test(it('an expired token is 401 7301 for 24 h, then 400 7114'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { issue, validate, secureInfo } = tokenCalls(service)
    const token = await issue()
    service.clock.advance({ seconds: 300 })
    for (const answer of [await validate(token), await secureInfo(token)]) {
      assert.deepEqual([answer.status, answer.body], [401, expired])
    }
    service.clock.advance({ hours: 24, ms: -1 })
    assert.deepEqual((await validate(token)).body, expired)
    service.clock.advance({ ms: 1 })
    for (const answer of [await validate(token), await secureInfo(token)]) {
      assert.deepEqual([answer.status, answer.body], [400, invalid])
    }
  })

  test(
    it('when the clock jumps by ±1 h or ±30 days, no expired token is accepted and no live one refused'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const { issue, validate } = tokenCalls(service)
      const token = await issue()
      for (const [hours, status] of [
        [1, 401],
        [-1, 200],
        [30 * 24, 400],
        [-30 * 24, 200],
      ] as const) {
        service.clock.advance({ hours })
        assert.equal((await validate(token)).status, status, `${hours} h`)
        service.clock.advance({ hours: -hours })
        assert.equal((await validate(token)).status, 200)
      }
    },
  )

  test(
    it('a revoked token is 7114 at both endpoints and on every server, and revoking it again succeeds'),
    async (t) => {
      const database = await open(t)
      const masterKey = randomBytes(32).toString('base64')
      const service = await startTestService(t, database, { settings: { masterKey } })
      const other = await startTestService(t, database, { settings: { masterKey } })
      const { issue, validate, secureInfo, revoke } = tokenCalls(service)
      const elsewhere = tokenCalls(other)
      const token = await issue()
      const [untouched, late] = [await issue(), await issue()]
      for (const answer of [await revoke(token), await revoke(token)]) {
        assert.deepEqual([answer.status, answer.body], [200, { status: 'SUCCESS' }])
      }
      for (const answer of [
        await validate(token),
        await secureInfo(token),
        await elsewhere.validate(token, { ...service.credentials }),
        await elsewhere.secureInfo(token, { ...service.credentials }),
      ]) {
        assert.deepEqual([answer.status, answer.body], [400, invalid])
      }
      assert.equal((await validate(untouched)).status, 200)
      service.clock.advance({ seconds: 300 })
      assert.deepEqual((await revoke(late)).body, { status: 'SUCCESS' }, 'an expired one too')
      assert.deepEqual((await validate(late)).body, invalid)
    },
  )

  test(it('another tenant’s token is 7114: it cannot be verified, read or revoked'), async (t) => {
    const database = await open(t)
    const settings = { masterKey: randomBytes(32).toString('base64') }
    const service = await startTestService(t, database, { settings })
    const stranger = tokenCalls(await startTestService(t, database, { settings }))
    const { issue, validate } = tokenCalls(service)
    const token = await issue()
    for (const answer of [
      await stranger.validate(token),
      await stranger.secureInfo(token),
      await stranger.revoke(token),
    ]) {
      assert.deepEqual([answer.status, answer.body], [400, invalid])
    }
    assert.equal((await validate(token)).status, 200)
  })

  test(it('with TOKEN_USES=once, each of the two endpoints accepts a token once'), async (t) => {
    const service = await startTestService(t, await open(t), { settings: { tokenUses: 'once' } })
    const { issue, validate, secureInfo } = tokenCalls(service)
    const token = await issue()
    assert.equal((await validate(token)).status, 200)
    assert.equal((await secureInfo(token)).status, 200)
    for (const answer of [await validate(token), await secureInfo(token)]) {
      assert.deepEqual([answer.status, answer.body], [400, invalid])
    }
    assert.equal((await validate(await issue())).status, 200, 'another one is not touched')
  })

  test(
    it('with TOKEN_USES=once, one of several simultaneous exchanges wins, on two servers of one database'),
    async (t) => {
      const masterKey = randomBytes(32).toString('base64')
      const settings = { tokenUses: 'once', masterKey, overloadDelayMs: 60_000 } as const
      const at = await place(t)
      const services = []
      for (let server = 0; server < 2; server++) {
        const database = await openDatabase(at)
        atEnd(t, () => database.close())
        services.push(await startTestService(t, database, { settings }))
      }
      const [here, there] = services as [(typeof services)[0], (typeof services)[0]]
      const calls = services.map(tokenCalls)
      assert.notEqual(here.parts.database, there.parts.database)
      for (let round = 0; round < 20; round++) {
        const token = await calls[0]!.issue()
        for (const ask of ['validate', 'secureInfo'] as const) {
          const answers = await Promise.all(
            [...calls, ...calls].map((call) => call[ask](token, { ...here.credentials })),
          )
          assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
          assert.deepEqual(answers.find(({ status }) => status === 400)?.body, invalid)
        }
      }
    },
  )

  test(it('every server accepts a token once when a server with TOKEN_USES=once issued or accepted it'), async (t) => {
    const at = await place(t)
    const masterKey = randomBytes(32).toString('base64')
    const start = async (tokenUses: 'once' | 'many') => {
      const database = await openDatabase(at)
      atEnd(t, () => database.close())
      return startTestService(t, database, { settings: { tokenUses, masterKey, overloadDelayMs: 60_000 } })
    }
    const services = { once: await start('once'), many: await start('many') }
    const statuses = async (issuer: 'once' | 'many', ...receivers: ('once' | 'many')[]) => {
      const token = await tokenCalls(services[issuer]).issue()
      const { credentials } = services[issuer]
      const seen = []
      for (const view of ['validate', 'secureInfo'] as const) {
        for (const receiver of receivers) {
          seen.push((await tokenCalls(services[receiver])[view](token, { ...credentials })).status)
        }
      }
      return seen
    }
    assert.deepEqual(await statuses('once', 'once', 'many'), [200, 400, 200, 400])
    assert.deepEqual(await statuses('once', 'many', 'many'), [200, 400, 200, 400])
    assert.deepEqual(await statuses('once', 'many', 'once'), [200, 400, 200, 400])
    assert.deepEqual(await statuses('many', 'once', 'many'), [200, 400, 200, 400])
    assert.deepEqual(await statuses('many', 'many', 'many'), [200, 200, 200, 200])
  })

  test(it('sealed content that was changed or moved is 500 with only a message'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { issueDirectly, validate } = tokenCalls(service)
    const { token: _, status: __, ...collected } = everything
    const { status: ___, ...device } = everythingSecure
    const { token } = await issueDirectly({ login: collected, device })
    await service.parts.database.query('update token set sealed_login = sealed_device')
    const { status, body } = await validate(token)
    assert.deepEqual([status, body], [500, unexpected])
  })
})

const { open } = sqliteDatabases

test('7.3 a token that is missing, empty, malformed or not a string is 7114 at every endpoint that takes one', async (t) => {
  const service = await startTestService(t, await open(t))
  for (const { path } of [endpoints.validateToken, endpoints.secureInfo, endpoints.revokeToken]) {
    for (const body of [
      {},
      null,
      [],
      'rft_',
      { token: null },
      { token: 7 },
      { token: ['x'] },
      { token: { $ne: '' } },
    ]) {
      const answer = await service.post(path, JSON.stringify(body))
      assert.deepEqual([answer.status, answer.body], [400, invalid], JSON.stringify(body))
    }
    for (const token of ['', 'x', 'rft_', 'null', '\0', '\ud800', "' or 1=1 --", 'A'.repeat(60_000), '__proto__']) {
      const answer = await service.post(path, { token })
      assert.deepEqual([answer.status, answer.body], [400, invalid], token.slice(0, 20))
    }
  }
})

test('error codes of the auth endpoints have no P: a broken body is 7102 Invalid JSON', async (t) => {
  const service = await startTestService(t, await open(t))
  const answer = await service.post(endpoints.validateToken.path, '{"token":')
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body, {
    message: 'Invalid Request',
    errorCode: '7102',
    description: 'Request error: Invalid JSON',
  })
})

test('TOKEN_LIFETIME_SECONDS sets how long a token is accepted', async (t) => {
  const service = await startTestService(t, await open(t), { settings: { tokenLifetimeSeconds: 3600 } })
  const { issue, validate } = tokenCalls(service)
  const token = await issue()
  service.clock.advance({ seconds: 3599 })
  assert.equal((await validate(token)).status, 200)
  service.clock.advance({ seconds: 1 })
  assert.deepEqual((await validate(token)).body, expired)
})

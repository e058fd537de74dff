// Which session tokens are refused? Those of nobody, of another app or tenant, of a deleted key, and those that are over.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { endpoints } from '@ringfence/contract'
import { checksum } from '../core/crypto/api-key.ts'
import { withNewDataKey, withoutOldDataKeys } from '../core/crypto/key-set.ts'
import { rereadMs } from '../core/crypto/tenant-keyring.ts'
import { findTenant, replaceTenantKeys } from '../core/storage/tenants.ts'
import { eachDatabase } from '../testing/databases.ts'
import { createApp, type SdkClient, sdkClient, sdkClientOf, shopOrigin } from '../testing/sdk-client.ts'
import { startTestService, type TestAnswer, type TestService } from '../testing/test-service.ts'
import { apps } from './apps.ts'
import { sealedPart, sessionOf } from './session-token.ts'

/** The status of a call in this session, or with another token in its place. */
async function statusOf(session: SdkClient, token = session.sessionToken): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  return (await session.post(endpoints.intelligence.path, session.engineBody(), headers)).status
}

/** The same token with another part in front of its checksum, which is made again. */
const withBody = (token: string, change: (body: string) => string): string => {
  const body = change(token.slice(0, -6))
  return body + checksum(body)
}
const appPartEnd = 'rfb_'.length + 28
const dayMs = 86_400_000

/** A call of this session to one of several servers. */
async function sendTo({ url }: TestService, { headers }: SdkClient, path: string, body: object): Promise<TestAnswer> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

/** A new data key in place of the one before, as when that has leaked. */
async function replaceDataKey(
  { parts: { database, keyring }, tenantId }: Pick<TestService, 'parts' | 'tenantId'>,
  keep: 'the old key' | 'no old key',
): Promise<void> {
  const tenant = (await findTenant(database, tenantId))!
  const { set, version } = withNewDataKey(keyring.openTenantKeySet(tenantId, tenant.sealedKeys))
  const next = { ...set, sealsWith: version }
  const stored = keep === 'the old key' ? next : withoutOldDataKeys(next)
  assert.ok(await replaceTenantKeys(database, tenant, keyring.sealTenantKeySet(tenantId, stored)))
}

eachDatabase(({ engine, open }) => {
  const it = (promise: string) => `${promise} (${engine})`

  test(it('is what the server says, whatever else the query of its config call names'), async (t) => {
    const service = await startTestService(t, await open(t))
    const app = await createApp(service)
    const keys = await service.parts.tenantKeyring.keysOf(service.tenantId)
    const start = async (others: Record<string, string>) => {
      const query = new URLSearchParams({ packageName: shopOrigin, platform: 'WEB', ...others })
      const url = `${service.url}${endpoints.sdkConfig.path}?${query}`
      const response = await fetch(url, { headers: { appId: app.id, origin: shopOrigin } })
      const body = (await response.json()) as { sessionId: string; sessionToken: string; expiresAt: string }
      return { status: response.status, ...body }
    }
    const later = String(service.clock.now() + 1e12)
    const victim = await start({})
    for (const name of ['id', 'sessionId', 'expiresAt', 'exp', 'app', 'appId', 'tenantId', 'origin', '__proto__']) {
      for (const value of [victim.sessionId, later, 'x', '']) {
        const { status, sessionId, sessionToken, expiresAt } = await start({ [name]: value })
        assert.equal(status, 200, `${name}=${value}`)
        assert.notEqual(sessionId, victim.sessionId)
        assert.equal(expiresAt, victim.expiresAt)
        assert.deepEqual(sessionOf(sealedPart(sessionToken), app.id, keys), {
          id: sessionId,
          platform: 'WEB',
          packageName: shopOrigin,
          expiresAt: Date.parse(expiresAt),
        })
      }
    }
  })

  test(it('refuses a token when any character of it is altered, and one that is not a token'), async (t) => {
    const session = await sdkClient(await startTestService(t, await open(t)))
    const { sessionToken: token } = session
    for (let place = 0; place < token.length - 6; place += 5) {
      const other = token[place] === 'A' ? 'B' : 'A'
      const altered = token.slice(0, place) + other + token.slice(place + 1)
      assert.equal(await statusOf(session, altered), 401, `${place}, with the checksum of before`)
      const consistent = withBody(token, (body) => body.slice(0, place) + other + body.slice(place + 1))
      assert.equal(await statusOf(session, consistent), 401, `${place}, with a right checksum`)
    }
    const texts = [
      '',
      'x',
      'rfb_',
      `${token}A`,
      token.slice(0, -1),
      withBody(token, (body) => body.slice(0, appPartEnd)),
    ]
    for (const text of texts) assert.equal(await statusOf(session, text), 401, text)
    assert.equal(await statusOf(session), 200, 'the token itself')
  })

  test(it('refuses a token under another app, of its tenant and of another one'), async (t) => {
    const service = await startTestService(t, await open(t))
    const other = await service.parts.tenantKeyring.createTenant('other')
    const session = await sdkClient(service)
    for (const app of [await createApp(service), await createApp(service, {}, other.id)]) {
      const moved = withBody(session.sessionToken, (body) => `rfb_${app.id.slice(4)}${body.slice(appPartEnd)}`)
      assert.equal(await statusOf(session, moved), 401)
      const asThatApp = {
        ...session,
        post: (path: string, body: unknown, more = {}) => session.post(path, body, { ...more, appId: app.id }),
      }
      assert.equal(await statusOf(asThatApp), 401, 'the app of the header is not that of the token')
      assert.equal(await statusOf(asThatApp, moved), 401)
    }
    assert.equal(await statusOf(session), 200)
  })

  test(it('refuses a token after 15 minutes'), async (t) => {
    const service = await startTestService(t, await open(t))
    const session = await sdkClient(service)
    service.clock.advance({ seconds: 899 })
    assert.equal(await statusOf(session), 200)
    service.clock.advance({ seconds: 1 })
    assert.equal(await statusOf(session), 401)
  })

  test(it('a replayed token cannot repeat an analysis, nor be used by a page of another origin'), async (t) => {
    const session = await sdkClient(await startTestService(t, await open(t)))
    const body = session.engineBody()
    const first = await session.post(endpoints.intelligence.path, body)
    const again = await session.post(endpoints.intelligence.path, body)
    assert.deepEqual([first.status, again.status, again.body], [200, 200, first.body], 'the stored answer')
    assert.equal(
      (await session.post(endpoints.intelligence.path, { ...body, requestId: crypto.randomUUID() })).status,
      401,
    )
    const elsewhere = { origin: 'https://evil.example' }
    assert.equal((await session.post(endpoints.intelligence.path, body, elsewhere)).status, 401)
    assert.equal((await session.post(endpoints.intelligence.path, body, { origin: shopOrigin })).status, 200)
  })

  test(
    it('a data key that is replaced at once ends the sessions of its tenant; an SDK opens another one'),
    async (t) => {
      const service = await startTestService(t, await open(t))
      const other = await service.parts.tenantKeyring.createTenant('other')
      const session = await sdkClient(service)
      const ofOther = await sdkClientOf(await createApp(service, {}, other.id), service)
      await replaceDataKey(service, 'no old key')
      service.clock.advance({ seconds: rereadMs / 1000 })
      assert.equal(await statusOf(session), 401)
      assert.equal(await statusOf(ofOther), 200)
      const renewed = await sdkClientOf(session.app, service)
      assert.equal(await statusOf(renewed), 200)
    },
  )

  test(it('a token that another server sealed with a newer key is accepted at once'), async (t) => {
    const database = await open(t)
    const settings = { masterKey: randomBytes(32).toString('base64') }
    const here = await startTestService(t, database, { settings })
    const app = await createApp(here)
    const older = await sdkClientOf(app, here)
    here.clock.advance({ seconds: 2 })
    await replaceDataKey(here, 'the old key')
    const there = await startTestService(t, database, { settings })
    const newer = await sdkClientOf(app, there)
    const answer = await fetch(here.url + endpoints.intelligence.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...newer.headers },
      body: JSON.stringify(newer.engineBody()),
    })
    assert.equal(answer.status, 200)
    assert.equal(await statusOf(older), 200)
  })

  test(it('a disabled app and revoked sessions are refused by another server within a second'), async (t) => {
    const database = await open(t)
    const service = await startTestService(t, database)
    const session = await sdkClient(service)
    const elsewhere = apps(database, service.clock)
    service.clock.advance({ seconds: 5 })
    assert.equal(await statusOf(session), 200)
    await elsewhere.revokeSessions(session.app.id, service.clock.now())
    service.clock.advance({ seconds: 1 })
    assert.equal(await statusOf(session), 401)
    const renewed = await sdkClientOf(session.app, service)
    assert.equal(await statusOf(renewed), 200)
    await elsewhere.disable(session.app.id)
    service.clock.advance({ seconds: 1 })
    assert.equal(await statusOf(renewed), 401)
  })

  test(it('goes on over midnight, between servers whose clocks differ, and each challenge counts once'), async (t) => {
    const database = await open(t)
    const settings = { masterKey: randomBytes(32).toString('base64') }
    const [ahead, behind] = [
      await startTestService(t, database, { settings }),
      await startTestService(t, database, { settings }),
    ]
    const midnight = (Math.floor(ahead.clock.now() / dayMs) + 1) * dayMs
    ahead.clock.advance({ ms: midnight + 400 - ahead.clock.now() })
    behind.clock.advance({ ms: midnight - 400 - behind.clock.now() })
    const app = await createApp(ahead)
    for (const [one, other] of [
      [ahead, behind],
      [behind, ahead],
    ] as const) {
      const session = await sdkClientOf(app, one)
      const send = (service: TestService, path: string, body: object) => sendTo(service, session, path, body)
      const body = session.engineBody()
      assert.equal((await send(other, endpoints.intelligence.path, body)).status, 200)
      const again = { ...body, requestId: crypto.randomUUID() }
      for (const each of [one, other]) {
        assert.equal((await send(each, endpoints.intelligence.path, again)).status, 401, 'its challenge was used')
      }
      const { body: pushed } = await send(one, endpoints.pushFingerprint.path, session.pushBody(body.requestId))
      for (const each of [one, other]) {
        const request = { dfrId: pushed.dfrId, deviceType: 'WEB' }
        const report = await each.post(endpoints.deviceFingerprint.path, request, { ...ahead.credentials })
        assert.deepEqual([report.status, report.body.requestId], [200, body.requestId])
      }
    }
  })
})

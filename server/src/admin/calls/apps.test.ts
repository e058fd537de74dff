import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminEndpoints, endpoints } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import { listApps } from '../../apps/stored-apps.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { sdkClientOf, shopOrigin } from '../../testing/sdk-client.ts'
import { startTestService } from '../../testing/test-service.ts'
import { adminClient } from '../testing.ts'

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('creates an app, changes what is sent only, and disables it for its SDK'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'admin')
    const created = await call('createApp', {
      name: 'Shop',
      origins: ['https://shop.example/', 'http://localhost:*'],
      settings: { secure: false },
    })
    assert.equal(created.status, 200, JSON.stringify(created.body))
    assert.deepEqual([...Value.Errors(adminEndpoints.createApp.answer as TSchema, created.body)], [])
    const { appId } = created.body
    assert.deepEqual(created.body.origins, ['https://shop.example', 'http://localhost:*'])
    assert.deepEqual([created.body.settings.secure, created.body.settings.revealReport], [false, false])

    const changed = await call('updateApp', {
      appId,
      bundleIds: ['com.example.shop'],
      settings: { revealReport: true },
    })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    const { name, origins, bundleIds, settings } = changed.body
    assert.deepEqual([name, origins, bundleIds], ['Shop', created.body.origins, ['com.example.shop']])
    assert.deepEqual([settings.secure, settings.revealReport], [false, true])
    const restored = await call('updateApp', { appId, settings: { secure: null } })
    assert.deepEqual([restored.body.settings.secure, restored.body.settings.revealReport], [true, true])

    assert.equal((await service.parts.apps.named(appId)).name, 'Shop')
    const disabled = await call('disableApp', { appId })
    assert.ok(disabled.body.disabledAt)
    await assert.rejects(service.parts.apps.named(appId), { failure: 'appDisabled' })
    service.clock.advance({ seconds: 60 })
    assert.equal((await call('disableApp', { appId })).body.disabledAt, disabled.body.disabledAt)
  })

  test(it('revokes the sessions that began before a time, never fewer than before, and no future ones'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'admin')
    const { appId } = (await call('createApp', { name: 'Shop', origins: [shopOrigin] })).body
    const statusIn = async (session: Awaited<ReturnType<typeof sdkClientOf>>) =>
      (await session.post(endpoints.intelligence.path, session.engineBody())).status
    const older = await sdkClientOf({ id: appId }, service)
    service.clock.advance({ seconds: 60 })
    const newer = await sdkClientOf({ id: appId }, service)
    const between = new Date(service.clock.now() - 30_000).toISOString()
    const revoked = await call('revokeSessions', { appId, before: between })
    assert.deepEqual([revoked.status, revoked.body.sessionsRevokedBefore], [200, between])
    assert.deepEqual([await statusIn(older), await statusIn(newer)], [401, 200])
    const earlier = new Date(service.clock.now() - 3_600_000).toISOString()
    assert.equal((await call('revokeSessions', { appId, before: earlier })).body.sessionsRevokedBefore, between)
    assert.equal(await statusIn(older), 401)
    const future = await call('revokeSessions', { appId, before: new Date(service.clock.now() + 1).toISOString() })
    assert.equal(future.status, 400)
    assert.match(future.body.detail, /before must not be in the future/)
    service.clock.advance({ seconds: 1 })
    assert.equal((await call('revokeSessions', { appId })).status, 200)
    assert.equal(await statusIn(newer), 401)
    assert.equal(await statusIn(await sdkClientOf({ id: appId }, service)), 200)
  })

  test(it('refuses what an app cannot have, says why, and stores nothing'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'owner')
    const before = await listApps(service.parts.database)
    for (const [fields, detail] of [
      [{ name: 'x' }, /at least one origin, bundle id or package name/],
      [{ name: 'x', origins: ['https://shop.example/path'] }, /must be scheme, host and port/],
      [{ name: 'x', origins: ['https://*.shop.example'] }, /must be scheme, host and port/],
      [{ name: 'x', bundleIds: ['a b'] }, /bundleIds/],
      [{ name: 'a\u0000b', origins: ['https://shop.example'] }, /name/],
      [{ name: 'x', origins: ['https://shop.example'], settings: { secret: 1 } }, /settings: .*secret/],
      [
        { name: 'x', origins: ['https://shop.example'], settings: { collect: { locatoin: false } } },
        /did you mean location/,
      ],
      [{ origins: ['https://shop.example'] }, /name/],
    ] as const) {
      const { status, body } = await call('createApp', fields)
      assert.equal(status, 400, JSON.stringify(fields))
      assert.match(body.detail, detail)
    }
    assert.deepEqual(await listApps(service.parts.database), before)
    const created = await call('createApp', { name: 'Shop', origins: ['https://shop.example'] })
    const emptied = await call('updateApp', { appId: created.body.appId, origins: [] })
    assert.equal(emptied.status, 400)
  })

  test(it('an app of another tenant is unknown, and so is one that does not exist'), async (t) => {
    const service = await startTestService(t, await open(t))
    const other = await service.parts.tenantKeyring.createTenant('other')
    const own = await adminClient(service, 'owner')
    const foreign = await adminClient(service, 'owner', { tenantId: other.id })
    const { appId } = (await own('createApp', { name: 'Shop', origins: ['https://shop.example'] })).body
    for (const [call, id] of [
      [foreign, appId],
      [own, 'rfa_nothing'],
    ] as const) {
      for (const name of ['updateApp', 'disableApp', 'revokeSessions'] as const) {
        const { status, body } = await call(name, { appId: id, name: 'Mine' })
        assert.deepEqual([status, body.type], [404, '/problems/app-not-found'])
      }
    }
    const [shown] = (await own('listApps')).body.apps.filter((app: { appId: string }) => app.appId === appId)
    assert.deepEqual([shown.name, shown.disabledAt], ['Shop', undefined])
  })

  test(it('two apps of a tenant have two names, also when they are made or renamed at the same moment'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'owner')
    const named = (name: string) => ({ name, origins: [shopOrigin] })
    const typesOf = async (answers: readonly ReturnType<typeof call>[]) =>
      (await Promise.all(answers)).map(({ status, body }) => (status === 200 ? 'done' : body.type)).toSorted()
    const twice = ['/problems/app-exists', 'done']
    assert.deepEqual(await typesOf([call('createApp', named('Shop')), call('createApp', named('Shop'))]), twice)
    const [one, other] = await Promise.all(['A', 'B'].map(async (name) => (await call('createApp', named(name))).body))
    const renamed = [one, other].map(({ appId }) => call('updateApp', { appId, name: 'Both' }))
    assert.deepEqual(await typesOf(renamed), twice)
    const { status, body } = await call('updateApp', { appId: one.appId, name: 'Shop' })
    assert.deepEqual([status, body.type], [409, '/problems/app-exists'])
    assert.match(body.detail, /There is an app of this name: choose another one, or disable that app first/)
    assert.equal((await call('updateApp', { appId: one.appId, settings: { secure: false } })).status, 200)

    const { id } = await service.parts.tenantKeyring.createTenant('other')
    const elsewhere = await adminClient(service, 'owner', { tenantId: id })
    assert.equal((await elsewhere('createApp', named('Shop'))).status, 200, 'another tenant')
    const { apps } = (await call('listApps')).body
    await call('disableApp', { appId: apps.find(({ name }: { name: string }) => name === 'Shop').appId })
    assert.equal((await call('createApp', named('Shop'))).status, 200, 'a disabled app gives its name free')
  })

  test(it('a tenant has at most 100 apps; disabled ones do not count'), async (t) => {
    const service = await startTestService(t, await open(t))
    const call = await adminClient(service, 'owner')
    const app = { origins: [], bundleIds: ['a.b'], packageNames: [], settings: {} as never }
    const live = (await listApps(service.parts.database, service.tenantId)).length
    for (let count = live; count < 100; count++)
      await service.parts.apps.create(service.tenantId, { ...app, name: `app ${count}` })
    const refused = await call('createApp', { name: 'more', bundleIds: ['a.b'] })
    assert.deepEqual([refused.status, refused.body.type], [409, '/problems/limit-reached'])
    const { apps } = (await call('listApps')).body
    await call('disableApp', { appId: apps.at(-1).appId })
    assert.equal((await call('createApp', { name: 'more', bundleIds: ['a.b'] })).status, 200)
  })
})

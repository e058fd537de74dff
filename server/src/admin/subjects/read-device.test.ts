// Does the console see everything of a device, what changed at each visit, and nothing of others?

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  type ShownDevice as Device,
  endpoints,
  ForgottenDevice,
  ShownDevice,
  ShownVisits,
  type ShownVisits as Visits,
} from '@ringfence/contract'
import Value from 'typebox/value'
import { addressIn, type NetworkName, startWorld } from '../../accounts/testing/world.ts'
import { browserClient, ordinaryFacts } from '../../device/testdata/ordinary-report.ts'
import { ruleSetOf } from '../../rules/rule-set.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { newInstallationKey } from '../../testing/installation-key.ts'
import { createApp } from '../../testing/sdk-client.ts'
import type { TestService } from '../../testing/test-service.ts'
import { type AdminCaller, adminClient } from '../testing.ts'

/** A browser that returns from several networks. */
async function browser(service: TestService) {
  const app = await createApp(service)
  const key = newInstallationKey()
  return async (
    network: NetworkName,
    { facts = {}, updateInfo = {} }: { facts?: object; updateInfo?: object } = {},
  ) => {
    const client = await browserClient(service, { app, key, headers: { 'x-forwarded-for': addressIn(network) } })
    const { requestId } = await client.analyse({ ...ordinaryFacts, ...facts }, { updateInfo })
    const { body } = await client.post(endpoints.pushFingerprint.path, client.pushBody(requestId))
    return { dfrId: body.dfrId as string, requestId }
  }
}

async function deviceOf(call: AdminCaller, dfrId: string): Promise<string> {
  const { body } = await call('readReport', { dfrId, deviceType: 'WEB' })
  return body.deviceId
}

async function read(call: AdminCaller, deviceId: string): Promise<Device> {
  const { status, body } = await call('readDevice', { deviceId })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([...Value.Errors(ShownDevice, body)], [])
  return body
}

async function visitsOf(call: AdminCaller, fields: object): Promise<Visits> {
  const { status, body } = await call('listDeviceVisits', fields)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([...Value.Errors(ShownVisits, body)], [])
  return body
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('shows installations, places, accounts, numbers, labels and velocities of a device'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { parts: needs, tenantId, clock, post } = service
    const call = await adminClient(service, 'analyst')
    const ruleSet = ruleSetOf({
      velocity: { payments: { count: 'decisions', per: 'device', within: '24h' } },
      rules: [{ id: 'many', name: 'Many payments', when: 'velocity.payments > 5', action: 'BLOCK', score: 10 }],
    })
    const version = await needs.rules.draft(tenantId, ruleSet, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    clock.advance({ seconds: 1 })
    const visit = await browser(service)
    const started = clock.now()
    const first = await visit('home', { updateInfo: { userId: 'guessed', phoneNumber: '+91 70201 41726' } })
    clock.advance({ hours: 30 })
    const second = await visit('paris')
    const deviceId = await deviceOf(call, first.dfrId)
    assert.equal(await deviceOf(call, second.dfrId), deviceId)
    clock.advance({ seconds: 60 })
    const decided = await post('/v1/decisions', { action: 'PAYMENT', userId: 'asha', dfrId: second.dfrId })
    assert.equal(decided.status, 200, JSON.stringify(decided.body))
    await call('label', { labels: [{ dfrId: second.dfrId, outcome: 'chargeback' }] })

    const device = await read(call, deviceId)
    const at = (ms: number) => new Date(ms).toISOString()
    assert.equal(device.firstSeenAt, at(started))
    assert.equal(device.lastSeenAt, at(started + 30 * 3_600_000))
    assert.equal(device.visitsRead, 2)
    assert.equal(device.description?.platform, 'WEB')
    assert.equal(device.latest?.dfrId, second.dfrId)
    assert.deepEqual(
      device.installations.map(({ hasKey, bySimilarity }) => [hasKey, bySimilarity]),
      [[true, false]],
    )
    assert.deepEqual(
      device.places.map(({ city, country, visits }) => [city, country, visits]),
      [
        ['paris', 'FR', 1],
        ['mumbai', 'IN', 1],
      ],
    )
    assert.deepEqual(
      device.accounts.map(({ userId, saidBy }) => [userId, saidBy]),
      [
        ['asha', 'backend'],
        ['guessed', 'page'],
      ],
    )
    assert.deepEqual(
      device.numbers.map(({ phoneNumber, saidBy }) => [phoneNumber, saidBy]),
      [['917020141726', 'page']],
    )
    assert.deepEqual([device.unknownAccounts, device.unknownNumbers], [0, 0])
    assert.deepEqual(
      device.labels.map(({ label, dfrId }) => [label, dfrId]),
      [['chargeback', second.dfrId]],
    )
    assert.deepEqual(
      device.velocities.map(({ name, per, within, value }) => [name, per, within, value]),
      [['payments', 'device', '24h', 1]],
    )
  })

  test(it('says what changed at each visit, and how the device was recognised'), async (t) => {
    const service = await startWorld(t, await open(t))
    const call = await adminClient(service, 'analyst')
    const visit = await browser(service)
    const { dfrId } = await visit('home', { updateInfo: { userId: 'asha' } })
    service.clock.advance({ hours: 1 })
    await visit('vpn', { facts: { language: 'fr-FR' }, updateInfo: { userId: 'ben' } })
    const deviceId = await deviceOf(call, dfrId)
    const { visits, nextCursor } = await visitsOf(call, { deviceId })
    assert.equal(nextCursor, undefined)
    const [newest, oldest] = visits
    assert.deepEqual([newest?.recognition?.by, oldest?.recognition?.by], ['key', 'none'])
    assert.equal(oldest?.changes, undefined, 'there is no visit before the first')
    const changed = Object.fromEntries(newest!.changes!.map(({ what, before, after }) => [what, [before, after]]))
    assert.deepEqual(changed.userId, ['asha', 'ben'])
    assert.deepEqual(changed.city, ['mumbai', 'amsterdam'])
    assert.deepEqual(changed.country, ['IN', 'NL'])
    assert.deepEqual(changed.ipAddress, [addressIn('home'), addressIn('vpn')])
    assert.equal(changed.language?.[1], 'fr-FR')
    assert.ok(
      newest!.changes!.some(({ kind, after }) => kind === 'signal' && after === 'fires'),
      JSON.stringify(newest?.changes),
    )
    assert.equal(changed.userAgent, undefined, 'what stayed is left out')
    assert.equal(changed.installationId, undefined)
  })

  test(it('pages of visits neither repeat nor skip one, and compare across their border'), async (t) => {
    const service = await startWorld(t, await open(t))
    const call = await adminClient(service, 'viewer')
    const visit = await browser(service)
    const made: string[] = []
    for (let count = 0; count < 5; count++) {
      made.push((await visit('home', { updateInfo: { userId: `u${count}` } })).dfrId)
      // Two visits in one millisecond have an order too.
      if (count % 2 === 0) service.clock.advance({ seconds: 300 })
    }
    const deviceId = await deviceOf(call, made[0]!)
    const all = (await visitsOf(call, { deviceId, limit: 100 })).visits
    assert.deepEqual(all.map(({ dfrId }) => dfrId).toSorted(), made.toSorted())
    for (const limit of [1, 2, 4]) {
      const paged: Visits['visits'] = []
      for (let cursor: string | undefined; ; ) {
        const page = await visitsOf(call, { deviceId, limit, ...(cursor && { cursor }) })
        assert.ok(page.visits.length <= limit)
        paged.push(...page.visits)
        cursor = page.nextCursor
        if (cursor === undefined) break
      }
      assert.deepEqual(paged, all, `${limit}`)
    }
    const { nextCursor } = await visitsOf(call, { deviceId, limit: 2 })
    const foreign = await call('listDeviceVisits', { deviceId: randomUUID(), cursor: nextCursor })
    assert.deepEqual([foreign.status, foreign.body.type], [400, '/problems/field-invalid'])
  })

  test(it('shows no content that has expired, and still the time and the signals'), async (t) => {
    const service = await startWorld(t, await open(t))
    const call = await adminClient(service, 'viewer')
    const visit = await browser(service)
    const { dfrId } = await visit('home', { updateInfo: { userId: 'asha' } })
    const deviceId = await deviceOf(call, dfrId)
    service.clock.advance({ hours: 24 * (service.parts.settings.deviceRetentionDays + 1) })
    const { visits } = await visitsOf(call, { deviceId })
    assert.deepEqual(
      visits.map(({ isStored, userId, place }) => [isStored, userId, place]),
      [[false, undefined, undefined]],
    )
    const device = await read(call, deviceId)
    assert.deepEqual([device.latest, device.places, device.accounts], [undefined, [], []])
  })

  test(it('forgets a device with an audit line, once, and only for who may'), async (t) => {
    const service = await startWorld(t, await open(t))
    const [admin, analyst] = [await adminClient(service, 'admin'), await adminClient(service, 'analyst')]
    const visit = await browser(service)
    const { dfrId } = await visit('home')
    const deviceId = await deviceOf(admin, dfrId)
    assert.equal((await analyst('forgetDevice', { deviceId })).status, 403)
    const { parts: needs, tenantId } = service
    const audited = async () =>
      (await needs.database.query('select 1 as line from audit_line where tenant_id = $1', [tenantId])).length
    // A refusal is a line too.
    const before = await audited()
    const { status, body } = await admin('forgetDevice', { deviceId })
    assert.equal(await audited(), before + 1)
    assert.deepEqual([status, body.visits, body.installations], [200, 1, 1])
    assert.deepEqual([...Value.Errors(ForgottenDevice, body)], [])
    for (const name of ['readDevice', 'listDeviceVisits', 'forgetDevice'] as const) {
      const again = await admin(name, { deviceId })
      assert.deepEqual([again.status, again.body.type], [404, '/problems/device-unknown'], name)
    }
  })

  test(it('a role that may not read personal data sees numbers, IP addresses and places masked'), async (t) => {
    const service = await startWorld(t, await open(t))
    const call = await adminClient(service, 'viewer')
    const visit = await browser(service)
    const { dfrId } = await visit('home', { updateInfo: { userId: 'asha', phoneNumber: '917020141726' } })
    service.clock.advance({ hours: 1 })
    await visit('vpn')
    const deviceId = await deviceOf(call, dfrId)
    const answers = [await read(call, deviceId), await visitsOf(call, { deviceId })]
    for (const secret of ['917020141726', addressIn('home'), addressIn('vpn'), '19.08', '72.88']) {
      assert.ok(!JSON.stringify(answers).includes(secret), secret)
    }
    assert.ok(JSON.stringify(answers).includes('1726'))
  })

  test(it('another tenant sees and forgets nothing of a device'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { id: tenantId } = await service.parts.tenantKeyring.createTenant('another')
    const [own, foreign] = [await adminClient(service, 'owner'), await adminClient(service, 'owner', { tenantId })]
    const { dfrId } = await (await browser(service))('home')
    const deviceId = await deviceOf(own, dfrId)
    for (const name of ['readDevice', 'listDeviceVisits', 'forgetDevice'] as const) {
      assert.equal((await foreign(name, { deviceId })).status, 404, name)
    }
    assert.equal((await read(own, deviceId)).visitsRead, 1)
  })
})

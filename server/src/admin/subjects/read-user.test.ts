// Does the console see what is usual for a user, what velocities count, and can it trust a device again?

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ShownUser, TrustedDevice } from '@ringfence/contract'
import Value from 'typebox/value'
import { confirmDevice } from '../../accounts/devices/confirm.ts'
import { knownForAccount } from '../../accounts/devices/known-for-account.ts'
import { addressIn, browserIn, decide, startWorld } from '../../accounts/testing/world.ts'
import { ruleSetOf } from '../../rules/rule-set.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { createApp } from '../../testing/sdk-client.ts'
import { type AdminCaller, adminClient } from '../testing.ts'

async function read(call: AdminCaller, userId: string): Promise<ShownUser> {
  const { status, body } = await call('readUser', { userId })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual([...Value.Errors(ShownUser, body)], [])
  return body
}

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('shows numbers, labels, velocities and what is usual for a user, and of a stranger nothing'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { parts: needs, tenantId, clock, post } = service
    const [call, support] = [await adminClient(service, 'analyst'), await adminClient(service, 'support')]
    const ruleSet = ruleSetOf({
      velocity: {
        payments: { count: 'decisions', per: 'user', within: '24h' },
        spent: { sum: 'params.amount', per: 'user', within: '24h' },
        ofDevice: { count: 'decisions', per: 'device', within: '24h' },
      },
      rules: [{ id: 'many', name: 'Many', when: 'velocity.payments > 5', action: 'WARN', score: 1 }],
    })
    const version = await needs.rules.draft(tenantId, ruleSet, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    clock.advance({ seconds: 1 })
    for (const network of ['home', 'home', 'home', 'paris'] as const) {
      await decide(service, network, { phoneNumber: '917020141726' })
      clock.advance({ hours: 24 })
    }
    const body = { action: 'PAYMENT', userId: 'asha', phoneNumber: '917020141726', ip: addressIn('home') }
    const decided = await post('/v1/decisions', { ...body, params: { amount: 12.5 } })
    await post('/v1/decisions', { ...body, params: { amount: 30 } })
    const { decisionId } = decided.body
    await call('label', { labels: [{ decisionId, userId: 'asha', outcome: 'legitimate' }] })

    const user = await read(call, 'asha')
    assert.deepEqual(
      user.numbers.map(({ phoneNumber, saidBy }) => [phoneNumber, saidBy]),
      [['917020141726', 'backend']],
    )
    assert.deepEqual(
      user.velocities.map(({ name, value }) => [name, value]),
      [
        ['payments', 2],
        ['spent', 42.5],
      ],
    )
    assert.ok(user.usual)
    assert.equal(user.usual.isEnough, true)
    assert.deepEqual(
      user.usual.countries.map(({ value }) => value),
      ['IN', 'FR'],
    )
    assert.ok(user.usual.countries[0]!.sessions >= 3)
    assert.equal(user.usual.numbers, 1)
    assert.deepEqual(user.labels.map(({ label, decisionId: id }) => [label, id]).slice(0, 1), [
      ['legitimate', decisionId],
    ])

    const masked = JSON.stringify(await read(support, 'asha'))
    assert.ok(masked.includes('1726') && !masked.includes('917020141726'), masked)

    const stranger = await read(call, 'nobody')
    assert.deepEqual([stranger.usual, stranger.numbers, stranger.labels, stranger.identities], [undefined, [], [], []])
    assert.deepEqual(
      stranger.velocities.map(({ value }) => value),
      [0, 0],
    )
  })

  test(it('a velocity leaves its window on the page too'), async (t) => {
    const service = await startWorld(t, await open(t))
    const { parts: needs, tenantId, clock, post } = service
    const call = await adminClient(service, 'viewer')
    const ruleSet = ruleSetOf({
      velocity: { payments: { count: 'decisions', per: 'user', within: '1h' } },
      rules: [{ id: 'many', name: 'Many', when: 'velocity.payments > 5', action: 'WARN', score: 1 }],
    })
    const version = await needs.rules.draft(tenantId, ruleSet, { by: 'test' })
    await needs.rules.live(tenantId, version, { by: 'test' }, { untried: true })
    clock.advance({ seconds: 1 })
    await post('/v1/decisions', { action: 'PAYMENT', userId: 'asha' })
    const count = async () => (await read(call, 'asha')).velocities[0]?.value
    assert.equal(await count(), 1)
    assert.equal(await count(), 1, 'looking counts nothing')
    clock.advance({ hours: 2 })
    assert.equal(await count(), 0)
  })

  test(
    it('a revoked device is trusted again with an event and an audit line, and its next visit is known'),
    async (t) => {
      const service = await startWorld(t, await open(t))
      const { parts: needs, tenantId, clock } = service
      const call = await adminClient(service, 'support')
      const browser = browserIn(service, await createApp(service))
      const { analysis } = await browser.visits('home')
      const deviceId = analysis.deviceId!
      await confirmDevice({ tenantId, userId: 'asha', analysis, isTrusted: true }, needs)
      clock.advance({ hours: 1 })
      const revoked = await call('updateUserDevice', { userId: 'asha', deviceId, trusted: false })
      assert.equal(revoked.body.trusted, false)
      const known = async () => {
        clock.advance({ hours: 1 })
        const visit = await browser.visits('home')
        return (await knownForAccount({ tenantId, userId: 'asha', analysis: visit.analysis }, needs)).answer
      }
      assert.notEqual(await known(), 'yes')
      const { status, body } = await call('trustUserDevice', { userId: 'asha', deviceId })
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual([...Value.Errors(TrustedDevice, body)], [])
      assert.deepEqual([body.trusted, body.revokedAt], [true, undefined])
      assert.equal(await known(), 'yes')
      const { body: found } = await call('searchEvents', { userId: 'asha', types: ['account.device.changed'] })
      assert.deepEqual(
        found.events.map(({ outcome }: { outcome: string }) => outcome),
        ['trusted', 'revoked'],
      )
      const lines = await needs.database.query('select 1 as line from audit_line where tenant_id = $1', [tenantId])
      assert.equal(lines.length, 2)
    },
  )

  test(it('a device that the user does not have is not trusted'), async (t) => {
    const service = await startWorld(t, await open(t))
    const call = await adminClient(service, 'owner')
    const { analysis } = await browserIn(service, await createApp(service)).visits('home')
    for (const deviceId of [analysis.deviceId!, '567f4354-0c1b-4a56-8a4e-9d1c35f7a111']) {
      const { status, body } = await call('trustUserDevice', { userId: 'asha', deviceId })
      assert.deepEqual([status, body.type], [404, '/problems/account-device-unknown'])
    }
    const viewer = await adminClient(service, 'viewer')
    const refused = await viewer('trustUserDevice', { userId: 'asha', deviceId: analysis.deviceId! })
    assert.equal(refused.status, 403)
  })
})

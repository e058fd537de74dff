import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminEndpoints, endpoints, type OutboxMessages } from '@ringfence/contract'
import type { TSchema } from 'typebox'
import Value from 'typebox/value'
import {
  completed,
  delivered,
  failed,
  refused,
  type SignInPlace,
  started,
} from '../../../sign-in/authentication/sign-in-events.ts'
import { eachDatabase } from '../../../testing/databases.ts'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { auditLinesAfter } from '../../store/audit-lines.ts'
import { adminClient } from '../../testing.ts'

const channels = {
  sms: { type: 'outbox', recipient: 'MOBILE' },
  mail: { type: 'outbox', recipient: 'EMAIL' },
} as never

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('shows channels, limits, and how much of them an app has used'), async (t) => {
    const service = await startTestService(t, await open(t), { edit: (parts) => ({ ...parts, channels }) })
    const call = await adminClient(service, 'viewer')
    const { status, body } = await call('readSignIn')
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(adminEndpoints.readSignIn.answer as TSchema, body)], [])
    assert.deepEqual(
      body.channels.map((each: Record<string, unknown>) => [each.name, each.method, each.recipient, each.sends]),
      [
        ['sms', 'SMS', 'MOBILE', false],
        ['mail', 'EMAIL', 'EMAIL', false],
      ],
    )
    assert.equal(body.outbox, 'closed')
  })

  test(it('counts sign-ins and messages by day, way and outcome, and why they failed'), async (t) => {
    const service = await startTestService(t, await open(t), { edit: (parts) => ({ ...parts, channels }) })
    const { parts: needs, tenantId, clock } = service
    const call = await adminClient(service, 'viewer')
    const place: SignInPlace = { idHash: Buffer.from('01'), appId: 'rfa_1', channel: 'OTP', method: 'SMS' }
    const happen = async (...events: Parameters<typeof needs.events.statements>[1]) =>
      needs.database.batch(await needs.events.statements(tenantId, events))
    await happen(started(place), delivered(place), failed(place, { reason: 'OTP_WRONG' }), completed(place))
    clock.advance({ seconds: 86_400 })
    await happen(started(place), delivered(place, 'timeout'), refused({ ...place, method: 'EMAIL' }, ['SIM_SWAPPED']))
    const { status, body } = await call('countSignIns', { days: 2 })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual([...Value.Errors(adminEndpoints.countSignIns.answer as TSchema, body)], [])
    const day = (daysAgo: number) => new Date(clock.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
    const row = (daysAgo: number, type: string, outcome: string, method = 'SMS') =>
      `${day(daysAgo)} ${type} ${method} ${outcome} 1`
    assert.deepEqual(
      body.counts.map((each: Record<string, unknown>) => Object.values(each).join(' ')).sort(),
      [
        row(0, 'otp.delivery', 'failed'),
        row(0, 'sign_in.refused', 'refused', 'EMAIL'),
        row(0, 'sign_in.started', 'started'),
        row(1, 'otp.delivery', 'accepted'),
        row(1, 'sign_in.completed', 'completed'),
        row(1, 'sign_in.failed', 'failed'),
        row(1, 'sign_in.started', 'started'),
      ].sort(),
    )
    assert.equal(body.isComplete, true)
    assert.deepEqual(body.reasons.map(({ reason }: { reason: string }) => reason).sort(), [
      'OTP_WRONG',
      'SIM_SWAPPED',
      'timeout',
    ])
    assert.equal((await call('countSignIns', { days: 1 })).body.counts.length, 3)
    const other = await needs.tenantKeyring.createTenant('other')
    const foreign = await adminClient(service, 'owner', { tenantId: other.id })
    assert.deepEqual((await foreign('countSignIns', { days: 30 })).body.counts, [])
  })

  test(
    it('sends a test message to the recipient that the person names, in the audit log, at most 20 an hour'),
    async (t) => {
      const service = await startTestService(t, await open(t), { edit: (parts) => ({ ...parts, channels }) })
      const { parts: needs, tenantId } = service
      const call = await adminClient(service, 'admin')
      const tested = await call('testChannel', { channel: 'mail', to: 'Ana@Shop.example' })
      assert.equal(tested.status, 200, JSON.stringify(tested.body))
      assert.deepEqual([...Value.Errors(adminEndpoints.testChannel.answer as TSchema, tested.body)], [])
      const [message] = needs.signIn.outbox.messages()
      assert.deepEqual([message?.to, tested.body.accepted], ['ana@shop.example', true])
      const lines = await auditLinesAfter(needs.database, { tenantId, after: 0, limit: 10 })
      assert.deepEqual(
        lines.map(({ action }) => action),
        ['testChannel'],
      )
      for (const [fields, type] of [
        [{ channel: 'mail', to: 'nobody' }, '/problems/email-invalid'],
        [{ channel: 'sms', to: '123' }, '/problems/invalid-phone-number'],
        [{ channel: 'fax', to: '917020141726' }, '/problems/channel-not-found'],
      ] as const)
        assert.equal((await call('testChannel', fields)).body.type, type)
      for (let sent = 1; sent < 20; sent++)
        assert.equal((await call('testChannel', { channel: 'mail', to: 'ana@shop.example' })).status, 200)
      const spent = await call('testChannel', { channel: 'mail', to: 'ana@shop.example' })
      assert.deepEqual([spent.status, spent.body.type], [409, '/problems/limit-reached'])
      assert.equal(needs.signIn.outbox.messages().length, 20)
      service.clock.advance({ seconds: 3600 })
      assert.equal((await call('testChannel', { channel: 'mail', to: 'ana@shop.example' })).status, 200)
    },
  )

  test(it('shows the outbox in a sandbox only, to nobody but owners and admins'), async (t) => {
    const service = await startTestService(t, await open(t), { edit: (parts) => ({ ...parts, channels }) })
    const {
      signIn: { outbox },
      clock,
      tenantKeyring,
    } = service.parts
    const { tenantId } = service
    outbox.put({
      at: clock.now(),
      tenantId,
      method: 'SMS',
      to: '917020141726',
      subject: '',
      text: '123456 is your code',
    })
    const call = await adminClient(service, 'owner')
    const closed = await call('readOutbox')
    assert.deepEqual([closed.status, closed.body.type], [404, '/problems/outbox-closed'])
    assert.ok(!JSON.stringify(closed.body).includes('123456'))
    const asBackend = (query = '', from: TestService = service) =>
      fetch(`${service.url}${endpoints.readShownMessages.path}${query}`, { headers: { ...from.credentials } })
    assert.equal((await asBackend()).status, 404)
    outbox.show()
    const ofBackend = async (query = '') => ((await (await asBackend(query)).json()) as OutboxMessages).messages
    assert.equal((await ofBackend('?to=917020141726'))[0]?.text, '123456 is your code')
    assert.deepEqual(await ofBackend('?to=917020141727'), [])
    const { body } = await call('readOutbox')
    assert.deepEqual([...Value.Errors(adminEndpoints.readOutbox.answer as TSchema, body)], [])
    assert.deepEqual(body.messages[0].text, '123456 is your code')
    assert.equal((await call('readSignIn')).body.outbox, 'open')
    assert.equal((await call('testChannel', { channel: 'mail', to: 'ana@shop.example' })).status, 200)
    assert.equal((await call('readOutbox')).body.messages.length, 2)
    const other = await tenantKeyring.createTenant('other')
    const foreign = await adminClient(service, 'owner', { tenantId: other.id })
    assert.deepEqual((await foreign('readOutbox')).body, { messages: [] }, 'nobody sees the codes of another tenant')
    const credentials = await service.parts.clients.createClient(other.id, 'other')
    assert.deepEqual(await (await asBackend('', { ...service, credentials })).json(), { messages: [] })
    const withoutScope = await service.parts.clients.createClient(tenantId, 'decides', {
      ...{ scopes: 'decisions', allowedIps: null, expiresAt: null, role: null },
    })
    assert.equal((await asBackend('', { ...service, credentials: withoutScope })).status, 403)
    for (const role of ['analyst', 'support', 'viewer'] as const)
      assert.equal((await (await adminClient(service, role))('readOutbox')).status, 403, role)
  })
})

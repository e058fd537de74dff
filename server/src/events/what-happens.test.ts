// Does everything that happens over HTTP become an event, with data as the contract says and in the order in which it happened?

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type EventType, endpoints, eventTypes, readSamples } from '@ringfence/contract'
import Value from 'typebox/value'
import { importList } from '../rules/lists/import-list.ts'
import { anotherOtp, mobile, startSignInService } from '../sign-in/authentication/testing/sign-in-service.ts'
import { eachDatabase } from '../testing/databases.ts'
import { sdkClient } from '../testing/sdk-client.ts'
import { startTestService, type TestService } from '../testing/test-service.ts'
import { contextOf } from './sealed-event.ts'
import { listEvents } from './store/events.ts'

interface Recorded {
  type: EventType
  data: Record<string, unknown>
  orderKey: string
}

async function eventsOf({ parts: needs, tenantId }: TestService): Promise<Recorded[]> {
  const rows = await listEvents(needs.database, tenantId, {
    after: new Uint8Array(16),
    before: Buffer.alloc(16, 255),
    limit: 1000,
  })
  const keys = await needs.tenantKeyring.keysOf(tenantId)
  return rows.map(({ id, type, sealed, orderKey }) => {
    const data = JSON.parse(keys.open(sealed, contextOf(id)))
    assert.deepEqual(Value.Errors(eventTypes[type as EventType].data, data), [], type)
    return { type: type as EventType, data, orderKey: Buffer.from(orderKey).toString('hex') }
  })
}

const typesOf = (events: readonly Recorded[]) => events.map(({ type }) => type)

/** Everything that is recorded on request too. */
async function subscribeToAll({ parts: needs, tenantId, clock }: TestService): Promise<void> {
  await needs.database.query(
    `insert into event_receiver (tenant_id, id, types, state, sealed, created_at)
     values ($1, 'r', '* token.* telecom.* device.*', 'paused', $2, 0)`,
    [tenantId, new Uint8Array(0)],
  )
  clock.advance({ seconds: 1 })
}

eachDatabase(({ engine, open }) => {
  test(`a sign-in by OTP: started, delivered, failed, completed, and its token (${engine})`, async (t) => {
    const service = await startSignInService(t, await open(t))
    await subscribeToAll(service)
    const { transactionId } = (await service.start()).body
    const otp = service.otp()
    await service.verify(transactionId, { otp: anotherOtp(otp) })
    const { userId, token } = (await service.verify(transactionId, { otp })).body
    const events = await eventsOf(service)
    assert.deepEqual(typesOf(events), [
      'sign_in.started',
      'otp.delivery',
      'sign_in.failed',
      'sign_in.completed',
      'token.issued',
    ])
    assert.equal(
      new Set(events.slice(0, 4).map(({ orderKey }) => orderKey)).size,
      1,
      'those of one number are in order',
    )
    const [, delivery, failed, completed, issued] = events
    assert.deepEqual(delivery!.data.identity, mobile)
    assert.deepEqual([failed!.data.reason, failed!.data.attemptsLeft], ['OTP_WRONG', 4])
    assert.equal(completed!.data.userId, userId)
    assert.equal(completed!.data.tokenId, issued!.data.tokenId)
    const all = JSON.stringify(events)
    for (const secret of [token, transactionId]) assert.ok(!all.includes(secret), 'no event has a secret')
    // As a word: the digits of an id may happen to be the same.
    assert.doesNotMatch(all, new RegExp(`\\b${otp}\\b`), 'no event has a secret')
  })

  test(`a start above a limit is recorded as refused, until the storage budget of the app is used up (${engine})`, async (t) => {
    const settings = { messagesPerRecipientHour: 1, storageMbPerAddressDay: 1 }
    const service = await startSignInService(t, await open(t), { settings })
    await service.start()
    service.clock.advance({ seconds: 61 })
    assert.equal((await service.start()).status, 429)
    const refused = (await eventsOf(service)).filter(({ type }) => type === 'sign_in.refused')
    assert.deepEqual(
      refused.map(({ data }) => data.reasons),
      [['MESSAGES_LIMITED']],
    )
    const {
      apps: { storageBudget },
    } = service.parts
    const large = [{ sql: '', params: [new Uint8Array(999_000)] }]
    storageBudget.take(service.app.id, '127.0.0.1', large)
    for (let i = 0; i < 5; i++) assert.equal((await service.start()).status, 429)
    assert.ok((await eventsOf(service)).length < 8)
  })

  test(`a number that the telecom gate holds back: the tenant learns why (${engine})`, async (t) => {
    const gate = { simSwap: { onFound: 'refuse' } }
    const service = await startSignInService(t, await open(t), { app: { gate } })
    await service.start({ identity: { type: 'MOBILE', value: '61491570110' } })
    const events = await eventsOf(service)
    assert.deepEqual(typesOf(events), ['sign_in.started', 'sign_in.refused'])
    assert.deepEqual(events[1]!.data.reasons, ['SIM_SWAPPED'])
  })

  test(`a gateway that refuses a message is a failed delivery (${engine})`, async (t) => {
    const channels = {
      sms: {
        type: 'http-gateway',
        url: 'http://127.0.0.1:9',
        recipient: 'MOBILE',
        method: 'SMS',
        json: { text: '{text}' },
      },
    }
    const service = await startSignInService(t, await open(t), { channels })
    assert.notEqual((await service.start()).status, 200)
    const delivery = (await eventsOf(service)).find(({ type }) => type === 'otp.delivery')
    assert.deepEqual([delivery?.data.result, delivery?.data.reason], ['failed', 'unreachable'])
  })

  test(`tokens: issued and revoked by their id, in order, and none for a token that is unknown (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    await subscribeToAll(service)
    const issued = await service.post(endpoints.issueToken.path, readSamples().IssueTokenRequest!.ordinary)
    const revoke = (token: string) => service.post(endpoints.revokeToken.path, { token })
    assert.equal((await revoke(issued.body.token)).status, 200)
    const unknown = issued.body.token.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
    assert.equal((await revoke(unknown)).status, 400)
    const events = await eventsOf(service)
    assert.deepEqual(typesOf(events), ['token.issued', 'token.revoked'])
    assert.deepEqual([events[0]!.data.tokenId, events[0]!.orderKey], [events[1]!.data.tokenId, events[1]!.orderKey])
    const other = await startTestService(t, await open(t))
    const foreign = await other.post(endpoints.issueToken.path, readSamples().IssueTokenRequest!.ordinary)
    assert.equal((await revoke(foreign.body.token)).status, 400)
    assert.equal((await eventsOf(service)).length, 2, 'a refused revocation is undone with its event')
  })

  test(`device reports, their labels and changes of rules (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    await subscribeToAll(service)
    const { parts: needs, tenantId } = service
    const always = { id: 'all', name: 'All', when: 'sessionRiskScore >= 0', action: 'BLOCK', score: 90 }
    const { readRuleSet } = await import('../rules/rule-set.ts')
    const { ruleSet, mistakes } = readRuleSet({ rules: [always] })
    assert.deepEqual(mistakes, [])
    await needs.rules.draft(tenantId, ruleSet, { by: 'maya' })
    await needs.rules.live(tenantId, 1, { by: 'maya' }, { untried: true })
    const { dfrId } = await (await sdkClient(service)).fingerprint()
    await service.post(endpoints.labelReports.path, { labels: [{ dfrId, outcome: 'fraud', userId: 'u-7' }] })
    const events = await eventsOf(service)
    assert.deepEqual(typesOf(events), [
      'rules.changed',
      'rules.changed',
      'device.report.created',
      'device.rule.blocked',
      'label.created',
    ])
    assert.deepEqual(
      events.map(({ data }) => data.change ?? data.dfrId),
      ['draft', 'live', dfrId, dfrId, dfrId],
    )
    assert.deepEqual(events[3]!.data.rules, ['all'])
  })

  test(`lists: created, added, changed, removed and deleted, in order, and nothing for what changes nothing (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { clientId } = service.credentials
    const name = 'stolen-cards'
    const call = async (endpoint: keyof typeof endpoints, body: object) => service.post(endpoints[endpoint].path, body)
    await call('createList', { name, kind: 'text', purpose: 'block', by: 'maya' })
    const entries = [{ value: 'c1' }, { value: 'c2' }]
    await call('addListEntries', { name, entries, by: 'maya' })
    await call('addListEntries', { name, entries })
    await call('addListEntries', { name, entries: [{ value: 'c2', note: 'again' }, { value: 'c3' }] })
    assert.equal(
      (await call('addListEntries', { name, entries: [{ value: 'c4', expiresAt: '2020-01-01T00:00:00Z' }] })).status,
      400,
    )
    await call('removeListEntries', { name, values: ['c1', 'c9'] })
    await call('removeListEntries', { name, values: ['c1'] })
    const { parts: needs, tenantId, clock } = service
    const source = (async function* () {
      yield Buffer.from('c1\nc5\n')
    })()
    await importList({ lists: needs.rules.lists, clock, tenantId, name, source, by: 'maya' })
    await call('deleteList', { name })
    await call('deleteList', { name })
    const events = await eventsOf(service)
    assert.deepEqual(
      events.map(({ type, data: { change, entries: count, by } }) => [type, change, count, by]),
      [
        ['list.changed', 'created', 0, 'maya'],
        ['list.changed', 'added', 2, 'maya'],
        ['list.changed', 'added', 1, clientId],
        ['list.changed', 'changed', 1, clientId],
        ['list.changed', 'removed', 1, clientId],
        ['list.changed', 'imported', 2, 'maya'],
        ['list.changed', 'deleted', 4, clientId],
      ],
    )
    assert.equal(new Set(events.map(({ orderKey }) => orderKey)).size, 1, 'those of one list are in order')
  })

  test(`devices of a user: named, revoked and deleted (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const { dfrId } = await (await sdkClient(service)).fingerprint()
    const userId = 'asha'
    await service.post(endpoints.deviceFingerprint.path, { dfrId, deviceType: 'WEB', userId })
    const { devices } = (await service.post(endpoints.listAccountDevices.path, { userId })).body
    const { deviceId } = devices[0]
    const update = (change: object) => service.post(endpoints.updateAccountDevice.path, { userId, deviceId, ...change })
    await update({ name: 'Laptop of Asha' })
    await update({ name: 'Laptop of Asha' })
    await update({ trusted: false })
    await update({ trusted: false })
    await service.post(endpoints.deleteAccountDevices.path, { userId })
    await service.post(endpoints.deleteAccountDevices.path, { userId })
    const events = (await eventsOf(service)).filter(({ type }) => type === 'account.device.changed')
    assert.deepEqual(
      events.map(({ data }) => data),
      [
        { userId, change: 'named', deviceId, devices: 1 },
        { userId, change: 'revoked', deviceId, devices: 1 },
        { userId, change: 'deleted', devices: 1 },
      ],
    )
    const found = await service.post(endpoints.searchEvents.path, { deviceId, types: ['account.*'] })
    assert.deepEqual(
      found.body.events.map(({ outcome }: { outcome: string }) => outcome),
      ['revoked', 'named'],
    )
  })

  test(`telecom checks, only while a receiver wants them (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t))
    const check = (phoneNumber: string) => service.post(endpoints.simSwapCheck.path, { phoneNumber })
    await check('61491570110')
    assert.deepEqual(await eventsOf(service), [])
    await subscribeToAll(service)
    await check('61491570110')
    await check('917020141726')
    await check('12')
    await service.post(endpoints.callForwardingCheck.path, { phoneNumber: '917020141726' })
    await service.post(endpoints.portability.path, { phoneNumber: '917020141726' })
    const results = (await eventsOf(service)).map(({ data }) => [data.check, data.result])
    assert.deepEqual(results, [
      ['simSwap', 'yes'],
      ['simSwap', 'no'],
      ['callForwarding', 'no'],
      ['portability', results[3]![1]],
    ])
  })
})

test('every type of the contract is written somewhere', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const sources = globSync('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts'] })
  const written = sources.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n')
  const missing = Object.keys(eventTypes).filter((type) => !written.includes(`type: '${type}'`))
  assert.deepEqual(missing, [])
})

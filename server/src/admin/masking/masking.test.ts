import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AdminEndpoint,
  type AdminEndpointName,
  adminEndpoints,
  type Decision,
  endpoints,
} from '@ringfence/contract'
import { decisionCalls } from '../../decisions/testing.ts'
import { tokenCalls } from '../../sign-in/tokens/testing.ts'
import { eachDatabase } from '../../testing/databases.ts'
import { ordinaryFacts, sdkClient } from '../../testing/sdk-client.ts'
import { startTestService, type TestService } from '../../testing/test-service.ts'
import { openAuditLine } from '../audit/chain.ts'
import { personWith } from '../people/test-person.ts'
import { auditLinesAfter } from '../store/audit-lines.ts'
import { type AdminCaller, adminClient } from '../testing.ts'
import { maskedReason, maskedSent } from './mask-sent.ts'
import { maskedText } from './mask-value.ts'

const asha = {
  phoneNumber: '917020141726',
  email: 'asha.rao@example.com',
  ip: '203.0.113.77',
  note: 'She called us from Pune',
  payee: 'Ravi Kulkarni',
  deviceName: 'Asha at home',
}

/** A person in decisions, events, device reports, reviews, lists and devices; ids of what a call may name. */
async function recordAsha(service: TestService): Promise<Record<string, unknown>> {
  const { parts: needs, tenantId, post } = service
  const { decide, publish } = decisionCalls(service)
  await publish([{ id: 'look', name: 'Look', when: 'params.amount > 10', action: 'REVIEW', score: 40 }])
  const sdk = await sdkClient(service)
  const updateInfo = { userId: asha.email, phoneNumber: asha.phoneNumber, additionalInput: { friend: asha.payee } }
  const { requestId } = await sdk.analyse(ordinaryFacts, { updateInfo })
  const pushed = await sdk.post(endpoints.pushFingerprint.path, sdk.pushBody(requestId, { payee: asha.payee }))
  const { dfrId } = pushed.body
  const identity = { identityType: 'MOBILE', identityValue: asha.phoneNumber, channel: 'OTP', methods: ['SMS'] }
  const verifiedAt = new Date(service.clock.now()).toISOString()
  const token = await tokenCalls(service).issue({
    userId: asha.email,
    identities: [{ ...identity, verified: true, verifiedAt }],
    requestId,
  })
  const { phoneNumber, email, ip } = asha
  const params = { amount: 20, payee: asha.payee, phone: asha.phoneNumber }
  const sent = { action: 'PAYMENT', userId: asha.email, phoneNumber, email, ip, params, token, dfrId }
  const { decisionId, device } = (await decide(sent)).body as Decision
  const { deviceId } = device!
  await post(endpoints.updateAccountDevice.path, { userId: asha.email, deviceId, name: asha.deviceName })
  const admin = await adminClient(service, 'admin')
  await admin('resolveReview', { decisionId, outcome: 'approved', note: asha.note })
  for (const [name, kind, value] of [
    ['numbers', 'phoneNumber', phoneNumber],
    ['mails', 'text', email],
    ['places', 'ip', ip],
  ] as const) {
    await needs.rules.lists.create(tenantId, { name, kind, purpose: 'watch' }, 'test')
    await needs.rules.lists.add(tenantId, name, [{ value, note: asha.note }], 'test')
  }
  const events = (await admin('searchEvents', { phoneNumber })).body.events as { id: string }[]
  return {
    decisionId,
    dfrId,
    deviceType: 'WEB',
    userId: asha.email,
    deviceId,
    eventId: events[0]!.id,
    phoneNumber,
    state: 'approved',
  }
}

/** Calls an endpoint with what it needs; lists once for each. */
async function answersOf(call: AdminCaller, name: AdminEndpointName, ids: Record<string, unknown>) {
  const { request } = adminEndpoints[name] as AdminEndpoint
  const { properties, required = [] } = request as unknown as { properties: object; required?: string[] }
  const filled = Object.fromEntries(
    Object.keys(properties).flatMap((field) => {
      const isNeeded = required.includes(field) || field === 'state'
      return isNeeded && ids[field] !== undefined ? [[field, ids[field]]] : []
    }),
  )
  const named = /List$/.test(name)
    ? ['numbers', 'mails', 'places'].map((list) => ({ ...filled, name: list }))
    : [filled]
  return Promise.all(named.map((fields) => call(name, fields)))
}

const reading = (Object.entries(adminEndpoints) as [AdminEndpointName, AdminEndpoint][]).filter(
  // What a stream shows is tested beside it.
  ([, { effect, permission, stream }]) =>
    effect === 'read' && permission !== 'anyone' && permission !== 'signedIn' && !stream,
)

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('no answer shows a viewer a number, an email address, an IP address, a name or a note'), async (t) => {
    const service = await startTestService(t, await open(t))
    const ids = await recordAsha(service)
    const [viewer, analyst] = [await adminClient(service, 'viewer'), await adminClient(service, 'analyst')]
    const shown = new Set<AdminEndpointName>()
    for (const [name] of reading) {
      for (const { body } of await answersOf(viewer, name, ids)) {
        const text = JSON.stringify(body)
        for (const [what, value] of Object.entries(asha)) {
          assert.ok(!text.includes(value), `${name} shows a viewer the ${what}: ${text.slice(0, 2000)}`)
        }
      }
      for (const { body } of await answersOf(analyst, name, ids)) {
        if (Object.values(asha).some((value) => JSON.stringify(body).includes(value))) shown.add(name)
      }
    }
    for (const name of ['searchEvents', 'readDecision', 'listReviews', 'listUserDevices', 'readList'] as const) {
      assert.ok(shown.has(name), `an analyst sees personal data in ${name}, so the test has looked at some`)
    }
  })

  test(it('support searches by a full number, and reveals a record with a reason in the audit log'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decisionId, dfrId, deviceId, eventId } = await recordAsha(service)
    const support = await adminClient(service, 'support')
    const found = await support('searchEvents', { phoneNumber: asha.phoneNumber })
    assert.ok(found.body.events.length > 0)
    const of = (type: string) => found.body.events.find((event: { type: string }) => event.type === type)
    assert.equal(of('decision.created').data.phoneNumber, '********1726')
    assert.equal(of('decision.created').data.ipAddress, '203.0.*.*')
    assert.equal(of('decision.created').data.userId, 'a***@example.com')

    const reason = 'Ticket 4711'
    for (const [kind, id] of [
      ['decision', decisionId],
      ['deviceReport', dfrId],
      ['event', eventId],
      ['device', deviceId],
      ['user', asha.email],
      ['phoneNumber', asha.phoneNumber],
    ]) {
      const revealed = await support('reveal', { kind, id, reason })
      assert.equal(revealed.status, 200, JSON.stringify(revealed.body))
      const shown = JSON.stringify(revealed.body.record)
      assert.ok(shown.includes(kind === 'deviceReport' ? '127.0.0.1' : asha.phoneNumber), shown)
    }
    const keys = await service.parts.tenantKeyring.keysOf(service.tenantId)
    const rows = await auditLinesAfter(service.parts.database, { tenantId: service.tenantId, after: 0, limit: 100 })
    const lines = rows.map((row) => openAuditLine(row, keys))
    const reveals = lines.filter(({ action }) => action === 'reveal')
    assert.equal(reveals.length, 6)
    assert.match(JSON.stringify(reveals[0]), new RegExp(`${decisionId}.*Ticket 4711`))

    assert.equal((await support('reveal', { kind: 'decision', id: decisionId })).status, 400, 'a reason is needed')
    const unknown = '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e'
    assert.equal((await support('reveal', { kind: 'decision', id: unknown, reason })).status, 404)
    assert.equal((await support('reveal', { kind: 'event', id: unknown, reason })).status, 400)
    assert.equal((await support('reveal', { kind: 'event', id: dfrId, reason })).status, 400)
    assert.equal((await support('reveal', { kind: 'phoneNumber', id: asha.email, reason })).status, 400)
    assert.equal((await support('reveal', { kind: 'device', id: unknown, reason })).status, 404)
    const viewer = await adminClient(service, 'viewer')
    assert.equal((await viewer('reveal', { kind: 'decision', id: decisionId, reason })).status, 403)
  })
})

eachDatabase(({ engine, open }) => {
  const it = (title: string) => `${title} (${engine})`

  test(it('lists who saw which kind of record in clear and why, and names nobody'), async (t) => {
    const service = await startTestService(t, await open(t))
    const { decisionId } = await recordAsha(service)
    const support = await adminClient(service, 'support')
    const by = (await support('me')).body.clientId
    const reason = 'Ticket 4711'
    assert.equal((await support('reveal', { kind: 'decision', id: decisionId, reason })).status, 200)
    assert.equal((await support('reveal', { kind: 'user', id: asha.email, reason })).status, 200)
    const { body } = await support('listReveals')
    const shown = (reveals: { by: string; kind?: string; reason?: string }[]) =>
      reveals.map((reveal) => [reveal.by, reveal.kind, reveal.reason])
    assert.deepEqual(shown(body.reveals), [
      [by, 'user', reason],
      [by, 'decision', reason],
    ])
    assert.ok(!JSON.stringify(body).includes(asha.email))
    const { body: first } = await support('listReveals', { limit: 1 })
    const { body: second } = await support('listReveals', { limit: 1, cursor: first.next })
    assert.deepEqual([...first.reveals, ...second.reveals], body.reveals)

    const subject = { kind: 'userId', value: asha.email }
    assert.equal((await support('eraseSubject', { subject, reason })).status, 200)
    const [erased, left] = (await support('listReveals')).body.reveals
    assert.deepEqual(shown([erased, left]), [
      [by, 'user', reason],
      [by, 'decision', reason],
    ])
    const admin = await adminClient(service, 'admin')
    const { lines } = (await admin('listAudit', { action: 'reveal' })).body
    assert.deepEqual(
      lines.map(({ erased }: { erased: boolean }) => erased),
      [true, false],
    )
    assert.equal(lines[0].details.sent.id, '[erased]')
    assert.ok((await admin('verifyAudit')).body.erased >= 1)
    assert.equal((await (await adminClient(service, 'viewer'))('listReveals')).status, 403)
  })
})

test('masks what is in a text, and leaves ids, times and versions', () => {
  for (const [text, masked] of [
    ['SIM of +917020141726 swapped', 'SIM of ********1726 swapped'],
    ['+91 70201 41726', '********1726'],
    ['917020141726', '********1726'],
    ['from 203.0.113.77, then 2001:db8:1::7', 'from 203.0.*.*, then 2001:db8:*'],
    ['http://203.0.113.77/x', 'http://203.0.*.*/x'],
    ['203.0.113.0/24', '203.0.*.*/24'],
    ['::ffff:203.0.113.77', '::ffff:203.0.*.*'],
    ['mail asha.rao@example.com.', 'mail a***@example.com.'],
  ] as const) {
    assert.equal(maskedText(text), masked)
  }
  for (const text of [
    '01933b2e-7c1a-7b5e-9d0f-330211405678',
    '12345678-1234-7000-8000-123456789012',
    '0d5f7b9b1c3e4a6f8a7b6c5d4e3f2a1b',
    '2026-11-23T09:12:44.026Z',
    '12:34:56',
    'Chrome/120.0.0.0 Safari/537.36',
    'amount > 100000 and score >= 0.123456789012',
    'sha256-1234567890',
  ]) {
    assert.equal(maskedText(text), text)
  }
})

test('reads a text once to mask it, however long it is', () => {
  // A pattern that begins again at each character would take hours.
  for (const unit of ['a', '1', 'a.', 'a@', '%40', '1.', 'a:', '+1', '1 ', ' ', '(', 'a%']) {
    for (const end of ['', '!', 'x', '@']) {
      const text = unit.repeat(Math.floor(1_000_000 / unit.length)) + end
      for (const masked of [maskedText(text), maskedReason(text), maskedSent({ lines: text })])
        assert.ok(masked !== undefined)
    }
  }
})

eachDatabase(({ engine, open }) => {
  test(`a role that sees masked values finds no hidden digit by trying, and each try is in the audit log (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { maskedSearchesPerDay: 10 } })
    await recordAsha(service)
    const viewer = await adminClient(service, 'viewer')
    const tries: number[] = []
    for (let octet = 100; octet < 130; octet++)
      tries.push((await viewer('searchEvents', { ipAddress: `203.0.${octet}.77` })).status)
    assert.deepEqual(tries, [...Array(10).fill(200), ...Array(20).fill(429)])
    for (const [name, fields] of [
      ['lookUpList', { name: 'places', value: asha.ip }],
      ['readNumber', { phoneNumber: asha.phoneNumber }],
      ['readUser', { userId: asha.email }],
      ['searchEvents', { email: asha.email }],
    ] as const) {
      const { status, body, headers } = await viewer(name, fields)
      assert.deepEqual([status, body.type], [429, '/problems/searches-used-up'], name)
      assert.ok(Number(headers.get('retry-after')) > 0)
    }
    const again = await Promise.all(
      tries.slice(0, 10).map((_, at) => viewer('searchEvents', { ipAddress: `203.0.${100 + at}.77` })),
    )
    assert.ok(
      again.every(({ status }) => status === 200),
      'a value that was searched for costs nothing',
    )
    assert.equal((await viewer('readUser', { userId: 'u-1' })).status, 200, 'an id of yours is no personal data')

    const atOnce = await Promise.all(tries.map(() => viewer('searchEvents', { ipAddress: '203.0.150.77' })))
    assert.ok(
      atOnce.every(({ status }) => status === 429),
      'a search is no free one because another one of the same value is being refused',
    )

    const owner = await adminClient(service, 'owner')
    const { lines } = (await owner('listAudit', { action: 'searchEvents', limit: 100 })).body
    assert.equal(lines.length, 10)
    assert.deepEqual(lines[9].details.sent, { ipAddress: '203.0.100.77' })
    const analyst = await adminClient(service, 'analyst')
    for (let octet = 0; octet < 20; octet++)
      assert.equal((await analyst('searchEvents', { ipAddress: `203.0.${octet}.77` })).status, 200)
    service.clock.advance({ hours: 24 })
    assert.equal((await viewer('searchEvents', { ipAddress: '203.0.200.77' })).status, 200)
  })
})

eachDatabase(({ engine, open }) => {
  test(`an own role that sees masked values does not find them by changing lists, importing or trying rules (${engine})`, async (t) => {
    const service = await startTestService(t, await open(t), { settings: { maskedSearchesPerDay: 10 } })
    await recordAsha(service)
    const owner = await personWith(service, 'owner', 'Maya')
    const permissions = ['lists.read', 'lists.write', 'rules.read', 'rules.write', 'rules.publish', 'decisions.try']
    assert.equal((await owner.call('createRole', { name: 'tuner', permissions })).status, 200)
    const numbers = Array.from({ length: 30 }, (_, at) => `9170201417${String(at + 10)}`)
    const guesses = {
      previewListImport: { name: 'numbers', lines: `value\n${numbers.join('\n')}` },
      addListEntries: { name: 'numbers', entries: numbers.map((value) => ({ value })) },
      removeListEntries: { name: 'numbers', values: numbers },
    } as const
    for (const [at, [name, fields]] of (Object.entries(guesses) as [keyof typeof guesses, object][]).entries()) {
      const tuner = await personWith(service, 'tuner', `Tim${at}`)
      const { status, body } = await tuner.call(name, fields)
      assert.deepEqual([status, body.type], [429, '/problems/searches-used-up'], name)
    }
    const tuner = await personWith(service, 'tuner', 'Tim')
    assert.equal(
      (await tuner.call('addListEntries', { name: 'numbers', entries: [{ value: numbers[0] }] })).status,
      200,
    )
    const tries: number[] = []
    for (const phoneNumber of numbers.slice(0, 12))
      tries.push((await tuner.call('tryDecision', { action: 'LOGIN', phoneNumber })).status)
    assert.deepEqual(tries, [...Array(10).fill(200), 429, 429])
    const another = await personWith(service, 'tuner', 'Tom')
    const byParams: number[] = []
    for (let pin = 0; pin < 12; pin++) {
      const params = { note: pin < 6 ? `pin ${pin}` : pin }
      byParams.push((await another.call('tryDecision', { action: 'LOGIN', userId: 'u-1', params })).status)
    }
    assert.deepEqual(byParams, [...Array(10).fill(200), 429, 429], 'rules may look a param up in a list')

    const text =
      'rules:\n  - id: probe\n    name: Probe\n    when: phoneNumber == "917020141726"\n    action: BLOCK\n    score: 40\n'
    const saved = await tuner.call('saveRuleDraft', { text, basedOn: 1 })
    const { version } = saved.body
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    for (const [name, fields] of [
      ['startBacktest', { version }],
      ['previewPublication', { version }],
      ['startRuleShadow', { version }],
      ['requestPublication', { version, note: 'try' }],
    ] as const) {
      const { status, body } = await tuner.call(name, fields)
      assert.deepEqual([status, body.type], [403, '/problems/permission-missing'], name)
      assert.match(body.detail, /personalData\.read/)
    }
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventData, type EventType, eventTypes } from '@ringfence/contract'
import { recordOf } from './ecs.ts'
import { messageOf } from './syslog-sink.ts'

/** event.type that ECS 8.17 allows for a category, as far as we use it. */
const allowed: Record<string, readonly string[]> = {
  authentication: ['start', 'end', 'info'],
  configuration: ['access', 'change', 'creation', 'deletion', 'info'],
  iam: ['admin', 'change', 'creation', 'deletion', 'group', 'info', 'user'],
  intrusion_detection: ['allowed', 'denied', 'info'],
  session: ['start', 'end', 'info'],
  api: ['access', 'admin', 'allowed', 'change', 'creation', 'deletion', 'denied', 'end', 'info', 'start', 'user'],
}

const masking = { isMasked: true, version: '1.0.0' }

const opened = (type: EventType, data: EventData | undefined = eventTypes[type].example as unknown as EventData) => ({
  ...{ id: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e', tenantId: 'tenant-1', type },
  ...{ occurredAt: Date.UTC(2026, 10, 23, 10), data },
})

test('every event has a category, and types that ECS allows for it', () => {
  for (const type of Object.keys(eventTypes) as EventType[]) {
    const { event } = JSON.parse(recordOf(opened(type), masking).json)
    assert.ok(event.category.length === 1 && event.type.length > 0, type)
    for (const each of event.type) assert.ok(allowed[event.category[0]]?.includes(each), `${type}: ${each}`)
    assert.deepEqual([event.action, event.id], [type, opened(type).id])
  }
})

test('every event is a message as RFC 5424 says, in ASCII and on one line', () => {
  for (const type of Object.keys(eventTypes) as EventType[]) {
    const message = messageOf(recordOf(opened(type), masking), { host: 'host-1', process: '7' })
    assert.match(
      message,
      /^<1(08|09|10)>1 2026-11-23T10:00:00\.000Z host-1 ringfence 7 [!-~]{1,32} - \{[ -~]*\}$/,
      type,
    )
  }
  const data = { list: 'Diebstähle 🚗\n', change: 'added', entries: 1 } as const
  const { json } = recordOf(opened('list.changed', data), masking)
  assert.match(json, /^[ -~]*$/)
  assert.equal(JSON.parse(json).ringfence.list, data.list)
})

test('a blocked session is an alert with score, reason and rules; a wrong code is a failure', () => {
  const blocked = recordOf(opened('device.report.created'), masking)
  const { event, rule } = JSON.parse(blocked.json)
  assert.deepEqual(
    [event.kind, event.type, event.risk_score, rule.id, blocked.severity],
    ['alert', ['denied'], 84, ['block-high-risk'], 4],
  )
  const failed = recordOf(opened('sign_in.failed'), masking)
  assert.deepEqual(
    [JSON.parse(failed.json).event.outcome, JSON.parse(failed.json).event.reason, failed.severity],
    ['failure', 'OTP_WRONG', 4],
  )
})

test('who noticed that a number changed is nobody of the tenant', () => {
  const { user, ringfence } = JSON.parse(recordOf(opened('telecom.number_changed'), masking).json)
  assert.deepEqual([user, ringfence.by, ringfence.source], [undefined, 'poll', 'airtel'])
  assert.equal(JSON.parse(recordOf(opened('list.changed'), masking).json).user.name, 'maya')
})

test('masks phone numbers and email addresses wherever an event has them', () => {
  const number = '917020141726'
  const email = 'asha@shop.example'
  const events: [EventType, object][] = [
    ['sign_in.started', { identity: { type: 'MOBILE', value: number } }],
    ['sign_in.started', { identity: { type: 'EMAIL', value: email } }],
    ['decision.created', { phoneNumber: number, userId: email }],
    ['decision.created', { userId: number }],
    ['decision.created', { userId: `+${number}` }],
    ['account.device.changed', { userId: email }],
  ]
  for (const [type, more] of events) {
    const event = opened(type, { ...eventTypes[type].example, ...more } as unknown as EventData)
    const { json } = recordOf(event, masking)
    assert.ok(!json.includes('9170201') && !json.includes('asha'), json)
    assert.ok(json.includes('1726') || json.includes('a***@shop.example'), json)
    const clear = recordOf(event, { ...masking, isMasked: false }).json
    assert.ok(clear.includes(number) || clear.includes(email))
  }
  const ordinary = opened('account.device.changed')
  assert.equal(JSON.parse(recordOf(ordinary, masking).json).user.id, 'u-1001', 'an id of yours is shown as it is')
})

test('an event of a newer version is a record without content, also in a rolling upgrade', () => {
  const type = 'account.closed' as EventType
  const { json, severity } = recordOf(opened(type, { secret: 'asha' } as unknown as EventData), masking)
  const { event, error, ringfence } = JSON.parse(json)
  assert.deepEqual([event.action, event.category, ringfence, severity], [type, undefined, undefined, 4])
  assert.match(error.message, /cannot be read/)
  assert.ok(!json.includes('asha'), 'nobody knows which of its fields to mask')
})

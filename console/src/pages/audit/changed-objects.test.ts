import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditLine } from '../../api/types.ts'
import { changedBy, peopleIn } from './changed-objects.ts'

const line = (action: string, sent: object, details: object = {}): AuditLine => ({
  ...{ number: 7, at: '2026-11-23T09:12:44.026Z', actor: 'person:1', action, erased: false, hash: 'ab' },
  details: { name: 'Maya Rao', role: 'owner', requestId: 'r-1', sent, ...details },
})

test('a line names the list, app, key, webhook, rule version, person or role that it changed', () => {
  for (const [action, sent, expected] of [
    ['addListEntries', { entries: [{ value: '*****1726' }], name: 'mules' }, 'List mules'],
    ['disableApp', { appId: 'app-1' }, 'App app-1'],
    ['createApp', { name: 'Shop', origins: [] }, 'App Shop'],
    ['rotateClient', { clientId: 'c-1', overlapHours: 24 }, 'Key c-1'],
    ['createClient', { name: 'Backend', role: 'viewer' }, 'Key Backend · Role viewer'],
    ['pauseWebhook', { webhookId: 'w-1' }, 'Webhook w-1'],
    ['addWebhook', { types: ['*'], url: 'https://shop.example/hook' }, 'Webhook https://shop.example/hook'],
    ['startRuleShadow', { note: '•••', version: 12 }, 'Rules, version 12'],
    ['changeRole', { personId: '1', role: 'analyst' }, 'Person Maya Rao · Role analyst'],
    ['removePerson', { personId: '2' }, 'Person 2'],
    ['invite', { hours: 24, role: 'support', email: 's***@shop.example' }, 'Person s***@shop.example · Role support'],
    ['editRole', { description: '•••', name: 'auditors', permissions: ['audit.read'] }, 'Role auditors'],
    ['askForChallenge', { decisionId: 'd-1' }, 'Decision d-1'],
    ['resolveReview', { outcome: 'approved', decisionId: 'd-1' }, 'Decision d-1'],
    ['updateUserDevice', { name: '•••', userId: 'u-1', deviceId: 'x-1' }, 'User u-1 · Device x-1'],
    ['reveal', { kind: 'user', id: 'u-1', reason: 'Ticket 4711' }, 'User u-1'],
    ['eraseSubject', { subject: { kind: 'phoneNumber' }, reason: 'Ticket 4711' }, 'Number'],
    ['label', { labels: [{ decisionId: 'd-1', outcome: 'fraud' }, { dfrId: 'r-2' }] }, 'Decision d-1 · 1 more'],
    ['saveSso', { name: 'Okta', issuer: 'https://o.example', clientId: 'abc' }, 'Identity provider Okta'],
  ] as const) {
    assert.equal(changedBy(line(action, sent), peopleIn([line('signIn', {})])), expected, action)
  }
})

test('a line that names none of them says what it has, and an erased one nothing', () => {
  assert.equal(changedBy(line('invite', {}, { given: 'owner' })), 'Role owner')
  assert.equal(changedBy(line('refused', {}, { permission: 'people.write' })), 'people.write')
  const { details: _, ...erased } = line('label', {})
  assert.equal(changedBy({ ...erased, erased: true }), undefined)
})

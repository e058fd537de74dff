// Which requests does the console send that may be expensive? For each call that reads, the hard cases.

import { type AdminEndpointName, adminEndpoints, readSamples } from '@ringfence/contract'
import type { Filled } from './fill.ts'
import { listName } from './setting.ts'

export interface Case {
  /** Of what, in words; empty for a call that has one form. */
  readonly what: string
  readonly fields: object
}

const dayMs = 86_400_000

/** Every call that reads. A new one belongs here, unless its sample is as expensive as it gets. */
export function casesOf(store: Filled, now = Date.now()): ReadonlyMap<AdminEndpointName, readonly Case[]> {
  const hard = hardCases(store, now)
  const cases = new Map<AdminEndpointName, readonly Case[]>()
  for (const name of Object.keys(adminEndpoints) as AdminEndpointName[]) {
    if (adminEndpoints[name].effect === 'write' || name in notMeasured) continue
    cases.set(name, hard[name] ?? [{ what: '', fields: ordinaryFields(name) }])
  }
  return cases
}

/** Of the samples, for a call that has no hard case. */
function ordinaryFields(name: AdminEndpointName): object {
  const { $id = '' } = adminEndpoints[name].request as { $id?: string }
  return (readSamples()[$id]?.ordinary ?? {}) as object
}

/** Calls that read, and why they are not measured. */
export const notMeasured: Partial<Record<AdminEndpointName, string>> = {
  openInvitation: 'needs a one-time link, and is measured with the sign-in',
  watchEvents: 'does not end; measured in the browser',
  beginConfirmation: 'needs a passkey',
  readBacktest: 'needs a backtest, whose result it reads by its id',
  readOutbox: 'only a sandbox has one',
}

function hardCases(store: Filled, now: number): Partial<Record<AdminEndpointName, readonly Case[]>> {
  const { busiest, decisionIds, dfrId, reviewId, webhookId } = store
  const { userId, phoneNumber, email, deviceId, ipAddress } = busiest
  const at = (daysAgo: number) => new Date(now - daysAgo * dayMs).toISOString()
  const one = (fields: object): readonly Case[] => [{ what: '', fields }]
  const limit = 100
  return {
    readOverview: [
      { what: 'an hour', fields: { from: at(1 / 24), to: at(0) } },
      { what: 'a day', fields: { from: at(1), to: at(0) } },
      { what: '31 days', fields: { from: at(31), to: at(0) } },
    ],
    readPerformance: [
      { what: 'a day', fields: { days: 1 } },
      { what: '90 days', fields: { days: 90 } },
    ],
    searchEvents: [
      { what: 'all, first page', fields: { limit } },
      { what: 'all, last page', fields: { limit, to: at(28.99) } },
      { what: 'decisions', fields: { limit, types: ['decision.created'] } },
      { what: 'nearly every type', fields: { limit, types: ['decision.*', 'sign_in.*', 'otp.delivery'] } },
      { what: 'busiest user', fields: { limit, userId } },
      { what: 'busiest number', fields: { limit, phoneNumber } },
      { what: 'busiest email', fields: { limit, email } },
      { what: 'busiest device', fields: { limit, deviceId } },
      { what: 'busiest IP address', fields: { limit, ipAddress } },
      { what: 'busiest IP address, a rare type', fields: { limit, ipAddress, types: ['label.created'] } },
      { what: 'user and device that never met', fields: { limit, userId: 'customer-7', deviceId } },
      { what: 'unknown request', fields: { limit, requestId: 'nothing-has-this-id' } },
      { what: 'an outcome that no event has', fields: { limit, outcome: 'nothing' } },
      { what: 'blocked decisions', fields: { limit, types: ['decision.created'], outcome: 'BLOCK' } },
    ],
    searchDecisions: [
      { what: 'a rule', fields: { limit, rule: 'many-cards' } },
      { what: 'a rule that never fired', fields: { limit, rule: 'nothing-has-this-id' } },
      {
        what: 'blocked payments of a country',
        fields: { limit, operation: 'PAYMENT', country: 'IN', action: 'BLOCK' },
      },
      { what: 'a country of few decisions, of a day', fields: { limit, country: 'NL', from: at(3), to: at(2) } },
      { what: 'an app, last page', fields: { limit, app: '', to: at(28.99) } },
    ],
    readDecision: decisionIds.map((decisionId, i) => ({
      what: ['first', 'in the middle', 'last'][i]!,
      fields: { decisionId },
    })),
    readReview: reviewId === undefined ? [] : one({ decisionId: reviewId }),
    readReport: one({ dfrId, deviceType: 'WEB' }),
    listReviews: [
      { what: 'open', fields: { state: 'open', limit } },
      { what: 'approved', fields: { state: 'approved', limit } },
    ],
    listUserDevices: one({ userId }),
    readUser: [
      { what: 'busiest', fields: { userId } },
      { what: 'unknown', fields: { userId: 'nobody' } },
    ],
    ...entityCases(busiest),
    readNumber: one({ phoneNumber }),
    explainRoute: one({ phoneNumber }),
    readDevice: one({ deviceId }),
    listDeviceVisits: one({ deviceId, limit: 50 }),
    readRules: one({ version: 'live' }),
    readChangesOfRule: one({ rule: 'high-risk' }),
    readRuleNames: [
      { what: 'of the live rules', fields: { rules: ['high-risk'] } },
      { what: 'that no version has', fields: { rules: ['no-such-rule'] } },
    ],
    compareRules: one({ from: 1, to: 2 }),
    checkRules: one({ text: 'rules:\n  - { id: a, name: A, when: params.amount > 5, action: WARN, score: 10 }\n' }),
    previewPublication: one({ version: 2 }),
    readList: one({ name: listName }),
    previewListImport: one({
      name: listName,
      lines: Array.from({ length: 1_000 }, (_, line) => `payee-${line}`).join('\n'),
    }),
    lookUpList: one({ name: listName, value: 'payee-77' }),
    listWebhookAttempts: one({ webhookId }),
    countSignIns: [
      { what: 'a week', fields: { days: 7 } },
      { what: '30 days', fields: { days: 30 } },
    ],
    listAudit: [
      { what: 'first page', fields: { limit } },
      { what: 'an action that nobody did', fields: { limit, action: 'removePerson' } },
      { what: 'last page', fields: { limit, cursor: '90' } },
    ],
    exportAudit: one({ after: 50_000 }),
  }
}

/** A search by the first characters that nothing has reads as many rows as it may. */
function entityCases({ userId, deviceId, phoneNumber }: Filled['busiest']) {
  const exact = { listUsers: { userId }, listDevices: { deviceId }, listNumbers: { phoneNumber } }
  const none = { listUsers: 'zzz', listDevices: 'zzz', listNumbers: '1999' }
  const cases = (name: keyof typeof exact): readonly Case[] => [
    { what: 'riskiest', fields: { limit: 200 } },
    { what: 'shared', fields: { filter: 'shared', limit: 200 } },
    { what: 'new today', fields: { filter: 'newToday', limit: 200 } },
    { what: 'all', fields: { filter: 'all', limit: 200 } },
    { what: 'exact', fields: exact[name] },
    { what: 'first characters that none has', fields: { beginsWith: none[name] } },
  ]
  return { listUsers: cases('listUsers'), listDevices: cases('listDevices'), listNumbers: cases('listNumbers') }
}

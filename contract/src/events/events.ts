// Which events does a tenant receive? Type and data of each; docs/reference/events.md is made from it.

import Type, { type Static } from 'typebox'
import { Consent } from '../checks/consent.ts'
import { Cost, LookUpCost } from '../checks/cost.ts'
import { paidNames } from '../checks/index.ts'
import { watchableChecks } from '../checks/watches.ts'
import { labelNames } from '../labels.ts'
import { userEvents } from '../users/user-events.ts'
import { decisionEvents } from './decision-events.ts'
import { event, integer, maybe, text } from './meaning.ts'

const signInId = text(
  'Identifies the sign-in: the first 32 hex digits of SHA-256 of its transaction id, or of the order id',
)
const appId = text('The app, or the client that ordered the OTP')
const channel = text('`OTP`, `MAGIC_LINK` or `OAUTH`')
const method = text('How: `SMS`, `WHATSAPP`, `EMAIL`, or the identity provider')
const userId = text('Your id of the user, or that of a user who signed in here')
const personId = text('Id that we minted for the user who signed in; where it is not userId')
const phoneNumber = text('Digits with country code')
const ipAddress = text('IP address of the person')
const identity = Type.Object(
  { type: Type.Enum(['MOBILE', 'EMAIL']), value: text('Phone number in digits, or email address') },
  { additionalProperties: false, description: 'Who signs in. Absent until an identity provider has said it' },
)
const signIn = { signInId, appId, channel, method, identity: maybe(identity), ipAddress: maybe(ipAddress) }

const tokenId = text('Identifies the token; it cannot be exchanged')
const dfrId = text('The id of the device report')
const requestId = text('The request id of the engine call')
const report = {
  dfrId,
  requestId,
  appId: text('The app'),
  platform: Type.Enum(['WEB', 'IOS', 'ANDROID']),
  deviceId: maybe(text('The device, when it was recognised')),
  userId: maybe(text('The user as the app reported it: a hint')),
  action: Type.Enum(['ALLOW', 'WARN', 'BLOCK']),
  sessionRiskScore: Type.Number({ description: '0 to 100' }),
  deviceRiskScore: Type.Number({ description: '0 to 100' }),
  rules: Type.Array(Type.String(), { description: 'Ids of the rules that fired' }),
  ipAddress: maybe(ipAddress),
}
const changedBy = text('Who made the change')

const exampleSignIn = {
  signInId: 'c1f0b7a3e7d94f0e8f5a2b6c9d3e4f10',
  appId: 'rfa_3kTq0a',
  channel: 'OTP',
  method: 'SMS',
  identity: { type: 'MOBILE', value: '917020141726' },
}
const exampleReport = {
  dfrId: '0d5f7b9b1c3e4a6f8a7b6c5d4e3f2a1b',
  requestId: '5b0c9e58-1b8e-4a0e-9f5f-0b7f6a3c2d1e',
  appId: 'rfa_3kTq0a',
  platform: 'WEB',
  action: 'BLOCK',
  sessionRiskScore: 84,
  deviceRiskScore: 84,
  rules: ['block-high-risk'],
}

/** Every type of event. To add one, add a row; its text and example appear in the reference. */
export const eventTypes = {
  ...decisionEvents,
  'device.merged': event(
    'A later visit proved that two devices are one. The older id stays; the newer one is another name of it from now on',
    {
      deviceId: text('The device'),
      formerId: text('The id that no visit gets any more. Calls that name it mean the device'),
      because: Type.Enum(['account', 'network'], {
        description: 'Beside its facts: a user confirmed on both, or a common network while the older one was away',
      }),
    },
    {
      deviceId: '0d5f7b9b-1c3e-4a6f-8a7b-6c5d4e3f2a1b',
      formerId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      because: 'account',
    },
  ),
  'label.created': event(
    'A backend reported how a session turned out',
    {
      dfrId: maybe(dfrId),
      requestId: maybe(requestId),
      decisionId: maybe(text('The decision')),
      outcome: Type.Enum([...labelNames]),
      knownAt: Type.String({ format: 'date-time', description: 'When this became known' }),
      userId: maybe(userId),
    },
    { dfrId: '0d5f7b9b1c3e4a6f8a7b6c5d4e3f2a1b', outcome: 'chargeback', knownAt: '2026-11-20T09:00:00.000Z' },
  ),
  'rules.changed': event(
    'A version of the rules was drafted, put into shadow or made live',
    {
      change: Type.Enum(['draft', 'shadow', 'live', 'end-shadow']),
      version: integer('The version'),
      versionBefore: maybe(integer('The version that was in this stage before')),
      by: changedBy,
    },
    { change: 'live', version: 8, versionBefore: 7, by: 'maya' },
  ),
  'list.changed': event(
    'A list was created or deleted, or its entries changed. A large import sends one for each transaction',
    {
      list: text('Name of the list'),
      change: Type.Enum(['created', 'added', 'changed', 'removed', 'imported', 'deleted']),
      entries: integer('How many entries; of a deleted list, how many it had'),
      by: maybe(changedBy),
    },
    { list: 'stolen-cards', change: 'added', entries: 3, by: 'maya' },
  ),
  'account.device.changed': event(
    'A backend or a person named, revoked, trusted or deleted a device of a user',
    {
      userId: text('Your id of the user'),
      change: Type.Enum(['named', 'revoked', 'trusted', 'deleted']),
      deviceId: maybe(text('The device. Absent: all devices of the user')),
      devices: integer('How many devices'),
    },
    { userId: 'u-1001', change: 'revoked', deviceId: '2c9a4e1b-7d35-4f60-8b1a-0e6c5d4f3a2b', devices: 1 },
  ),
  ...userEvents,
  'sign_in.started': event('A sign-in has started', signIn, exampleSignIn),
  'sign_in.completed': event(
    'A person has signed in. An OTP that a backend ordered has no user and no token',
    { ...signIn, userId: maybe(userId), personId: maybe(personId), tokenId: maybe(tokenId) },
    { ...exampleSignIn, userId: 'u-1001', tokenId: 'b0d6c6a57d1f4a6a9f0c2e8b7a5d4c31' },
  ),
  'sign_in.failed': event(
    'A wrong code was entered, the identity provider refused, or the operator did not verify the phone',
    {
      ...signIn,
      reason: text(
        '`OTP_WRONG`, `CODE_WRONG`, `ATTEMPTS_USED_UP`, `ACCESS_DENIED`, `PROVIDER_FAILED`, `NOT_ON_MOBILE_NETWORK` or `NUMBER_NOT_VERIFIED`',
      ),
      attemptsLeft: maybe(integer('How many more codes may be entered')),
    },
    { ...exampleSignIn, reason: 'OTP_WRONG', attemptsLeft: 4 },
  ),
  'sign_in.refused': event(
    'A start or resend was refused, or the telecom gate held the message back; the person is not told why',
    {
      ...signIn,
      signInId: maybe(signInId),
      reasons: Type.Array(Type.String(), { description: 'Codes of the reasons' }),
    },
    { ...exampleSignIn, reasons: ['SIM_SWAPPED'] },
  ),
  'otp.delivery': event(
    'A gateway accepted a message with a code or link, or did not',
    {
      signInId,
      appId,
      channel,
      method,
      result: Type.Enum(['accepted', 'failed']),
      reason: maybe(text('Why it failed: `timeout`, `unreachable`, `rejected`, `overloaded` or `format`')),
      identity,
    },
    { ...exampleSignIn, result: 'accepted' },
  ),
  'token.issued': event(
    'A token was issued',
    { tokenId, userId: maybe(userId), personId: maybe(personId), expiresAt: Type.String({ format: 'date-time' }) },
    { tokenId: 'b0d6c6a57d1f4a6a9f0c2e8b7a5d4c31', userId: 'u-1001', expiresAt: '2026-11-23T10:05:00.000Z' },
    { onRequest: true },
  ),
  'token.revoked': event('A token was revoked', { tokenId }, { tokenId: 'b0d6c6a57d1f4a6a9f0c2e8b7a5d4c31' }),
  'device.report.created': event('A device report was made', report, exampleReport),
  'device.rule.blocked': event('A rule blocked a session: its report has the action BLOCK', report, exampleReport, {
    onRequest: true,
  }),
  'telecom.check.completed': event(
    'A telecom check has an answer, or failed',
    {
      check: Type.Enum([...paidNames]),
      phoneNumber,
      result: Type.Enum(['yes', 'no', 'unknown']),
      failure: maybe(text('The error code of the answer')),
      operator: maybe(text('The operator that was queried')),
      cost: Type.Optional(Cost),
      consent: Type.Optional(Consent),
      lookUpCost: Type.Optional(LookUpCost),
      by: maybe(text('The client that asked, or who checked in the console; absent for a sign-in')),
    },
    { check: 'simSwap', phoneNumber: '917020141726', result: 'yes', operator: 'AIRTEL' },
    { onRequest: true },
  ),
  'telecom.number_changed': event(
    'A watched number has a new SIM, is in another phone, with another operator, or belongs to somebody else',
    {
      watchId: text('The watch'),
      check: Type.Enum([...watchableChecks], { description: 'What changed' }),
      phoneNumber,
      noticedAt: Type.String({ format: 'date-time', description: 'When it was noticed' }),
      changedAt: maybe(
        Type.String({ format: 'date-time', description: 'When it happened; absent: the operator does not say' }),
      ),
      by: Type.Enum(['poll', 'subscription'], {
        description: '`poll`: a check found it. `subscription`: the operator reported it',
      }),
      source: maybe(text('Who answered: the name of a connector in the configuration; absent for a port')),
      operator: maybe(text('The operator that serves the number, when it is known')),
      previousOperator: maybe(text('Of a port: the operator before, when it was known')),
      reference: maybe(text('The reference of the watch')),
    },
    {
      watchId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
      check: 'simSwap',
      phoneNumber: '917020141726',
      noticedAt: '2026-11-24T09:12:00.000Z',
      changedAt: '2026-11-24T06:40:00.000Z',
      by: 'poll',
      source: 'airtel',
      operator: 'AIRTEL',
      reference: 'customer 1001',
    },
  ),
  'telecom.batch.completed': event(
    'A batch of phone numbers was completed or canceled: all results can be read',
    {
      batchId: text('The batch'),
      status: Type.Enum(['completed', 'canceled']),
      total: integer('Lines'),
      answered: integer('Lines whose checks all have an answer'),
      failed: integer('Lines with a check that has no answer'),
      invalid: integer('Lines that are broken, or whose number is not a phone number'),
      cost: Type.Optional(Cost),
      by: maybe(text('The client that sent the batch')),
    },
    {
      batchId: '01933b2e-7c1a-7b5e-9d0f-3f2a1b4c5d6e',
      status: 'completed',
      total: 100000,
      answered: 99310,
      failed: 678,
      invalid: 12,
    },
  ),
  'webhook.test': event(
    'You asked for a test event',
    { note: text('Text for you') },
    { note: 'This is a test of your webhook.' },
  ),
} as const

export type EventType = keyof typeof eventTypes
export type EventData<Name extends EventType = EventType> = Static<(typeof eventTypes)[Name]['data']>

/** Whether events of this type are recorded only while a receiver wants them. */
export const isOnRequest = (type: EventType): boolean => 'onRequest' in eventTypes[type]

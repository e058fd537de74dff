// What is each event called, and what are the codes in it? For every type of the contract.

import type { EventType } from '../api/codes.ts'
import { texts } from '../texts.ts'
import { checkName } from './check-name.ts'
import { methodName } from './methods.ts'
import { reasonName } from './reasons.ts'
import { wordOf } from './word-of.ts'

const eventNames: Readonly<Record<EventType, string>> = {
  'decision.created': 'Decision',
  'decision.challenge.passed': 'Challenge passed',
  'decision.challenge.requested': 'Challenge asked for',
  'decision.challenge.failed': 'Challenge failed',
  'decision.challenge.expired': 'Challenge expired',
  'decision.review.overdue': 'Review overdue',
  'decision.review.resolved': 'Review resolved',
  'device.merged': 'Two devices are one',
  'label.created': 'Label',
  'rules.changed': 'Rules changed',
  'list.changed': 'List changed',
  'account.device.changed': 'Device of a user changed',
  'sign_in.started': 'Sign-in started',
  'sign_in.completed': 'Signed in',
  'sign_in.failed': 'Sign-in failed',
  'sign_in.refused': 'Sign-in refused',
  'otp.delivery': 'Message delivery',
  'token.issued': 'Token issued',
  'token.revoked': 'Token revoked',
  'device.report.created': 'Device report',
  'device.rule.blocked': 'Device blocked',
  'telecom.check.completed': 'Telecom check',
  'telecom.batch.completed': 'Batch of telecom checks',
  'telecom.number_changed': 'Number changed',
  'user.linked': 'Sign-in linked to a user',
  'user.unlinked': 'Sign-in unlinked',
  'user.merged': 'Two sign-in users are one',
  'user.identity.added': 'Identity added',
  'webhook.test': 'Test of a webhook',
}
export const eventName = (type: string): string => wordOf(eventNames, type)

const codes: Readonly<Record<string, string>> = {
  ...texts.labels,
  ...texts.actions,
  'end-shadow': 'Shadow ended',
  draft: 'Draft',
  shadow: 'In shadow',
  live: 'Live',
  poll: 'Found by a check',
  subscription: 'Reported by the operator',
  account: 'A user confirmed on both',
  network: 'A common network',
}
/** An outcome, change or cause of an event. */
export const codeName = (code: string): string => wordOf(codes, code)

const platforms: Readonly<Record<string, string>> = { WEB: 'Web', IOS: 'iOS', ANDROID: 'Android' }
const platformName = (platform: string): string => wordOf(platforms, platform)

const channels: Readonly<Record<string, string>> = { OTP: 'Code', MAGIC_LINK: 'Link', OAUTH: 'Identity provider' }
export const channelName = (channel: string): string => wordOf(channels, channel)

const failures: Readonly<Record<string, string>> = {
  timeout: 'No answer in time',
  unreachable: 'Not reached',
  rejected: 'Refused by the gateway',
  overloaded: 'The gateway asks for a pause',
  format: 'Answer not understood',
  ACCESS_DENIED: 'Access denied by the person',
  NOT_ON_MOBILE_NETWORK: 'Not on a mobile network',
  NUMBER_NOT_VERIFIED: 'Number not verified',
}
/** Why a sign-in or a message failed. */
export const failureName = (code: string): string =>
  Object.hasOwn(failures, code) ? failures[code]! : reasonName(code)

/** Fields of events whose value is a code. */
const fields: Readonly<Record<string, (code: string) => string>> = {
  action: codeName,
  outcome: codeName,
  change: codeName,
  because: codeName,
  result: codeName,
  status: codeName,
  by: (by) => (by === 'poll' || by === 'subscription' ? codeName(by) : by),
  reason: failureName,
  reasons: reasonName,
  missing: codeName,
  check: checkName,
  channel: channelName,
  method: methodName,
  platform: platformName,
}
/** A value of an event as people read it; undefined for one that is no code. */
export function valueName(field: string, value: unknown): string | undefined {
  const name = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (!name) return undefined
  if (typeof value === 'string') return name(value)
  return Array.isArray(value) ? value.map((each) => name(String(each))).join(', ') : undefined
}

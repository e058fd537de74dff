// What does an event say in one line? Its kind in words, its subject, and where it leads.

import type { FoundEvent } from '../../api/types.ts'
import { type Action, isAction, type Tone } from '../../parts/actions.ts'
import { fieldName, operationName, shortId } from '../../parts/format.ts'

interface EventLine {
  readonly title: string
  /** Who: the user, else the number, else the device. */
  readonly subject: string | undefined
  /** Codes, methods, notes. */
  readonly detail: string
  readonly action: Action | undefined
  /** Of a decision: everything that was asked for is known, and no rule fired. */
  readonly isSure: boolean
  /** Of an outcome that is no action. */
  readonly outcome: { readonly text: string; readonly tone: Tone } | undefined
  readonly score: number | undefined
  readonly decisionId: string | undefined
}

/** Kinds of events for people, by type. */
export const eventNames: Readonly<Record<string, string>> = {
  'decision.created': 'Decision',
  'decision.challenge.passed': 'Challenge passed',
  'decision.challenge.failed': 'Challenge failed',
  'decision.challenge.expired': 'Challenge expired',
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

const bad = new Set([
  'failed',
  'expired',
  'refused',
  'blocked',
  'fraud',
  'chargeback',
  'accountTakeover',
  'abuse',
  'undelivered',
])
const good = new Set(['approved', 'passed', 'completed', 'legitimate', 'delivered'])

export function describe({ type, outcome, data }: FoundEvent): EventLine {
  const text = (field: string) => (typeof data[field] === 'string' ? data[field] : undefined)
  const texts = (field: string) =>
    Array.isArray(data[field]) ? data[field].filter((each) => typeof each === 'string') : []
  const operation = operationName(text('operation'))
  const identity = data.identity as { value?: string } | undefined
  const device = text('deviceId') && shortId(text('deviceId')!)
  const detail = [
    ...(text('verdict') === undefined ? texts('reasons') : [text('verdict')]),
    text('method'),
    text('check') && fieldName(text('check')!),
    text('platform'),
    text('note'),
    text('reason'),
    text('list'),
    text('change'),
  ]
  return {
    title: operation ?? eventNames[type] ?? type,
    subject: text('userId') ?? text('phoneNumber') ?? identity?.value ?? device,
    detail: detail.filter((each) => each !== undefined).join('  '),
    action: isAction(outcome) ? outcome : undefined,
    isSure: texts('missing').length === 0 && texts('rules').length === 0,
    outcome:
      outcome === undefined || isAction(outcome)
        ? undefined
        : { text: fieldName(outcome), tone: bad.has(outcome) ? 'red' : good.has(outcome) ? 'green' : 'neutral' },
    score: typeof data.score === 'number' ? data.score : undefined,
    decisionId: text('decisionId'),
  }
}

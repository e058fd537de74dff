// What does an event say in one line? Its kind in words, its subject, and where it leads.

import type { FoundEvent } from '../../api/types.ts'
import { type Action, isAction, type Tone } from '../../parts/actions.ts'
import { operationName, phoneText, shortId } from '../../parts/values/format.ts'
import { codeName, eventName, valueName } from '../../words/events.ts'
import { reasonName } from '../../words/reasons.ts'

interface EventLine {
  readonly title: string
  /** Who: the user, else the number, else the device. */
  readonly subject: string | undefined
  /** Reasons, methods, notes. */
  readonly detail: string
  readonly action: Action | undefined
  /** Of a decision: everything that was asked for is known, and no rule fired. */
  readonly isSure: boolean
  /** Of an outcome that is no action. */
  readonly outcome: { readonly text: string; readonly tone: Tone } | undefined
  readonly score: number | undefined
  readonly decisionId: string | undefined
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
  const phoneNumber = text('phoneNumber')
  const device = text('deviceId') && shortId(text('deviceId')!)
  const detail = [
    ...(text('verdict') === undefined ? texts('reasons').map(reasonName) : [text('verdict')]),
    ...['method', 'check', 'platform', 'reason'].map((field) => valueName(field, data[field])),
    data.change === outcome ? undefined : valueName('change', data.change),
    typeof data.version === 'number' ? `Version ${data.version}` : undefined,
    text('note'),
    text('list'),
  ]
  return {
    title: operation ?? eventName(type),
    subject:
      text('userId') ??
      (phoneNumber && phoneText(phoneNumber)) ??
      (identity?.value && phoneText(identity.value)) ??
      device,
    detail: detail.filter((each) => each !== undefined).join(' · '),
    action: isAction(outcome) ? outcome : undefined,
    isSure: texts('missing').length === 0 && texts('rules').length === 0,
    outcome:
      outcome === undefined || isAction(outcome)
        ? undefined
        : { text: codeName(outcome), tone: bad.has(outcome) ? 'red' : good.has(outcome) ? 'green' : 'neutral' },
    score: typeof data.score === 'number' ? data.score : undefined,
    decisionId: text('decisionId'),
  }
}

// Under which field names does a SIEM read an event? Those of the Elastic Common Schema 8.17.

import type { EventData, EventType } from '@ringfence/contract'
import { masked } from './mask.ts'
import type { StreamRecord } from './stream.ts'

type Category = 'authentication' | 'configuration' | 'iam' | 'intrusion_detection' | 'session' | 'api'

interface Meaning {
  /** event.category, and event.type as that category allows it. */
  readonly category: Category
  readonly types: readonly string[]
  readonly outcome?: 'success' | 'failure' | 'unknown'
  /** It needs somebody's attention: event.kind is alert. */
  readonly isAlert?: boolean
  /** Its `by` is no person or client. */
  readonly isAutomatic?: boolean
}

const blocked: Meaning = { category: 'intrusion_detection', types: ['denied'], isAlert: true }
const judged = (action: string): Meaning =>
  action === 'BLOCK' ? blocked : { category: 'intrusion_detection', types: [action === 'ALLOW' ? 'allowed' : 'info'] }
const signIn = (type: string, outcome: Meaning['outcome']): Meaning => ({
  category: 'authentication',
  types: [type],
  outcome: outcome!,
})
const change = (category: Category, type: string, ...more: string[]): Meaning => ({
  category,
  types: [type, ...more],
  outcome: 'success',
})

const meanings: { readonly [Name in EventType]: (data: EventData<Name>) => Meaning } = {
  'decision.created': ({ action }) => judged(action),
  'decision.challenge.passed': () => signIn('info', 'success'),
  'decision.challenge.requested': () => signIn('info', 'unknown'),
  'decision.challenge.failed': () => signIn('info', 'failure'),
  'decision.challenge.expired': () => signIn('info', 'failure'),
  'decision.review.overdue': () => ({ category: 'intrusion_detection', types: ['info'], isAlert: true }),
  'decision.review.resolved': ({ outcome }) => ({
    category: 'intrusion_detection',
    types: [outcome === 'approved' ? 'allowed' : 'denied'],
  }),
  'label.created': () => ({ category: 'intrusion_detection', types: ['info'] }),
  'rules.changed': ({ change: what }) => change('configuration', what === 'draft' ? 'creation' : 'change'),
  'list.changed': ({ change: what }) =>
    change('configuration', what === 'created' ? 'creation' : what === 'deleted' ? 'deletion' : 'change'),
  'device.merged': () => change('intrusion_detection', 'info'),
  'account.device.changed': ({ change: what }) => change('iam', what === 'deleted' ? 'deletion' : 'change', 'user'),
  'user.linked': () => change('iam', 'change', 'user'),
  'user.unlinked': () => change('iam', 'change', 'user'),
  'user.merged': () => change('iam', 'change', 'user'),
  'user.identity.added': () => change('iam', 'change', 'user'),
  'sign_in.started': () => signIn('start', 'unknown'),
  'sign_in.completed': () => signIn('end', 'success'),
  'sign_in.failed': () => signIn('info', 'failure'),
  'sign_in.refused': () => signIn('info', 'failure'),
  'otp.delivery': ({ result }) => signIn('info', result === 'accepted' ? 'success' : 'failure'),
  'token.issued': () => change('session', 'start'),
  'token.revoked': () => change('session', 'end'),
  'device.report.created': ({ action }) => judged(action),
  'device.rule.blocked': () => blocked,
  'telecom.check.completed': ({ failure }) => ({
    category: 'api',
    types: ['access'],
    outcome: failure === undefined ? 'success' : 'failure',
  }),
  'telecom.batch.completed': () => ({ category: 'api', types: ['info'], outcome: 'success' }),
  'telecom.number_changed': () => ({
    category: 'intrusion_detection',
    types: ['info'],
    isAlert: true,
    isAutomatic: true,
  }),
  'webhook.test': () => ({ category: 'configuration', types: ['info'] }),
}

/** Fields of any event that ECS has a name for. */
interface KnownFields {
  userId?: string
  deviceId?: string
  ipAddress?: string
  by?: string
  score?: number
  sessionRiskScore?: number
  reason?: string
  reasons?: readonly string[]
  rules?: readonly string[]
  identity?: { type: string; value: string }
}

export interface OpenedEvent {
  /** A UUID. */
  readonly id: string
  readonly tenantId: string
  readonly type: EventType
  /** Epoch milliseconds. */
  readonly occurredAt: number
  /** Undefined when what is stored cannot be read. */
  readonly data: EventData | undefined
}

/** What is absent in the event is absent in the record. All of `data` is under `ringfence`, by the names of the reference. */
export function recordOf(
  { id, tenantId, type, occurredAt, data: opened }: OpenedEvent,
  { isMasked, version }: { readonly isMasked: boolean; readonly version: string },
): StreamRecord {
  // A newer version may have written it: which of its fields to mask is not known here.
  const data = Object.hasOwn(meanings, type) ? opened : undefined
  const shown = data && isMasked ? masked(data) : data
  const meaning = data && (meanings[type] as (of: EventData) => Meaning)(data)
  const { userId, deviceId, ipAddress, by, score, sessionRiskScore, reason, reasons, rules, identity }: KnownFields =
    (shown as KnownFields | undefined) ?? {}
  const risk = score ?? sessionRiskScore
  const why = reasons === undefined ? reason : reasons.join(', ')
  const email = identity?.type === 'EMAIL' ? identity.value : undefined
  const user = { id: userId, name: meaning?.isAutomatic ? undefined : by, email }
  const record = {
    '@timestamp': new Date(occurredAt).toISOString(),
    ecs: { version: '8.17.0' },
    event: {
      id,
      kind: meaning?.isAlert ? 'alert' : 'event',
      category: meaning && [meaning.category],
      type: meaning?.types,
      action: type,
      outcome: meaning?.outcome,
      reason: why === '' ? undefined : why,
      risk_score: risk,
      module: 'ringfence',
      dataset: 'ringfence.events',
    },
    organization: { id: tenantId },
    service: { name: 'ringfence', type: 'ringfence', version },
    user: Object.values(user).some((value) => value !== undefined) ? user : undefined,
    source: ipAddress === undefined ? undefined : { ip: ipAddress },
    device: deviceId === undefined ? undefined : { id: deviceId },
    rule: rules === undefined || rules.length === 0 ? undefined : { id: rules },
    error: data ? undefined : { message: 'the content of this event cannot be read' },
    ringfence: shown,
  }
  const isWarning = meaning === undefined || meaning.isAlert === true || meaning.outcome === 'failure'
  const isChange = meaning?.category === 'configuration' || meaning?.category === 'iam'
  return { type, occurredAt, severity: isWarning ? 4 : isChange ? 5 : 6, json: ascii(JSON.stringify(record)) }
}

/** Any reader of lines and of syslog takes ASCII, whatever encoding it expects. */
const ascii = (json: string) =>
  json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

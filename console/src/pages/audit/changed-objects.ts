// What did a line change? The list, app, key, webhook, rule version, person or role that its call named, masked as the service sent it.

import type { AuditLine } from '../../api/types.ts'
import { detailOf, sentOf, subjectOf } from './lines.ts'

type Sent = Readonly<Record<string, unknown>>

/** In this order. */
const fields = {
  appId: 'App',
  clientId: 'Key',
  webhookId: 'Webhook',
  decisionId: 'Decision',
  userId: 'User',
  deviceId: 'Device',
  phoneNumber: 'Number',
  personId: 'Person',
  email: 'Person',
  invitationId: 'Invitation',
  role: 'Role',
  version: 'Rules, version',
  basedOn: 'Rules, changed from version',
  number: 'Publication',
  backtestId: 'Backtest',
  sessionId: 'Session',
  passkeyId: 'Passkey',
  dfrId: 'Device report',
  url: 'Webhook',
  channel: 'Channel',
} as const

/** Whose `name` a call sends. Beside a user, it is what the person calls the device. */
const named: readonly (readonly [RegExp, string])[] = [
  [/List/, 'List'],
  [/Role$/, 'Role'],
  [/App$/, 'App'],
  [/Client$/, 'Key'],
  [/Sso$/, 'Identity provider'],
  [/Passkey$/, 'Passkey'],
]

const revealed: Readonly<Record<string, string>> = {
  decision: 'Decision',
  deviceReport: 'Device report',
  event: 'Event',
  device: 'Device',
  user: 'User',
  phoneNumber: 'Number',
  email: 'Email address',
  userId: 'User',
  deviceId: 'Device',
}

/** @param people names by person id, as other lines have them */
export function changedBy(line: AuditLine, people: ReadonlyMap<string, string> = new Map()): string | undefined {
  const sent = sentOf(line)
  // The command line writes the role of an invitation beside what a call sends.
  const given = detailOf(line, 'given')
  const objects = sent ? objectsIn(sent, line.action, people) : given === undefined ? [] : [`Role ${given}`]
  return objects.length > 0 ? objects.join(' · ') : subjectOf(line)
}

function objectsIn(sent: Sent, action: string, people: ReadonlyMap<string, string>): string[] {
  const { name, labels, subject, kind, id } = sent
  if (Array.isArray(labels)) return labelled(labels, action, people)
  // Of an erasure or export, the log has the kind only.
  const subjectKind = (subject as Sent | undefined)?.kind
  if (typeof subjectKind === 'string') return [revealed[subjectKind] ?? subjectKind]
  if (typeof kind === 'string' && typeof id === 'string') return [`${revealed[kind] ?? kind} ${id}`]
  const isSso = action.endsWith('Sso')
  const owner = named.find(([form]) => form.test(action))?.[1]
  const found = Object.entries(fields).flatMap(([field, label]) => {
    const value = sent[field]
    // The client id at an identity provider is not a key of the tenant.
    if ((typeof value !== 'string' && typeof value !== 'number') || (isSso && field === 'clientId')) return []
    return [`${label} ${(field === 'personId' && people.get(String(value))) || value}`]
  })
  return typeof name === 'string' && owner !== undefined ? [`${owner} ${name}`, ...found] : found
}

function labelled(labels: readonly unknown[], action: string, people: ReadonlyMap<string, string>): string[] {
  const first = labels.find((label): label is Sent => typeof label === 'object' && label !== null)
  const more = labels.length - 1
  return [...(first ? objectsIn(first, action, people) : []), ...(more > 0 ? [`${more} more`] : [])]
}

/** Who acted under which id, by the newest line of each. */
export function peopleIn(lines: readonly AuditLine[]): ReadonlyMap<string, string> {
  const people = new Map<string, string>()
  for (const line of lines) {
    const [kind, id] = line.actor.split(':', 2)
    const name = detailOf(line, 'name')
    if (kind === 'person' && id !== undefined && name !== undefined && !people.has(id)) people.set(id, name)
  }
  return people
}

// What does the audit log say about a change through the admin API? Who made it, from where, and what was sent.

import { type AdminEndpoint, adminEndpoints } from '@ringfence/contract'
import type { TObject } from 'typebox'
import type { Queryable } from '../../core/storage/database.ts'
import type { ActorCall } from '../call.ts'
import type { AdminNeeds } from '../room.ts'

export type Change = (body: unknown, call: ActorCall, needs: AdminNeeds) => Promise<unknown>

/** What the first commit of a change contains too. */
export type Also = (tx: Queryable) => Promise<void>

/** The handler of an endpoint that writes, with its audit line. */
export function audited(
  definition: AdminEndpoint,
  handler: Change,
): (...call: [...Parameters<Change>, Also?]) => Promise<unknown> {
  const action = actionOf(definition)
  const fields = Object.keys((definition.request as TObject).properties)
  const withoutTexts = definition.path.includes('{decisionId}') ? withoutTextsOfReviewers : (body: unknown) => body
  return (body, call, needs, also) => {
    const { actor, requestId, address } = call
    const details = {
      name: actor.name,
      role: actor.role,
      requestId,
      ...(address !== undefined && { ipAddress: address }),
      sent: shortened(withoutTexts(withoutSubject(withoutSecrets(body, fields)))),
    }
    const line = { tenantId: actor.tenantId, actor: actor.id, action, details }
    return needs.admin.audit.during(line, () => handler(body, call, needs), also)
  }
}

/** The name of the endpoint. */
export const actionOf = ({ path }: Pick<AdminEndpoint, 'path'>): string =>
  Object.entries<AdminEndpoint>(adminEndpoints).find(([, each]) => each.path === path)![0]

/** What shows who somebody is stays out of the log, sealed or not. */
const secretFields = new Set([
  'password',
  'newPassword',
  'code',
  'recoveryCode',
  'link',
  'credential',
  'clientSecret',
  'setup',
])

/** An unknown field may be a secret under a wrong name, and is ignored by the call too. */
const withoutSecrets = (body: unknown, fields: readonly string[]): object =>
  Object.fromEntries(fields.flatMap((field) => (isLogged(field, body) ? [[field, Reflect.get(body, field)]] : [])))

const isLogged = (field: string, body: unknown): body is object =>
  !secretFields.has(field) && typeof body === 'object' && body !== null && Object.hasOwn(body, field)

/** What reviewers write about somebody is stored once, with the decision, so that erasing the person erases it. */
const withoutTextsOfReviewers = (body: unknown): object =>
  Object.fromEntries(
    Object.entries(body ?? {}).map(([field, value]) =>
      (field === 'note' || field === 'comment') && typeof value === 'string'
        ? [field, `(${value.length} characters, stored with the decision)`]
        : [field, value],
    ),
  )

/** Of somebody who was exported or erased, the log has the kind of the subject only. */
function withoutSubject(body: unknown): unknown {
  const { subject } = (body ?? {}) as { subject?: { kind?: unknown } }
  return typeof subject === 'object' && subject !== null
    ? { ...(body as object), subject: { kind: subject.kind } }
    : body
}

const longestText = 500
const longestName = 100
const mostItems = 20
const mostNames = 64
/** Of a line, about. */
const mostCharacters = 4_000
/** Of a number or a flag, with the comma. */
const shortPart = 8

/** Long texts and lists end with what was left out. */
export function shortened(sent: unknown): unknown {
  let room = mostCharacters
  const text = (value: string, most: number) => {
    const end = Math.min(most, Math.max(0, room))
    room -= Math.min(end, value.length)
    return value.length <= end ? value : `${value.slice(0, end)}… (${value.length} characters)`
  }
  const part = (value: unknown): unknown => {
    if (room <= 0) return '…'
    if (typeof value === 'string') return text(value, longestText)
    room -= shortPart
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) {
      const shown = value.slice(0, mostItems).map(part)
      return value.length <= mostItems ? shown : [...shown, `… (${value.length} in all)`]
    }
    const entries = Object.entries(value)
    const shown = entries.slice(0, mostNames).map(([name, each]) => [text(name, longestName), part(each)])
    return Object.fromEntries(entries.length <= mostNames ? shown : [...shown, ['…', `${entries.length} in all`]])
  }
  return part(sent)
}

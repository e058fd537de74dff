// POST /admin/v1/reveal: one record in clear. The audit line of the call has the reason; the list of reveals is read from these lines.

import {
  type ListRevealsRequest,
  type Permission,
  type Revealable,
  type Revealed,
  type RevealRequest,
  type Reveals,
  revealable,
} from '@ringfence/contract'
import { Refusal } from '../../core/errors.ts'
import { readEvent } from '../../decisions/search/search-events.ts'
import { openAuditLine } from '../audit/chain.ts'
import type { ActorCall } from '../call.ts'
import { maskedReason } from '../masking/mask-sent.ts'
import type { AdminNeeds } from '../room.ts'
import { adminReadDevice } from '../subjects/read-device.ts'
import { adminReadNumber } from '../subjects/read-number.ts'
import { adminReadUser } from '../subjects/read-user.ts'
import { auditPage } from './audit.ts'
import { isoTime } from './iso-time.ts'
import { adminReadDecision, adminReadReport } from './records.ts'

type DeviceType = NonNullable<RevealRequest['deviceType']>
type Read = (id: string, call: ActorCall, needs: AdminNeeds, deviceType: DeviceType) => Promise<object>

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Kind {
  /** Without it, the role does not even see the record masked. */
  readonly permission: Permission
  readonly form: RegExp
  readonly idIs: string
  readonly read: Read
}

const kinds: Readonly<Record<Revealable, Kind>> = {
  decision: {
    ...{ permission: 'decisions.read', form: uuid, idIs: 'a UUID' },
    read: (decisionId, call, needs) => adminReadDecision({ decisionId }, call, needs),
  },
  event: {
    ...{ permission: 'decisions.read', form: uuid, idIs: 'a UUID' },
    read: (id, { actor }, needs) => readEvent(id, actor.tenantId, needs),
  },
  deviceReport: {
    ...{ permission: 'decisions.read', form: /^[0-9a-f]{32}$/, idIs: 'a dfrId' },
    read: async (dfrId, call, needs, deviceType) =>
      JSON.parse((await adminReadReport({ dfrId, deviceType }, call, needs)).text),
  },
  device: {
    ...{ permission: 'devices.read', form: uuid, idIs: 'a UUID' },
    read: (deviceId, call, needs) => adminReadDevice({ deviceId }, call, needs),
  },
  user: {
    ...{ permission: 'users.read', form: /^[\s\S]+$/, idIs: 'your id of the user' },
    read: (userId, call, needs) => adminReadUser({ userId }, call, needs),
  },
  phoneNumber: {
    ...{ permission: 'numbers.read', form: /^\d{5,15}$/, idIs: 'digits with country code' },
    read: (phoneNumber, call, needs) => adminReadNumber({ phoneNumber }, call, needs),
  },
}

/** Refuses with `decisionUnknown`, `reportUnknown`, `deviceUnknown`, `permissionMissing` or `fieldInvalid`. */
export async function adminReveal(
  { kind, id, deviceType = 'WEB' }: RevealRequest,
  call: ActorCall,
  needs: AdminNeeds,
): Promise<Revealed> {
  const { permission, form, idIs, read } = kinds[kind]
  if (!call.actor.permissions.has(permission))
    throw new Refusal('permissionMissing', { mistake: `${call.actor.role} lacks ${permission}` })
  if (!form.test(id)) throw new Refusal('fieldInvalid', { mistake: `id must be ${idIs}` })
  call.response.hasSecret = true
  const record = { ...(await read(id, call, needs, deviceType)) }
  // A reveal changes nothing else: this is the commit of its audit line.
  await needs.database.transaction(async () => {})
  return { kind, id, record }
}

export async function adminListReveals(
  { limit = 50, cursor }: ListRevealsRequest,
  { actor: { tenantId, permissions } }: ActorCall,
  needs: AdminNeeds,
): Promise<Reveals> {
  const reasonOf = permissions.has('personalData.read') ? (text: string) => text : maskedReason
  const { rows, keys, next } = await auditPage({ tenantId, action: 'reveal' }, { limit, cursor }, needs)
  const reveals = rows.map((row) => {
    const { number: line, at, actor, details } = openAuditLine(row, keys)
    const { name, sent } = details as { name?: string; sent?: Partial<RevealRequest> }
    return {
      ...{ line, at: isoTime(at), by: name ?? actor },
      ...(sent && isRevealable(sent.kind) && { kind: sent.kind }),
      ...(sent?.reason !== undefined && { reason: reasonOf(sent.reason) }),
    }
  })
  return { reveals, ...(next !== undefined && { next }) }
}

const isRevealable = (kind: unknown): kind is Revealable => revealable.some((known) => known === kind)

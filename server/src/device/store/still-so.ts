// Is what an analysis says of its device and person still so when its report is stored? Conditions of that commit, so they cost no read.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import type { BatchStatement } from '../../core/storage/database.ts'
import { uuidBytes } from '../../core/storage/uuid.ts'
import { readEmailAddress } from '../../email/email-address.ts'
import { markOf } from '../../events/subject-hashes.ts'
import { comparedDigits } from '../../phone/read-number.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { digitsOf } from '../analysis/update-info.ts'

/** An erasure takes less time than this. Its id begins with its start, and its row is written at its end. */
const longestErasureMs = 1_200_000

/** Fails when the device or the person of the analysis was erased since. None when it names neither. */
export function unlessErased(tenantId: string, analysis: Analysis, keys: TenantKeys): BatchStatement[] {
  const { now } = analysis.evidence
  const marks = subjectsOf(analysis).map((subject) => markOf(subject, keys))
  if (marks.length === 0) return []
  const places = marks.map((_, place) => `$${place + 4}`).join(', ')
  return [
    {
      sql: `select 1 as unerased where not exists (
              select 1 from erasure where tenant_id = $1 and id > $2 and erased_at > $3 and mark in (${places}))`,
      params: [tenantId, firstIdAt(now - longestErasureMs), now, ...marks],
      required: true,
    },
  ]
}

/** Some backends use a number or an email address as the id of a user. */
function subjectsOf({ deviceId, updateInfo }: Pick<Analysis, 'deviceId' | 'updateInfo'>) {
  const { userId } = updateInfo
  const digits = new Set([digitsOf(updateInfo), userId && comparedDigits(userId)].filter((text) => text !== undefined))
  const { address } = userId?.includes('@') ? readEmailAddress(userId) : {}
  return [
    ...(deviceId === undefined ? [] : [{ kind: 'deviceId', value: deviceId } as const]),
    ...(userId ? [{ kind: 'userId', value: userId } as const] : []),
    ...[...digits].flatMap((value) => (value ? [{ kind: 'phoneNumber', value } as const] : [])),
    ...(address === undefined ? [] : [{ kind: 'email', value: address } as const]),
  ]
}

function firstIdAt(time: number): Uint8Array {
  const id = Buffer.alloc(16)
  id.writeUIntBE(Math.max(0, time), 0, 6)
  return id
}

/**
 * Fails when the device, or the one that it resembles, turned out to be an older one since, and when a browser that was known then has
 * no installation any more.
 */
export function unlessMoved(
  tenantId: string,
  { deviceId, newDevice, identification }: Pick<Analysis, 'deviceId' | 'newDevice' | 'identification'>,
): BatchStatement[] {
  if (deviceId === undefined) return []
  const likely = identification?.likely?.deviceId ?? deviceId
  const isKnown =
    newDevice === false ? 'and exists (select 1 from installation where device_id = $2 and tenant_id = $1)' : ''
  return [
    {
      sql: `select 1 as unmoved
             where not exists (select 1 from device_alias where tenant_id = $1 and alias_id in ($2, $3)) ${isKnown}`,
      params: [tenantId, uuidBytes(deviceId), uuidBytes(likely)],
      required: true,
    },
  ]
}

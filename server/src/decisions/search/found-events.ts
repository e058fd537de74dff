// What does a backend read of stored events? Their data, opened with the tenant's keys.

import type { FoundEvent } from '@ringfence/contract'
import { type TenantKeys, UnknownKeyVersion } from '../../core/crypto/keyring.ts'
import type { TenantKeyring } from '../../core/crypto/tenant-keyring.ts'
import { backgroundPause, type Pause } from '../../core/heavy-work/slices.ts'
import { uuidText } from '../../core/storage/uuid.ts'
import { openEvent } from '../../events/sealed-event.ts'
import type { FoundEventRow } from '../../events/store/search.ts'

/** Events as a backend reads them. One that is damaged hides none of those around it. @throws StorageUnavailable */
export async function foundEvents(
  rows: readonly FoundEventRow[],
  tenantId: string,
  tenantKeyring: TenantKeyring,
  pause: Pause = backgroundPause(),
): Promise<FoundEvent[]> {
  return (await openedEvents(rows, tenantId, tenantKeyring, pause)).map(({ event }) => event)
}

/** The same, with what only this service reads. @throws StorageUnavailable */
export async function openedEvents(
  rows: readonly FoundEventRow[],
  tenantId: string,
  tenantKeyring: TenantKeyring,
  pause: Pause = backgroundPause(),
): Promise<OpenedEvent[]> {
  const first = await tenantKeyring.keysOf(tenantId)
  const opened: OpenedEvent[] = []
  for (const row of rows) {
    opened.push(foundEvent(row, first))
    const paused = pause()
    if (paused) await paused
  }
  if (!opened.some(({ isKeyUnknown }) => isKeyUnknown)) return opened
  // Another server has just made the key, or the byte that names it is damaged.
  const again = await tenantKeyring.keysOf(tenantId)
  return opened.map((each, i) => (each.isKeyUnknown ? foundEvent(rows[i]!, again) : each))
}

export interface OpenedEvent {
  readonly event: FoundEvent
  /** JSON, if there is any. */
  readonly aside: string | undefined
  readonly isKeyUnknown: boolean
}

function foundEvent({ id, type, occurredAt, outcome, sealed }: FoundEventRow, keys: TenantKeys): OpenedEvent {
  let isKeyUnknown = false
  let data: FoundEvent['data']
  let aside: string | undefined
  try {
    const [text, ...rest] = openEvent({ id, sealed }, keys)
    data = JSON.parse(text)
    aside = rest[0]
  } catch (error) {
    isKeyUnknown = error instanceof UnknownKeyVersion
    data = { unreadable: true }
  }
  const timestamp = new Date(occurredAt).toISOString()
  return {
    event: { id: uuidText(id), type, timestamp, ...(outcome !== null && { outcome }), data },
    aside,
    isKeyUnknown,
  }
}

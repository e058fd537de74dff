// What is in a stored event? Its data; nothing when it is damaged.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { contextOf } from '../../events/sealed-event.ts'
import type { StoredEvent } from '../../events/store/events.ts'

export function eventData(
  { id, sealed }: Pick<StoredEvent, 'id' | 'sealed'>,
  keys: TenantKeys,
): Record<string, unknown> {
  try {
    return JSON.parse(keys.open(sealed, contextOf(id)))
  } catch {
    return {}
  }
}

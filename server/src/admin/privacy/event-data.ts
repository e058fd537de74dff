// What is in a stored event? Its data; nothing when it is damaged.

import type { TenantKeys } from '../../core/crypto/keyring.ts'
import { openEvent } from '../../events/sealed-event.ts'
import type { StoredEvent } from '../../events/store/events.ts'

export function eventData(event: Pick<StoredEvent, 'id' | 'sealed'>, keys: TenantKeys): Record<string, unknown> {
  try {
    return JSON.parse(openEvent(event, keys)[0])
  } catch {
    return {}
  }
}

// How is the data of an event sealed? In a context that names the row, so that it cannot be moved to another one.

import type { TenantKeys } from '../core/crypto/keyring.ts'
import type { NewEvent } from '../core/event-recorder.ts'
import type { StoredEvent } from './store/events.ts'

/** `id`: 16 bytes. */
export const contextOf = (id: Uint8Array): string => `event ${Buffer.from(id).toString('hex')}`

type SealedEvent = Pick<StoredEvent, 'id' | 'sealed'>

/** The data, and on a second line what only this service reads. JSON has no line ends. */
export const eventText = ({ data, aside }: Pick<NewEvent, 'data' | 'aside'>): string =>
  aside === undefined ? JSON.stringify(data) : `${JSON.stringify(data)}\n${JSON.stringify(aside)}`

/** JSON of the data, and that of what only this service reads, if there is any. @throws Error when it is damaged */
export function openEvent({ id, sealed }: SealedEvent, keys: Pick<TenantKeys, 'open'>): [data: string, aside?: string] {
  const [data = '', aside] = keys.open(sealed, contextOf(id)).split('\n')
  return aside === undefined ? [data] : [data, aside]
}

/** URL, description and secrets of a webhook. */
export const receiverContext = (tenantId: string, id: string): string => `event_receiver ${tenantId} ${id}`

/** The first bytes of a refusal. */
export const answerContext = (receiverId: string, eventId: Uint8Array): string =>
  `event_attempt ${receiverId} ${Buffer.from(eventId).toString('hex')}`

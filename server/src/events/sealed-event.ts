// In which context is the data of an event sealed? It names the row, so that it cannot be moved to another one.

/** `id`: 16 bytes. */
export const contextOf = (id: Uint8Array): string => `event ${Buffer.from(id).toString('hex')}`

/** URL, description and secrets of a webhook. */
export const receiverContext = (tenantId: string, id: string): string => `event_receiver ${tenantId} ${id}`

/** The first bytes of a refusal. */
export const answerContext = (receiverId: string, eventId: Uint8Array): string =>
  `event_attempt ${receiverId} ${Buffer.from(eventId).toString('hex')}`

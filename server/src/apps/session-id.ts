// What is in the id of an SDK session? A random part, and when it began.

import { randomUUID } from 'node:crypto'

export const newSessionId = (now: number): string => `${randomUUID()}-${Math.floor(now / 1000)}`

/** Epoch milliseconds, in whole seconds. */
export const startOfSession = (id: string): number => Number(id.slice(id.lastIndexOf('-') + 1)) * 1000

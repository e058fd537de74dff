// Which rows does the live page show? The newest, each once; while they stand still, what comes is counted and waits.

import type { FoundEvent } from '../../api/types.ts'

/** Older rows are in Search. */
export const mostRows = 1_000

export interface LiveRows {
  /** Newest first. */
  readonly shown: readonly FoundEvent[]
  /** Newest first. They are shown when the rows move again. */
  readonly waiting: readonly FoundEvent[]
}

export const noRows: LiveRows = { shown: [], waiting: [] }

/** Ids are UUIDs of version 7: their order is that of the time. What is there already is left out. */
export function withEvents(rows: LiveRows, arrived: readonly FoundEvent[], isHeld: boolean): LiveRows {
  const known = new Set([...rows.shown, ...rows.waiting].map(({ id }) => id))
  const fresh = arrived.filter(({ id }) => !known.has(id) && known.add(id))
  if (isHeld) return fresh.length === 0 ? rows : { ...rows, waiting: newest([...fresh, ...rows.waiting]) }
  if (fresh.length === 0 && rows.waiting.length === 0) return rows
  return { shown: newest([...fresh, ...rows.waiting, ...rows.shown]), waiting: [] }
}

const newest = (events: readonly FoundEvent[]) =>
  events.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, mostRows)

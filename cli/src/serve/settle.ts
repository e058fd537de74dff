// What does a start leave behind? Memory that V8 would keep for as long as the service is idle. It is given back once.

import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const lookEveryMs = 1_000

export interface SettleOptions {
  /** Requests that have started and have no answer. */
  readonly inFlight: () => number
  /** The service stops. */
  readonly signal: AbortSignal
  readonly collect?: () => void
  readonly everyMs?: number
}

/** Collects all garbage as soon as no request is in flight, since it takes about 80 ms. Resolves afterwards, or when the service stops. */
export async function settle({
  inFlight,
  signal,
  collect = collectAll,
  everyMs = lookEveryMs,
}: SettleOptions): Promise<void> {
  try {
    do await pause(everyMs, undefined, { ref: false, signal })
    while (inFlight() > 0)
    collect()
  } catch {
    // It stops, or its Node has no such collection: then the memory stays as it is.
  }
}

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void

/** An ordinary collection leaves the young generation as large as the start made it. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const gc: Collect = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  gc({ type: 'major', flavor: 'last-resort' })
}

// What happens to a connection whose statement still runs, although its caller no longer waits?

import type { Connection } from './connection.ts'
import type { Connections } from './connections.ts'

/** A server that does not stop a read within this time has stopped itself. */
const graceMs = 2_000
/** The server itself stops a write before (`serverLimits`), unless it waits for its standby. */
const silenceMs = 12_000
const probeTimeoutMs = 1_000

/** A read can be stopped at any time. */
export function cancelRead(connection: Connection): void {
  connection.cancel()
  setTimeout(() => connection.destroy(), graceMs).unref()
}

/**
 * A write is left alone. Cancelled in its commit, it would be visible but on no standby, and later calls would acknowledge what a
 * failover loses. Closed, it would still occupy its place on the server. Only when a live server does not know it, it is closed.
 */
export function watchWrite(connection: Connection, reads: Connections): void {
  const { busySince } = connection
  if (busySince === undefined) return
  const look = async () => {
    if (connection.busySince !== busySince) return
    if (await waitsForStandby(connection, reads)) watch(silenceMs)
    else if (connection.busySince === busySince) connection.destroy()
  }
  const watch = (forMs: number) => setTimeout(() => void look(), forMs).unref()
  watch(Math.max(0, busySince + silenceMs - performance.now()))
}

async function waitsForStandby({ processId }: Connection, reads: Connections): Promise<boolean> {
  const until = performance.now() + probeTimeoutMs
  const probe = await reads.acquire(until).catch(() => undefined)
  if (!probe) return false
  const text = `select 1 from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'`
  try {
    return (await probe.send({ text, values: [processId] }, until)).length === 1
  } catch {
    return false
  } finally {
    reads.release(probe)
  }
}

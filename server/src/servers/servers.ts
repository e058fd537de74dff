// How many servers share the store? Limits that hold for all of them together are divided by it.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Database } from '../storage/database.ts'
import { dropServer, dropServersBefore, recordServer } from '../storage/servers/running-servers.ts'

const everyMs = 5_000
/** A server that was silent for longer has died, or has lost the store. */
const aliveMs = 20_000
const rememberMs = 60_000

export interface Servers {
  /** Servers that are alive, this one included; at most five seconds old. */
  count(): number
}

interface Resources {
  database: Database
  clock: Clock
}

/** Joins the servers of the store, until it is closed. The embedded store has one. @throws StorageUnavailable */
export async function joinServers({ database, clock }: Resources): Promise<Servers & { close(): Promise<void> }> {
  if (database.engine === 'sqlite') return { count: () => 1, close: async () => undefined }
  const server = { id: randomUUID(), startedAt: clock.now() }
  let alive = 1
  const record = async () => {
    const now = clock.now()
    alive = await recordServer(database, server, now, now - aliveMs)
  }
  await record()
  let latest = Promise.resolve()
  const timer = setInterval(() => {
    // Without the store the last number stays.
    latest = record().catch(() => undefined)
  }, everyMs)
  timer.unref()
  return {
    count: () => alive,
    async close() {
      clearInterval(timer)
      await latest
      await dropServer(database, server.id).catch(() => undefined)
    },
  }
}

/** Deletes servers that died, for maintenance. */
export async function dropDeadServers({ database, clock }: Resources): Promise<void> {
  await dropServersBefore(database, clock.now() - rememberMs)
}

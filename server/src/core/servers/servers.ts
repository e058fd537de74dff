// How many servers share the store, and may this one still? Limits that hold for all of them together are divided by their number.

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

/**
 * Joins the servers of the store, until it is closed. The embedded store has one.
 * @param resources `checkSchema`: runs every five seconds; a server that the schema excludes leaves
 * @throws StorageUnavailable
 */
export async function joinServers({
  database,
  clock,
  checkSchema = async () => undefined,
}: Resources & { checkSchema?: () => Promise<void> }): Promise<Servers & { close(): Promise<void> }> {
  const isShared = database.engine === 'postgres'
  const server = { id: randomUUID(), startedAt: clock.now() }
  let alive = 1
  const record = async () => {
    if (!isShared) return
    const now = clock.now()
    alive = await recordServer(database, server, now, now - aliveMs)
  }
  await record()
  let latest = Promise.resolve()
  const timer = setInterval(() => {
    // Without the store the last number stays.
    latest = checkSchema()
      .then(record)
      .catch(() => undefined)
  }, everyMs)
  timer.unref()
  return {
    count: () => alive,
    async close() {
      clearInterval(timer)
      await latest
      if (isShared) await dropServer(database, server.id).catch(() => undefined)
    },
  }
}

/** Deletes servers that died, for maintenance. */
export async function dropDeadServers({ database, clock }: Resources): Promise<void> {
  await dropServersBefore(database, clock.now() - rememberMs)
}

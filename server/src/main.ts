// How does the service start and stop? Store, clock, parts, maintenance, HTTP server, in this order.

import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { startActivityCounter } from './admin/overview/activity-counter.ts'
import { type Clock, systemClock } from './core/clock.ts'
import type { Config } from './core/config/config.ts'
import { keepTablesNewest } from './core/dated-data/use-newest.ts'
import { joinServers } from './core/servers/servers.ts'
import { openStoreClock } from './core/servers/store-clock.ts'
import { openDatabase } from './core/storage/open-database.ts'
import { replicationOf, replicationWarning } from './core/storage/postgres/replication.ts'
import type { Migration } from './core/storage/upgrade/migration.ts'
import { Dispatcher } from './events/delivery/dispatcher.ts'
import { makeEventDays } from './events/store/days.ts'
import { resolveLocally, resolver } from './events/webhooks/target.ts'
import { connectionBacklog } from './http/connections/bounds.ts'
import { httpServer } from './http/server.ts'
import { startMaintenance } from './maintenance.ts'
import { openParts, type Parts, surfaceOf } from './parts.ts'
import { startBatchRunner } from './telecom/batches/batch-runner.ts'
import { startWatchPoller } from './telecom/watching/poller.ts'

/** A caller that sends something within this time on an open connection opens another one. */
const replacedMs = 2_000

export interface Service {
  /** Where it listens: `http://127.0.0.1:8080`. */
  url: string
  parts: Parts
  /**
   * Stops without dropping a request: for the drain time `/ready` returns 503 while requests are still answered. Then the server
   * accepts no new connection, answers the requests in flight, and closes the store.
   * `isReplaced`: another process has the port too, so `/ready` stays as it is, and callers get some time to connect to that one.
   */
  stop(how?: { isReplaced?: boolean }): Promise<void>
}

export interface ServiceResources {
  config: Config
  log: Logger
  /** The machine's clock. The service corrects it by the store's. */
  clock?: Clock
  environment?: Readonly<Record<string, string | undefined>>
  /** Default: the migrations of this program. */
  migrations?: readonly Migration[]
}

/** Throws when the configuration is wrong, the store cannot be opened, or the port is in use (EADDRINUSE). */
export async function startService(resources: ServiceResources): Promise<Service> {
  const { config, log, clock: machineClock = systemClock, environment = {}, migrations } = resources
  const { settings } = config
  const database = await openDatabase(settings.databaseUrl ?? settings.dataFolder, {
    clock: machineClock,
    pools: { read: settings.databaseReadConnections, write: settings.databaseWriteConnections },
    waiting: { report: (progress) => log.info(progress) },
    onExcluded: (error) => log.error({ err: error }, 'not ready: the schema of the store is too new for this version'),
    ...(migrations && { migrations }),
  })
  const opened: { close(): Promise<void> | void }[] = [database]
  const closeAll = async () => {
    for (const resource of opened.reverse()) await resource.close()
  }
  try {
    if (database.engine === 'postgres') {
      const warning = replicationWarning(await replicationOf(database))
      if (warning) log.warn(warning)
    }
    const clock = await openStoreClock({ database, clock: machineClock, log })
    opened.push(clock)
    // Somebody may read for long, such as a backup. Maintenance makes those of the next days.
    await makeEventDays(database, clock.now(), settings.eventDays).catch((error) =>
      log.warn({ err: error }, 'events of today have no table of their own yet'),
    )
    const servers = await joinServers({ database, clock, checkSchema: database.checkSchema })
    opened.push(servers)
    const { skewMs: clockSkewMs } = clock
    opened.push(await keepTablesNewest({ dataFolder: settings.dataFolder, clock, log }))
    const parts = await openParts({ config, database, clock, log, environment, clockSkewMs, servers })
    opened.push(parts, startMaintenance({ ...parts, measureClock: clock.measure }))
    const resolve = settings.webhookTargets === 'any' ? resolveLocally : resolver(settings.dnsServers)
    opened.push(new Dispatcher({ ...parts, resolve }), startActivityCounter(parts))
    opened.push(startWatchPoller(parts), startBatchRunner(parts))
    const server = httpServer(parts, surfaceOf(parts))
    opened.push(server)
    await server.listen({ host: settings.host, port: settings.port, backlog: connectionBacklog })
    const url = urlOf(server.server.address() as AddressInfo)
    parts.addresses.listensAt(url)
    return {
      url,
      parts,
      async stop({ isReplaced = false } = {}) {
        parts.servers.drain(isReplaced)
        await wait(isReplaced ? replacedMs : settings.drainMs)
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

// What is a running service made of? Its core, and the doors of all features.

import type { Logger } from 'pino'
import { type AuditedDatabase, auditedDatabase } from './admin/audit/audited-database.ts'
import type { Clock } from './core/clock.ts'
import type { Config } from './core/config/config.ts'
import { secretsOf } from './core/config/secret-reference.ts'
import type { Core } from './core/core.ts'
import type { StoreKeyring } from './core/crypto/keyring.ts'
import { adviceOnMasterKey, openKeyring } from './core/crypto/open-keyring.ts'
import { tenantKeyring as openTenantKeyring } from './core/crypto/tenant-keyring.ts'
import { type DoorsOf, openFeatures } from './core/feature.ts'
import { metrics as openMetrics } from './core/metrics/metrics.ts'
import { observedDatabase } from './core/metrics/observed-database.ts'
import type { Row as AnyRow } from './core/rows.ts'
import { openServers } from './core/servers/open-servers.ts'
import type { ServersDoor } from './core/servers/room.ts'
import type { Servers } from './core/servers/servers.ts'
import type { Database } from './core/storage/database.ts'
import { events as openEvents } from './events/events.ts'
import { receivers as openReceivers } from './events/receivers.ts'
import type { DeliveryDoor } from './events/room.ts'
import { openStreams, streamReceivers } from './events/streams/index.ts'
import { features, rows } from './features.ts'
import { builtPages } from './http/index.ts'
import { bind, type Row } from './http/surface.ts'

interface Given {
  auditing: AuditedDatabase
  keyring: StoreKeyring
  servers: ServersDoor
  delivery: DeliveryDoor
}

/** Only those who assemble and test a service see all of it. */
export interface Parts extends Core, Given, DoorsOf<typeof features> {
  /** Closes everything but the database. */
  close(): Promise<void>
}

export interface PartsResources {
  config: Config
  /** With the schema of this program; it stays open when the parts are closed. */
  database: Database
  clock: Clock
  log: Logger
  /** How far the machine's clock is ahead of the store's, for the metrics. */
  clockSkewMs?: () => number | undefined
  /** The servers that share the store; by default this one only. */
  servers?: Servers
  /** Environment variables, for the secrets of the configuration file. */
  environment: Readonly<Record<string, string | undefined>>
}

/** Throws a ConfigurationError when the configuration is wrong, and an Error when the master key is missing or does not match the database. */
export async function openParts(resources: PartsResources): Promise<Parts> {
  const { config, clock, log, environment, clockSkewMs = () => undefined, servers = { count: () => 1 } } = resources
  const { settings } = config
  const metrics = openMetrics()
  const database = auditedDatabase(observedDatabase(resources.database, { log, metrics }))
  const keyring = await openKeyring(database, settings, environment)
  const advice = adviceOnMasterKey(keyring, settings.dataFolder)
  if (advice !== undefined) log.warn(advice)
  const tenantKeyring = openTenantKeyring(database, keyring, clock, log)
  const readSecret = secretsOf(environment)
  const streams = openStreams(config.eventStreams ?? {}, { readSecret })
  const receivers = openReceivers({ database, clock, streams: streamReceivers(config.eventStreams) })
  const events = openEvents({ tenantKeyring, clock, receivers, recorded: settings.recordedEvents })
  const core: Core = { settings, clock, log, metrics, database, tenantKeyring, events }
  const given: Given = {
    auditing: database,
    keyring,
    servers: openServers({ database, keyring, clock, log, servers, clockSkewMs }),
    delivery: { receivers, streams },
  }
  const { doors, close } = await openFeatures(features, { ...core, config, readSecret }, given)
  return { ...core, ...doors, close }
}

/** Every endpoint and page, with what its handler needs; `feature` has proved that it is there. */
export const surfaceOf = (parts: Parts): readonly Row[] => [
  ...bind(rows as readonly unknown[] as readonly AnyRow<Parts>[], parts),
  ...bind(builtPages(parts), parts),
]

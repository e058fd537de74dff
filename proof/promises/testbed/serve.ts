// The real service as a separate process, for programs that kill, stop or starve it. service-process.ts starts it.
//
// It receives its configuration and commands (create, rotate and revoke credentials, as the command line would) over the channel
// between the two processes. An answer on that channel is an acknowledgement, like an HTTP answer.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PrivacySubject } from '@ringfence/contract'
import { pino } from 'pino'
import { eraseSubject } from '../../../server/src/admin/privacy/erase.ts'
import { identityHashesOf } from '../../../server/src/admin/privacy/person.ts'
import { keysOfSubject } from '../../../server/src/admin/privacy/subject.ts'
import type { Config } from '../../../server/src/core/config/config.ts'
import { readConfig } from '../../../server/src/core/config/config.ts'
import type { Settings } from '../../../server/src/core/config/settings.ts'
import { readMigrations } from '../../../server/src/core/storage/migrate.ts'
import { tenantHash } from '../../../server/src/core/storage/short-keys.ts'
import { waitingDeliveries } from '../../../server/src/events/store/deliveries.ts'
import { Webhooks } from '../../../server/src/events/webhooks/webhooks.ts'
import { startService } from '../../../server/src/main.ts'
import type { Parts } from '../../../server/src/parts.ts'
import { createApp } from '../../../server/src/testing/sdk-client.ts'

/** The start options, as JSON in the last argument. */
export interface ServeOptions {
  settings: Partial<Settings>
  /** The configuration without the settings. */
  parts: Omit<Config, 'settings'>
  /** The environment that secrets are read from. */
  environment: Record<string, string>
  /** Write the log to this file; without it there is no log. */
  logFile?: string
  /** Of another version. Default: the migrations of this program. */
  migrationsFolder?: string
}

/** The commands; each answer is JSON. */
export const commands = {
  createTenant: async (needs: Parts, name: string) => (await needs.tenantKeyring.createTenant(name)).id,
  createClient: (needs: Parts, tenantId: string, name: string) => needs.clients.createClient(tenantId, name),
  /** A client with the role of an owner. */
  createAdmin: (needs: Parts, tenantId: string) =>
    needs.clients.createClient(tenantId, 'admin', {
      ...{ scopes: 'admin', allowedIps: null, expiresAt: null, role: 'owner' },
    }),
  createApp: (needs: Parts, tenantId: string) => createApp({ parts: needs, tenantId }),
  /** How many reports and visits the tenant's devices have. */
  keptOfDevices: async ({ database }: Parts, tenantId: string) => {
    const kept = await database.query(
      'select case when sealed is null then 0 else 1 end as reported from device_analysis where tenant_hash = $1 and push_hash is not null',
      [tenantHash(tenantId)],
    )
    return { reports: kept.filter(({ reported }) => reported === 1).length, visits: kept.length }
  },
  addWebhook: (needs: Parts, tenantId: string, url: string) =>
    new Webhooks(needs).add(tenantId, { url, types: ['rules.*'] }),
  /** Records an event; events with the same key are in order. */
  happen: async ({ events, database }: Parts, tenantId: string, key: string, n: string) => {
    const data = { change: 'live', version: Number(n), by: key } as const
    await database.batch(await events.statements(tenantId, [{ type: 'rules.changed', data, orderedBy: key }]))
  },
  /** As if the time between two attempts was over. */
  retryNow: async ({ database, clock }: Parts) => {
    await database.query('update event_delivery set due_at = $1 where due_at > $1', [clock.now()])
  },
  /** Of webhooks, and of the streams of the configuration. */
  receiverStates: async (needs: Parts, tenantId: string) => {
    const states: { id: string; state: string; waiting: number }[] = []
    for (const { id, state, waiting } of await new Webhooks(needs).list(tenantId)) states.push({ id, state, waiting })
    for (const id of needs.delivery.streams.keys()) {
      states.push({ id, state: 'active', waiting: (await waitingDeliveries(needs.database, id, 100_000)).count })
    }
    return states
  },
  /** Under which hashes the store has a subject, in hex. */
  hashesOf: async ({ tenantKeyring }: Parts, tenantId: string, kind: PrivacySubject['kind'], value: string) => {
    const keys = await tenantKeyring.keysOf(tenantId)
    const subject = { kind, value }
    const hashes = [
      ...keysOfSubject(subject, keys).map(({ hash }) => hash),
      ...identityHashesOf(subject, keys),
      ...(kind === 'phoneNumber' ? [keys.hash(value)] : []),
    ]
    return hashes.map((hash) => Buffer.from(hash).toString('hex'))
  },
  erase: async (needs: Parts, tenantId: string, kind: PrivacySubject['kind'], value: string) => {
    const erasure = { tenantId, subject: { kind, value }, by: 'promise', reason: 'promise', keepListEntries: false }
    return (await eraseSubject(erasure, needs)).erased
  },
  rotate: (needs: Parts, clientId: string) => needs.clients.rotate(clientId),
  rotateEndingOlder: (needs: Parts, clientId: string) => needs.clients.rotate(clientId, { endOlder: true }),
  revoke: (needs: Parts, clientId: string) => needs.clients.revoke(clientId),
  revokeOlder: (needs: Parts, clientId: string) => needs.clients.revoke(clientId, { olderOnly: true }),
  cpuSeconds: async () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  },
  /** Milliseconds of the event loop, and of all other threads. */
  cpuMs: async () => {
    const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000
    const loop = msOf(process.threadCpuUsage())
    return { loop, others: msOf(process.cpuUsage()) - loop }
  },
} as const

export type Commands = typeof commands
export type Command = { id: number; command: keyof Commands; args: readonly string[] }
export type Report =
  | { listening: string; pid: number }
  | { failedToStart: string }
  | { id: number; value: unknown }
  | { id: number; error: { name: string; message: string } }

if (import.meta.main) {
  const report = (message: Report) => process.send?.(message)
  const { settings, parts, environment, logFile, migrationsFolder } = JSON.parse(process.argv.at(-1)!) as ServeOptions
  const log = logFile ? pino({ level: 'trace' }, pino.destination(logFile)) : pino({ level: 'silent' })
  const config = { ...parts, settings: readConfig({ options: { port: 0, ...keyOf(settings), ...settings } }).settings }
  try {
    const service = await startService({
      config,
      log,
      environment,
      ...(migrationsFolder && { migrations: await readMigrations(pathToFileURL(`${migrationsFolder}/`)) }),
    })
    process.on('message', async ({ id, command, args }: Command) => {
      try {
        const run = commands[command] as (needs: Parts, ...args: readonly string[]) => Promise<unknown>
        report({ id, value: (await run(service.parts, ...args)) ?? null })
      } catch (error) {
        const { name, message } = error as Error
        report({ id, error: { name, message } })
      }
    })
    process.on('SIGTERM', async () => {
      await service.stop()
      process.disconnect?.()
    })
    // The parent process is gone: nobody else would stop this one.
    process.on('disconnect', () => process.exit())
    report({ listening: service.url, pid: process.pid })
  } catch (error) {
    report({ failedToStart: `${(error as Error).name}: ${(error as Error).message}` })
    process.disconnect?.()
  }
}

/** Without another key, the file is in the data folder, so that it ends with the run. */
function keyOf({ dataFolder, masterKey }: Partial<Settings>): Partial<Settings> {
  return dataFolder === undefined || masterKey !== undefined ? {} : { masterKeyFile: join(dataFolder, 'master.key') }
}

// Which tokens do the benchmarks use? Issued as the service issues them, into the store of a running server.

import { randomBytes } from 'node:crypto'
import { readSamples } from '@ringfence/contract'
import { systemClock } from '../../server/src/core/clock.ts'
import { readConfig } from '../../server/src/core/config/config.ts'
import type { Settings } from '../../server/src/core/config/settings.ts'
import { keyring } from '../../server/src/core/crypto/keyring.ts'
import { tenantKeyring } from '../../server/src/core/crypto/tenant-keyring.ts'
import type { Database } from '../../server/src/core/storage/database.ts'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import { listTenants } from '../../server/src/core/storage/tenants.ts'
import { events } from '../../server/src/events/events.ts'
import { receivers } from '../../server/src/events/receivers.ts'
import { issue } from '../../server/src/sign-in/tokens/issue.ts'
import { type Server, startServer } from './harness/servers.ts'
import type { RingfenceOptions } from './servers/ringfence.ts'

const dayMs = 86_400_000
/** Small enough for one group commit, large enough for full groups. */
const atOnce = 1_000
/** How many tokens are verified in turn. */
const asked = 30_000

/** A folder, or the URL of a PostgreSQL database. */
export type Place = Pick<RingfenceOptions['settings'], 'dataFolder' | 'databaseUrl'> & { dataFolder: string }

/** A Ringfence on this store, which refuses nothing because of other work on the machine. */
export function startTokenServer(place: Place): Promise<Server> {
  const settings = { clientRatePerSecond: 1_000_000, overloadDelayMs: 60_000, ...place }
  const parts = { connectors: {}, portabilitySources: {}, channels: {}, operators: [] }
  return startServer('ringfence', { settings, parts } satisfies RingfenceOptions, `${place.dataFolder}.log`)
}

export async function withStore<T>({ dataFolder, databaseUrl }: Place, work: (store: Store) => Promise<T>): Promise<T> {
  const database = await openDatabase(databaseUrl ?? dataFolder)
  try {
    const tenant = (await listTenants(database)).find(({ name }) => name === 'bench')!
    return await work({ database, tenantId: tenant.id })
  } finally {
    await database.close()
  }
}

export interface Store {
  database: Database
  tenantId: string
}

export interface Tokens {
  /** A sample of all tokens, in random order. */
  uniform: string[]
  /** The newest ones. */
  recent: string[]
}

/** Issues tokens as over one day, each for an answer of 1.8 kB; all live for at least another day. */
export async function fillWithTokens({ database, tenantId }: Store, count: number): Promise<Tokens> {
  const settings = tokensLastingFor(2 * dayMs)
  const every = Math.max(1, Math.floor(count / asked))
  const uniform: string[] = []
  const recent: string[] = []
  const begin = systemClock.now() - dayMs
  const events = eventsOf(database)
  for (let issued = 0; issued < count; issued += atOnce) {
    const at = begin + (dayMs * issued) / count
    const platform = { database, settings, events, clock: { now: () => at } }
    const group = await Promise.all(
      Array.from({ length: atOnce }, () => issue({ tenantId, ...tokenContent }, platform)),
    )
    for (const [i, { token }] of group.entries()) {
      if ((issued + i) % every === 0) uniform.push(token)
      if (issued + i >= count - asked) recent.push(token)
    }
  }
  return { uniform: shuffled(uniform), recent: shuffled(recent) }
}

const { token: _, status: __, ...login } = readSamples().TokenVerification!.everything as Record<string, unknown>

/** Without a receiver, as in most installations. */
export const eventsOf = (database: Database, keys = tenantKeyring(database, keyring(randomBytes(32)), systemClock)) =>
  events({
    tenantKeyring: keys,
    clock: systemClock,
    receivers: receivers({ database, clock: systemClock, streams: [] }),
  })

export const tokensLastingFor = (ms: number): Settings => ({
  ...readConfig({}).settings,
  tokenLifetimeSeconds: ms / 1000,
})

/** The largest login sample of the contract. */
export const tokenContent = { login } as Pick<Parameters<typeof issue>[0], 'login'>

function shuffled<Item>(items: Item[]): Item[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1))
    ;[items[last], items[other]] = [items[other]!, items[last]!]
  }
  return items
}

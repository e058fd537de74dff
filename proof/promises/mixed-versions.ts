// Do callers notice an upgrade? Servers of two versions on one PostgreSQL, with traffic, while servers are replaced, killed and locked out.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { postgresDatabases } from '../../server/src/testing/databases.ts'
import { freePorts } from '../../server/src/testing/free-ports.ts'
import { needed, nextVersion, versionAfterNext, writeMigrations } from '../../server/src/testing/made-up-versions.ts'
import type { Outcome, PromiseProgram, RunOptions } from './promise.ts'
import { type AppTraffic, appTraffic, unlimitedTraffic } from './testbed/app-traffic.ts'
import { FailoverTraffic } from './testbed/failover-traffic.ts'
import { startMessageGateway } from './testbed/message-gateway.ts'
import { masterKey } from './testbed/operator.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import {
  FailedToStart,
  newClient,
  type ServiceProcess,
  type Starting,
  spawnService,
} from './testbed/service-process.ts'
import { noParts, patient } from './testbed/stores.ts'

/** One attempt of a migration to lock a table takes a second. */
const longestGapMs = 2_500
/** Other transactions hold the migration and the index up for this long. */
const heldMs = 3_000
const slots = 2
/** Much longer than any step takes, also on a busy machine. */
const servedWithinMs = 120_000

export const mixedVersions: PromiseProgram = {
  name: 'mixed-versions',
  promise:
    'upgrades are rolling: servers of two versions share one PostgreSQL, start on either schema, and lose no acknowledged write',
  async run(run) {
    const databaseUrl = await postgresDatabases.place(run)
    const upgrade = await startPrevious(databaseUrl, run)
    await upgrade.newServerIsHeldUp(databaseUrl)
    const third = await upgrade.newServerStartsAgain()
    await upgrade.previousStartsOnNewSchema()
    await upgrade.everyServerIsReplaced()
    if (run.full) await upgrade.oneGoesBack()
    await upgrade.columnIsRemoved(third)
    await upgrade.previousIsRefused()
    return upgrade.end()
  },
}

/** What is there when the upgrade begins. */
interface Before {
  readonly versions: Awaited<ReturnType<typeof nextVersions>>
  readonly spawn: Spawn
  readonly servers: ServiceProcess[]
  /** Of the servers, also while one is replaced: one that the system chose may be somebody's connection meanwhile. */
  readonly ports: readonly number[]
  readonly administrator: Client
  readonly traffic: FailoverTraffic
  readonly app: AppTraffic
}

/** Starts a server, of the previous version without a folder of migrations. */
type Spawn = (migrationsFolder?: string, port?: number) => Starting

/** Two servers of the previous version, with traffic. */
async function startPrevious(databaseUrl: string, run: RunOptions): Promise<Upgrade> {
  const versions = await nextVersions(run)
  const settings = { databaseUrl, masterKey, ...generous, ...unlimitedTraffic }
  const gateway = await startMessageGateway(run)
  const parts = { ...noParts, channels: gateway.channels }
  const spawn: Spawn = (migrationsFolder, port = 0) =>
    spawnService(
      { settings: { ...settings, port }, parts, environment: {}, ...(migrationsFolder && { migrationsFolder }) },
      run,
    )
  const ports = await freePorts(slots)
  const servers: ServiceProcess[] = []
  for (const port of ports) servers.push(await spawn(undefined, port).started)
  const client = await newClient(servers[0]!, 'versions')
  const app = await appTraffic(servers[0]!, gateway)
  const administrator = await session(databaseUrl, run)
  await fillTokens(administrator, run.full ? 1_500_000 : 20_000)
  const traffic = new FailoverTraffic(() => servers.map(({ url }) => url), client, app, run.full ? 20 : 200)
  return new Upgrade({ versions, spawn, servers, ports, administrator, traffic, app }, run)
}

/** The steps of an upgrade. After each, every server must serve, and what was acknowledged must be there. */
class Upgrade {
  readonly #before: Before
  readonly #run: RunOptions
  readonly #running: Promise<void>
  readonly #figures: Record<string, number | string> = {}

  constructor(before: Before, run: RunOptions) {
    this.#before = before
    this.#run = run
    this.#running = before.traffic.run(slots)
  }

  async newServerIsHeldUp(databaseUrl: string): Promise<void> {
    const { versions, spawn, traffic } = this.#before
    const run = this.#run
    await this.#step('new server starts: its migration waits for a table in use', async () => {
      const user = await session(databaseUrl, run)
      await user.query("begin; update token set expires_at = expires_at + 1 where tenant_id = 'made-up' and shard = 1")
      const old = await session(databaseUrl, run)
      await old.query('begin isolation level repeatable read; select 1')
      const starting = spawn(versions.next)
      await this.#heldUp(starting, 'a transaction that writes', waitsForTable)
      const issuedBefore = traffic.counts.issued
      await after(heldMs)
      const giveUpAt = performance.now() + servedWithinMs
      while (traffic.counts.issued === issuedBefore && performance.now() < giveUpAt) await after(50)
      this.#run.unless(traffic.counts.issued > issuedBefore, () => 'no token is issued while a migration waits')
      await user.query('commit')
      await this.#heldUp(starting, 'an older transaction', building('installation_by_made_up'))
      await after(run.full ? heldMs : 500)
      await starting.kill()
      await old.query('commit')
    })
  }

  async newServerStartsAgain(): Promise<ServiceProcess> {
    const { versions, spawn, administrator } = this.#before
    const third = await this.#step(
      'new server starts again after kill -9 while it built an index',
      () => spawn(versions.next).started,
    )
    const { rows: indexes } = await administrator.query(madeUpIndexes)
    this.#run.unless(
      indexes.length === 2 && indexes.every(({ valid }) => valid),
      () => `indexes: ${JSON.stringify(indexes)}`,
    )
    return third
  }

  previousStartsOnNewSchema(): Promise<void> {
    return this.#step('server of the previous version is killed and starts on the new schema', () =>
      this.#replace(0, (server) => server.kill()),
    )
  }

  everyServerIsReplaced(): Promise<void> {
    const { servers, versions } = this.#before
    return this.#step('every server is replaced', async () => {
      for (const slot of servers.keys()) await this.#replace(slot, (server) => server.stop(), versions.next)
    })
  }

  oneGoesBack(): Promise<void> {
    return this.#step('one server goes back to the previous version', () => this.#replace(1, (server) => server.stop()))
  }

  columnIsRemoved(third: ServiceProcess): Promise<void> {
    return this.#step('the version after the next one removes a column', async () => {
      await this.#replace(1, (server) => server.stop(), this.#before.versions.afterNext)
      await third.stop()
    })
  }

  async previousIsRefused(): Promise<void> {
    const { spawn } = this.#before
    const refused = await spawn().started.catch((error: Error) => error)
    this.#run.unless(
      refused instanceof FailedToStart && refused.message.includes(`servers need migration ${needed}`),
      () => `a server that is too old: ${refused instanceof Error ? refused.message : 'it started'}`,
    )
  }

  async end(): Promise<Outcome> {
    const { servers, traffic, app } = this.#before
    traffic.stop()
    await this.#running
    await app.compare(servers[0]!, traffic.lost, { all: true })
    for (const server of servers) await server.stop()
    const { counts, lost, wrong } = traffic
    this.#run.unless(counts.status500 === 0, () => `${counts.status500} answers with status 500`)
    return {
      figures: { ...traffic.figures, ...this.#figures },
      broken: [...lost.lines, ...wrong.lines],
    }
  }

  /** A server ends, and another starts on its port. */
  async #replace(
    slot: number,
    end: (server: ServiceProcess) => Promise<unknown>,
    migrationsFolder?: string,
  ): Promise<void> {
    const { servers, ports, spawn } = this.#before
    await end(servers[slot]!)
    servers[slot] = await spawn(migrationsFolder, ports[slot]!).started
  }

  async #step<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { traffic } = this.#before
    await this.#serves(`before: ${name}`)
    traffic.beginGap()
    const result = await work()
    await this.#serves(name)
    this.#figures[name] = `${(traffic.gapMs / 1000).toFixed(1)} s without a write`
    this.#run.say(`${name}: ${this.#figures[name]}`)
    this.#run.unless(!this.#run.full || traffic.gapMs < longestGapMs, () => `${name}: ${this.#figures[name]}`)
    await traffic.compare()
    return result
  }

  /** Otherwise a server that refuses everything would lose nothing. */
  async #serves(when: string): Promise<void> {
    const { traffic, app } = this.#before
    const isServed = (await Promise.all([traffic.recovered(), app.untilAcknowledged(servedWithinMs)])).every(Boolean)
    this.#run.unless(isServed, () => `${when}: not every server writes, or no report or sign-in was acknowledged`)
  }

  /** Resolves when the start of a server waits. Rejects when it did not wait. */
  async #heldUp({ started }: Starting, by: string, isHeld: string): Promise<void> {
    const unheld = started.then(() => Promise.reject(new Error(`a server was not held up by ${by}`)))
    while ((await this.#before.administrator.query(isHeld)).rows.length === 0) await Promise.race([after(20), unheld])
    unheld.catch(() => undefined)
    this.#run.say(`held up by ${by}`)
  }
}

const generous = {
  tokenUses: 'once',
  ...patient,
  clientRatePerSecond: 1_000_000,
} as const

/** Another session of the database, such as an administrator's. */
async function session(databaseUrl: string, run: Pick<RunOptions, 'after'>): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  run.after(() => client.end())
  return client
}

/** A table of the size at which an upgrade once blocked everything. */
async function fillTokens(administrator: Client, count: number): Promise<void> {
  await administrator.query(
    `insert into token (shard, bucket, hash, tenant_id, expires_at)
       select i % 64, 9000000, decode(md5(cast(i as text)), 'hex'), 'made-up', 5400000000000 from generate_series(1, ${count}) as i`,
  )
}

const waitsForTable = `select 1 from pg_stat_activity where datname = current_database() and query like 'alter table token%'
  and wait_event_type = 'Lock'`
const building = (index: string) =>
  `select 1 from pg_stat_progress_create_index p where datname = current_database() and index_relid = to_regclass('${index}')`
const madeUpIndexes = `select cast(indexrelid as regclass) || '' as name, indisvalid as valid from pg_index
  where cast(indexrelid as regclass) || '' like '%_by_made_up'`

/** The folders of migrations of both versions. */
async function nextVersions(run: Pick<RunOptions, 'after'>): Promise<{ next: string; afterNext: string }> {
  const folder = await scratchFolder(run)
  const folders = { next: join(folder, 'next'), afterNext: join(folder, 'after-next') }
  for (const [path, migrations] of [
    [folders.next, nextVersion],
    [folders.afterNext, versionAfterNext],
  ] as const) {
    await mkdir(path)
    await writeMigrations(path, migrations)
  }
  return folders
}

// Does every event reach every receiver, in order for each key, whatever dies and however receivers fail?

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { until } from '../../server/src/testing/until.ts'
import { type Judge, named, type PromiseProgram, type RunOptions } from './promise.ts'
import { checkReceiver, type Mood, type MoodyReceiver, startReceiver } from './testbed/events/moody-receivers.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import type { ServeOptions } from './testbed/serve.ts'
import { ProcessGone, type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'
import { noParts, storeOf } from './testbed/stores.ts'

const keys = 6
/** More than the receiver that goes away accepts. */
const leastEvents = 20
/** Another server takes over 20 s after one has died, and a receiver that hangs is left after 10 s. */
const progressWithinMs = 60_000
const moods: readonly Mood[] = ['500', 'reset', 'redirect', 'garbage', 'slow', 'slow']

export const events: PromiseProgram = {
  name: 'events',
  promise:
    'events reach webhooks and a stream at least once and in order per key: kill −9 at every step and failing receivers, 0 lost, 0 out of order',
  async run(run) {
    const [embedded, shared] = await Promise.all([
      delivered(sqliteDatabases, { servers: 1, kills: run.full ? 100 : 4 }, run),
      delivered(postgresDatabases, { servers: 2, kills: run.full ? 40 : 2 }, run),
    ])
    return { figures: { ...named(embedded, 'embedded'), ...named(shared, 'PostgreSQL') } }
  },
}

/** Where a server dies: an event is committed, has arrived at a receiver, or was accepted there; or at any moment. */
const steps = ['arrived', 'answered', 'written', 'anywhere'] as const
type Step = (typeof steps)[number]

interface Written {
  /** Acknowledged. */
  readonly certain: Set<number>
  next: number
}

async function delivered(
  databases: TestDatabases,
  { servers: count, kills }: { servers: number; kills: number },
  run: RunOptions,
) {
  const { options, siem } = await optionsOn(databases, run)
  const cluster = await startServers(options, count, run)
  const tenantId = await cluster.first.command('createTenant', 'events')
  const state = { failing: true }
  const receivers = await startReceivers(state, cluster, run)
  let goneAfter = 5
  const gone = await startReceiver({ name: 'gone', mood: () => (goneAfter-- > 0 ? 'accept' : '410') }, run)
  for (const { url } of [...receivers, gone]) await cluster.first.command('addWebhook', tenantId, url)
  await after(1100)
  const written = await cluster.writeWhileKilled(tenantId, kills, databases.engine)
  state.failing = false
  await drain(cluster.first, tenantId, run)
  const lines = { name: 'siem', accepted: await acceptedLines(siem) }
  const results = [...receivers, lines].map((receiver) => checkReceiver(receiver, written, run))
  const states = await cluster.first.command('receiverStates', tenantId)
  const disabled = states.filter(({ state }) => state === 'disabled').length
  run.unless(
    disabled === 1,
    () => `${disabled} webhooks are disabled, not only the one that answered 410 (${databases.engine})`,
  )
  await cluster.stop()
  return {
    kills: cluster.killed,
    'events acknowledged': sum([...written.values()], ({ certain }) => certain.size),
    'attempts that arrived': sum(receivers, ({ deliveries }) => deliveries),
    'accepted twice': sum(receivers, ({ repeated }) => repeated),
    'lines of the stream': sum([...lines.accepted.values()], ({ length }) => length),
    lost: sum(results, ({ lost }) => lost),
    'out of order': sum(results, ({ overtaken }) => overtaken),
  }
}

const sum = <Of>(all: readonly Of[], of: (one: Of) => number): number =>
  all.reduce((total, each) => total + of(each), 0)

async function optionsOn(databases: TestDatabases, run: RunOptions) {
  const siem = join(await scratchFolder(run), 'siem.ndjson')
  const eventStreams = { siem: { type: 'file', path: siem } }
  const options: ServeOptions = {
    settings: { ...(await storeOf(databases, run)), webhookTargets: 'any' },
    parts: { ...noParts, eventStreams } as unknown as ServeOptions['parts'],
    environment: {},
  }
  return { options, siem }
}

function startReceivers(
  state: { readonly failing: boolean },
  { at }: Pick<KilledServers, 'at'>,
  run: RunOptions,
): Promise<MoodyReceiver[]> {
  const randomMood = (): Mood =>
    state.failing && Math.random() < 0.3 ? moods[Math.floor(Math.random() * moods.length)]! : 'accept'
  return Promise.all([
    startReceiver({ name: 'fine', mood: () => 'accept', at }, run),
    startReceiver({ name: 'moody', mood: randomMood, at }, run),
    startReceiver({ name: 'one-key-fails', mood: (key) => (state.failing && key === 'key 0' ? '500' : 'accept') }, run),
    startReceiver(
      { name: 'hangs-for-one-key', mood: (key) => (state.failing && key === 'key 1' ? 'hang' : 'slow') },
      run,
    ),
  ])
}

async function startServers(options: ServeOptions, count: number, run: RunOptions): Promise<KilledServers> {
  const start = () => startServiceProcess(options, run)
  return new KilledServers(await Promise.all(Array.from({ length: count }, start)), start, run)
}

/** Servers on one store, each of which is killed and started again. */
class KilledServers {
  killed = 0
  /** Undefined from the kill until the next one has started. */
  readonly #servers: (ServiceProcess | undefined)[]
  readonly #start: () => Promise<ServiceProcess>
  readonly #run: RunOptions
  readonly #killing: Promise<void>[] = []
  #wantsKill: Step | undefined
  #isOver = false

  constructor(servers: readonly ServiceProcess[], start: () => Promise<ServiceProcess>, run: RunOptions) {
    this.#servers = [...servers]
    this.#start = start
    this.#run = run
  }

  get first(): ServiceProcess {
    return this.#servers[0]!
  }

  /** A step has happened, at which a server may be wanted dead. */
  readonly at = (step: Step): void => {
    if (this.#wantsKill !== step) return
    this.#wantsKill = undefined
    this.#kill()
  }

  /** Writes events of every key, while a server is killed at each step. */
  async writeWhileKilled(tenantId: string, kills: number, engine: string): Promise<ReadonlyMap<string, Written>> {
    const written = new Map<string, Written>(
      Array.from({ length: keys }, (_, i) => [`key ${i}`, { certain: new Set<number>(), next: 0 }]),
    )
    const writing = Promise.all([...written].map(([key, of]) => this.#write(tenantId, key, of)))
    for (let round = 0; round < kills; round++) {
      await after(200 + Math.random() * 800)
      await this.#killAt(steps[round % steps.length]!)
      if (round % 10 === 9) this.#run.say(`${engine}: ${round + 1} of ${kills} kills`)
    }
    // Otherwise no receiver may have got what makes it fail.
    await until(() => sum([...written.values()], ({ certain }) => certain.size) >= leastEvents)
    this.#isOver = true
    await writing
    return written
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server!.stop()))
  }

  async #killAt(step: Step): Promise<void> {
    const before = this.killed
    if (step === 'anywhere') this.#kill()
    else this.#wantsKill = step
    // A server that has just started may still wait for the lease of a killed one.
    await until(() => this.killed > before)
    await Promise.all(this.#killing)
  }

  /** Which server sent it is not known here, so each step kills one of them. */
  #kill(): void {
    const index = this.killed++ % this.#servers.length
    const server = this.#servers[index]
    if (!server) return
    this.#servers[index] = undefined
    const startAgain = async () => {
      this.#servers[index] = await this.#start()
    }
    this.#killing.push(server.kill().then(startAgain))
  }

  /** Each event of a key is written at another server than the one before, after it was acknowledged. */
  async #write(tenantId: string, key: string, of: Written): Promise<void> {
    while (!this.#isOver) {
      const n = of.next++
      const server = this.#servers[n % this.#servers.length]
      try {
        if (!server) throw new ProcessGone('it is starting')
        await server.command('happen', tenantId, key, String(n))
        of.certain.add(n)
        this.at('written')
      } catch (error) {
        if (!(error instanceof ProcessGone)) throw error
        await after(50)
      }
      // On a fast machine more would only take longer to deliver.
      await after(100 + Math.random() * 200)
    }
  }
}

/** The events in a file of a stream; a line that a kill cut off is none. */
async function acceptedLines(path: string): Promise<Map<string, number[]>> {
  const accepted = new Map<string, number[]>()
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    if (!line.endsWith('}}')) continue
    const { version, by } = JSON.parse(line).ringfence as { version: number; by: string }
    accepted.getOrInsertComputed(by, () => []).push(version)
  }
  return accepted
}

/** Until nothing waits but for the webhook that is gone: a slow receiver takes as long as it has events, but one goes after the other. */
async function drain(server: ServiceProcess, tenantId: string, run: Judge): Promise<void> {
  let [fewest, giveUpAt] = [Number.POSITIVE_INFINITY, 0]
  for (;;) {
    await server.command('retryNow')
    await after(500)
    const waiting = (await server.command('receiverStates', tenantId)).filter(
      ({ state, waiting }) => state !== 'disabled' && waiting > 0,
    )
    if (waiting.length === 0) return
    const left = sum(waiting, (one) => one.waiting)
    if (left < fewest) [fewest, giveUpAt] = [left, performance.now() + progressWithinMs]
    if (performance.now() < giveUpAt) continue
    run.unless(false, () => `no event was delivered for ${progressWithinMs} ms: ${JSON.stringify(waiting)}`)
    return
  }
}

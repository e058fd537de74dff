// Does every event reach every receiver, in order for each key, whatever dies and however receivers fail?

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { Complaints, type PromiseProgram, type RunOptions } from './promise.ts'
import { checkReceiver, type Mood, type MoodyReceiver, startReceiver } from './testbed/events/moody-receivers.ts'
import { masterKey } from './testbed/operator.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import type { ServeOptions } from './testbed/serve.ts'
import { ProcessGone, type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'

const keys = 6
/** Another server takes over 20 s after one has died, and a receiver that hangs is left after 10 s. */
const drainWithinMs = 180_000
const moods: readonly Mood[] = ['500', 'reset', 'redirect', 'garbage', 'slow', 'slow']

export const events: PromiseProgram = {
  name: 'events',
  promise:
    'events reach webhooks and a stream at least once and in order per key: kill −9 at every step and failing receivers, 0 lost, 0 out of order',
  async run(run) {
    const complaints = new Complaints()
    const [embedded, shared] = await Promise.all([
      delivered(sqliteDatabases, { servers: 1, kills: run.full ? 100 : 4 }, complaints, run),
      delivered(postgresDatabases, { servers: 2, kills: run.full ? 40 : 2 }, complaints, run),
    ])
    return { figures: { ...named(embedded, 'embedded'), ...named(shared, 'PostgreSQL') }, broken: complaints.lines }
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
  { place, engine }: TestDatabases,
  { servers: count, kills }: { servers: number; kills: number },
  complaints: Complaints,
  run: RunOptions,
) {
  const where = await place(run)
  const store = engine === 'sqlite' ? { dataFolder: where } : { databaseUrl: where, masterKey }
  const siem = join(await scratchFolder(run), 'siem.ndjson')
  const eventStreams = { siem: { type: 'file', path: siem } }
  const parts = { connectors: {}, portabilitySources: {}, channels: {}, operators: [], eventStreams }
  const options: ServeOptions = {
    settings: { ...store, webhookTargets: 'any', overloadDelayMs: 60_000 },
    parts: parts as unknown as ServeOptions['parts'],
    environment: {},
  }
  /** Undefined from the kill until the next one has started. */
  const servers: (ServiceProcess | undefined)[] = await Promise.all(
    Array.from({ length: count }, () => startServiceProcess(options, run)),
  )
  const tenantId = await servers[0]!.command('createTenant', 'events')
  const state = { failing: true, killed: 0, wantsKill: undefined as Step | undefined, over: false }

  /** Which server sent it is not known here, so each step kills one of them. */
  const killing: Promise<void>[] = []
  function kill(): void {
    const index = state.killed++ % count
    const server = servers[index]
    if (!server) return
    servers[index] = undefined
    killing.push(
      server.kill().then(async () => {
        servers[index] = await startServiceProcess(options, run)
      }),
    )
  }
  const at = (step: Step) => {
    if (state.wantsKill !== step) return
    state.wantsKill = undefined
    kill()
  }
  const randomMood = (): Mood =>
    state.failing && Math.random() < 0.3 ? moods[Math.floor(Math.random() * moods.length)]! : 'accept'
  let goneAfter = 5
  const receivers = await Promise.all([
    startReceiver({ name: 'fine', mood: () => 'accept', at }, run),
    startReceiver({ name: 'moody', mood: randomMood, at }, run),
    startReceiver({ name: 'one-key-fails', mood: (key) => (state.failing && key === 'key 0' ? '500' : 'accept') }, run),
    startReceiver(
      { name: 'hangs-for-one-key', mood: (key) => (state.failing && key === 'key 1' ? 'hang' : 'slow') },
      run,
    ),
  ])
  const gone = await startReceiver({ name: 'gone', mood: () => (goneAfter-- > 0 ? 'accept' : '410') }, run)
  for (const { url } of [...receivers, gone]) await servers[0]!.command('addWebhook', tenantId, url)
  await after(1100)

  const written = new Map<string, Written>(
    Array.from({ length: keys }, (_, i) => [`key ${i}`, { certain: new Set<number>(), next: 0 }]),
  )
  /** Each event of a key is written at another server than the one before, after it was acknowledged. */
  const write = async (key: string, of: Written) => {
    while (!state.over) {
      const n = of.next++
      const server = servers[n % count]
      try {
        if (!server) throw new ProcessGone('it is starting')
        await server.command('happen', tenantId, key, String(n))
        of.certain.add(n)
        at('written')
      } catch (error) {
        if (!(error instanceof ProcessGone)) throw error
        await after(50)
      }
      // On a fast machine more would only take longer to deliver.
      await after(100 + Math.random() * 200)
    }
  }
  const writing = Promise.all([...written].map(([key, of]) => write(key, of)))
  for (let round = 0; round < kills; round++) {
    await after(200 + Math.random() * 800)
    const step = steps[round % steps.length]!
    const before = state.killed
    if (step === 'anywhere') kill()
    else state.wantsKill = step
    // A server that has just started may still wait for the lease of a killed one.
    for (let i = 0; i < 600 && state.killed === before; i++) await after(50)
    await Promise.all(killing)
    if (round % 10 === 9) run.say(`${engine}: ${round + 1} of ${kills} kills`)
  }
  state.over = true
  await writing
  state.failing = false
  await drain(servers[0]!, tenantId, complaints)
  const lines = { name: 'siem', accepted: await acceptedLines(siem) }
  const results = [...receivers, lines].map((receiver) => checkReceiver(receiver, written, complaints))
  const states = await servers[0]!.command('receiverStates', tenantId)
  const disabled = states.filter(({ state }) => state === 'disabled').length
  complaints.unless(
    disabled === 1,
    () => `${disabled} webhooks are disabled, not only the one that answered 410 (${engine})`,
  )
  await Promise.all(servers.map((server) => server!.stop()))
  const sum = (of: (receiver: MoodyReceiver) => number) => receivers.reduce((total, each) => total + of(each), 0)
  return {
    kills: state.killed,
    'events acknowledged': [...written.values()].reduce((total, { certain }) => total + certain.size, 0),
    'attempts that arrived': sum(({ deliveries }) => deliveries),
    'accepted twice': sum(({ repeated }) => repeated),
    'lines of the stream': [...lines.accepted.values()].reduce((total, { length }) => total + length, 0),
    lost: results.reduce((total, { lost }) => total + lost, 0),
    'out of order': results.reduce((total, { overtaken }) => total + overtaken, 0),
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

/** Until nothing waits but for the webhook that is gone. */
async function drain(server: ServiceProcess, tenantId: string, complaints: Complaints): Promise<void> {
  const giveUpAt = performance.now() + drainWithinMs
  for (;;) {
    await server.command('retryNow')
    await after(500)
    const waiting = (await server.command('receiverStates', tenantId)).filter(
      ({ state, waiting }) => state !== 'disabled' && waiting > 0,
    )
    if (waiting.length === 0) return
    if (performance.now() < giveUpAt) continue
    complaints.unless(false, () => `events still wait after ${drainWithinMs} ms: ${JSON.stringify(waiting)}`)
    return
  }
}

const named = (figures: Record<string, number>, engine: string) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${name} (${engine})`, value]))

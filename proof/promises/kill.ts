// Does kill -9 lose anything that was acknowledged?

import { setTimeout as after } from 'node:timers/promises'
import { endpoints, readSamples } from '@ringfence/contract'
import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import { postgresDatabases, sqliteDatabases, type TestDatabases } from '../../server/src/testing/databases.ts'
import { type Judge, named, type PromiseProgram, type RunOptions } from './promise.ts'
import { type AppTraffic, appTraffic, unlimitedTraffic } from './testbed/app-traffic.ts'
import { Ledger, post } from './testbed/ledger.ts'
import { startMessageGateway } from './testbed/message-gateway.ts'
import { ordinaryNumber, startOperator } from './testbed/operator.ts'
import type { ServeOptions } from './testbed/serve.ts'
import { newClient, ProcessGone, type ServiceProcess, spawnService } from './testbed/service-process.ts'
import { storeOf } from './testbed/stores.ts'

const writersAtOnce = 8
/** Everything is compared after so many kills and at the end, what is new after each one. */
const compareAllEvery = 100
const login = readSamples().IssueTokenRequest?.ordinary
const backWithinMs = 2000
/** Much longer than a session and a sign-in take, also on a busy machine. */
const servedWithinMs = 120_000

export const kill: PromiseProgram = {
  name: 'kill',
  promise: 'what was acknowledged is there: kill −9 under writes loses nothing, every open works, back in under 2 s',
  async run(run) {
    const embedded = await killed(sqliteDatabases, run.full ? 1000 : 5, run)
    const shared = await killed(postgresDatabases, run.full ? 100 : 2, run)
    // In a short run other tests use the machine at the same time, so times mean nothing.
    const slowest = Math.max(embedded['slowest start, ms'], shared['slowest start, ms'])
    if (run.full) run.unless(slowest < backWithinMs, () => `a start took ${slowest} ms`)
    return { figures: { ...named(embedded, 'embedded'), ...named(shared, 'PostgreSQL') } }
  },
}

async function killed(databases: TestDatabases, kills: number, run: RunOptions) {
  const operator = await startOperator(run)
  const gateway = await startMessageGateway(run)
  const { engine } = databases
  const options: ServeOptions = {
    settings: { ...(await storeOf(databases, run)), simSwapReuseSeconds: 30 * 86_400, ...unlimitedTraffic },
    parts: { ...operator.parts, channels: gateway.channels },
    environment: operator.environment,
  }
  const ledger = new Ledger()
  const complaintsBefore = run.complaints.count
  const startsMs: number[] = []
  let acknowledged = 0
  let client: IssuedCredentials | undefined
  let traffic: AppTraffic | undefined

  async function start(): Promise<ServiceProcess | undefined> {
    const { started } = spawnService(options, run)
    try {
      const service = await started
      startsMs.push(service.startedInMs)
      return service
    } catch (error) {
      run.unless(false, () => `an open failed (${engine}): ${(error as Error).message}`)
      return undefined
    }
  }

  for (let round = 1; round <= kills; round++) {
    if (round % 5 === 0) {
      // Sometimes the kill hits the start itself, while it recovers the log of the previous run.
      const starting = spawnService(options, run)
      await after(Math.random() * 600)
      await starting.kill()
      continue
    }
    const service = await start()
    if (!service) continue
    await ledger.compare(service.url, run, { freshOnly: round % compareAllEvery !== 1 })
    await traffic?.compare(service, run)
    client ??= await newClient(service, 'kill')
    traffic ??= await appTraffic(service, gateway)
    const before = ledger.entries
    const writing = [write(service, client, ledger, round), visitApp(service, traffic, run)]
    // Otherwise nothing may have been acknowledged; after that, anything may be in flight.
    if (round % 2 === 1) await traffic.untilAcknowledged(servedWithinMs)
    await after(20 + Math.random() * 180)
    await service.kill()
    await Promise.all(writing)
    acknowledged += ledger.entries - before
    if (round % 50 === 0) run.say(`${engine}: ${round} of ${kills} kills, ${acknowledged} rows acknowledged`)
  }
  const service = await start()
  if (service) {
    await ledger.compare(service.url, run)
    await traffic?.compare(service, run, { all: true })
  }
  await service?.stop()
  return {
    kills,
    'rows acknowledged': acknowledged,
    'reports of devices acknowledged': traffic?.reports ?? 0,
    'sign-ins completed': traffic?.signIns ?? 0,
    'lost or failed': run.complaints.count - complaintsBefore,
    'median start, ms': Math.round(startsMs.sort((a, b) => a - b)[startsMs.length >> 1] ?? Number.NaN),
    'slowest start, ms': Math.round(Math.max(...startsMs)),
  }
}

/** Creates, rotates and revokes credentials, issues and revokes tokens, and requests checks until the process is gone. */
async function write(service: ServiceProcess, client: IssuedCredentials, ledger: Ledger, round: number): Promise<void> {
  const tenantId = await service.command('createTenant', 'kill').catch(untilGone)
  const untilKilled = async (work: (step: number) => Promise<void>) => {
    for (let step = 0; ; step++) await work(step)
  }
  const issue = async () => {
    const first = await service.command('createClient', tenantId!, 'written')
    ledger.expect('accepted', first)
    const second = await service.command('rotate', first.clientId)
    ledger.expect('accepted', second)
    ledger.expect('either', first)
    await service.command('revokeOlder', first.clientId)
    ledger.expect('refused', first)
  }
  const ask = async (step: number) => {
    const phoneNumber = ordinaryNumber(round * 10 + (step % 10))
    // An answer with an age was read from the store, so it is stored.
    const { age } = await post(service.url, endpoints.simSwapCheck.path, client, { phoneNumber })
    if (age !== null) ledger.expectKept(phoneNumber, client)
  }
  /** Few, since every start checks all of them. */
  const issueTokens = async (step: number) => {
    await after(10)
    const { status, text } = await post(service.url, endpoints.issueToken.path, client, login)
    if (status !== 200) throw new Error(`no token was issued: ${text}`)
    const { token } = JSON.parse(text)
    ledger.expectToken('accepted', token, client)
    if (step % 2 === 0) return
    ledger.expectToken('either', token, client)
    await post(service.url, endpoints.revokeToken.path, client, { token })
    ledger.expectToken('refused', token, client)
  }
  if (tenantId === undefined) return
  const writers = Array.from({ length: writersAtOnce }, () => untilKilled(issue).catch(untilGone))
  await Promise.all([...writers, untilKilled(ask).catch(untilGone), untilKilled(issueTokens).catch(untilGone)])
}

/** Sessions of SDKs and sign-ins, until the process is gone. */
async function visitApp(service: ServiceProcess, traffic: AppTraffic, run: Judge): Promise<void> {
  const visit = async () => {
    while (true) await traffic.session(service.url, run)
  }
  await Promise.all([visit().catch(untilGone), visit().catch(untilGone)])
}

/** The end of the process is expected; `fetch` reports it as a TypeError, even in the middle of an answer. */
function untilGone(error: unknown): undefined {
  const isGone = error instanceof TypeError && ['fetch failed', 'terminated'].includes(error.message)
  if (error instanceof ProcessGone || isGone) return undefined
  throw error
}

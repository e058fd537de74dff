// Does any process accept a revoked secret? Two processes share a database: one revokes and rotates, the other verifies.

import { setTimeout as after } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import { listSecrets } from '../../server/src/clients/store/clients.ts'
import { openDatabase } from '../../server/src/core/storage/open-database.ts'
import type { TestDatabases } from '../../server/src/testing/databases.ts'
import type { Judge, PromiseProgram, RunOptions } from './promise.ts'
import { post } from './testbed/ledger.ts'
import { masterKey } from './testbed/operator.ts'
import { type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'
import { noParts, onEachEngine, storeOf } from './testbed/stores.ts'

/** A server caches a verified pair for this long (credentials.ts), so a revocation takes effect within it. */
const reachesWithinMs = 1000
const liveSecretsAtMost = 2

export const revoked: PromiseProgram = {
  name: 'revoked',
  promise: 'a revoked secret stays so: accepted by no process a second later; races leave at most two valid secrets',
  async run(run) {
    return { figures: await onEachEngine((databases) => raced(databases, run)) }
  },
}

async function raced(databases: TestDatabases, run: RunOptions) {
  const { engine } = databases
  const store = await storeOf(databases, run)
  const settings = { ...store, masterKey, wrongCredentialsPerMinute: 1_000_000 }
  const start = () => startServiceProcess({ settings, parts: noParts, environment: {} }, run)
  // One after the other: the second step works on what the first one created.
  const processes = [await start(), await start()] as const
  const tenantId = await processes[0].command('createTenant', 'revoked')
  const clients = await Promise.all(
    Array.from({ length: run.full ? 200 : 20 }, () => processes[0].command('createClient', tenantId, 'revoked')),
  )

  const asking = new Set<Promise<void>>()
  let askedAfter = 0
  let latestMs = 0
  for (const client of clients) {
    const revocation = Promise.withResolvers<number>()
    asking.add(
      ask(processes[0], client, revocation.promise, (acceptedMs, count) => {
        latestMs = Math.max(latestMs, acceptedMs)
        askedAfter += count
        run.unless(acceptedMs <= reachesWithinMs, () => `${engine}: accepted ${acceptedMs} ms after revocation`)
      }),
    )
    await after(10)
    await processes[1].command('revoke', client.clientId)
    revocation.resolve(performance.now())
  }
  await Promise.all(asking)

  const rounds = run.full ? 200 : 5
  let rotations = 0
  for (let round = 0; round < rounds; round++) {
    const client = await processes[0].command('createClient', tenantId, 'rotated')
    // Room for one more secret: one rotation wins, the others fail because two secrets are live.
    const won = await rotateAtOnce(processes, 'rotate', client.clientId, run, engine)
    run.unless(won.length === 1, () => `${engine}: ${won.length} of four rotations won a place for one`)
    // Each of these ends the older secrets, so all succeed, one after the other.
    const forced = await rotateAtOnce(processes, 'rotateEndingOlder', client.clientId, run, engine)
    run.unless(forced.length === 4, () => `${engine}: ${forced.length} of four rotations that end the older`)
    rotations += 8
    await checkSecrets(store.databaseUrl ?? store.dataFolder!, processes, [client, ...won, ...forced], run, engine)
  }
  for (const process of processes) await process.stop()
  return {
    'clients revoked': clients.length,
    'requests with their secrets afterwards': askedAfter,
    'latest acceptance, ms after the revocation': Math.round(latestMs),
    'rotations at the same time': rotations,
  }
}

/** Four rotations of one client, two in each process. Returns the issued secrets. */
async function rotateAtOnce(
  processes: readonly [ServiceProcess, ServiceProcess],
  command: 'rotate' | 'rotateEndingOlder',
  clientId: string,
  run: Judge,
  engine: string,
): Promise<IssuedCredentials[]> {
  const turns = [processes[0], processes[1], processes[0], processes[1]]
  const issued = await Promise.all(
    turns.map((process) =>
      process.command(command, clientId).catch((error: Error) => {
        const refused = command === 'rotate' && error.message.includes('valid secrets')
        run.unless(refused, () => `${engine}: a rotation fails with ${error.name}: ${error.message}`)
        return undefined
      }),
    ),
  )
  return issued.filter((pair) => pair !== undefined)
}

/** Verifies in one process again and again; returns how long after the revocation a request was sent and still accepted. */
async function ask(
  process: ServiceProcess,
  client: IssuedCredentials,
  revocation: Promise<number>,
  report: (latestAcceptedMs: number, asked: number) => void,
): Promise<void> {
  let revokedAt = Number.POSITIVE_INFINITY
  void revocation.then((at) => {
    revokedAt = at
  })
  let latestMs = 0
  let asked = 0
  while (performance.now() < revokedAt + reachesWithinMs + 300) {
    const sentAt = performance.now()
    const { status } = await post(process.url, endpoints.portability.path, client, { phoneNumber: '1' })
    if (sentAt > revokedAt) asked++
    if (status !== 401) latestMs = Math.max(latestMs, sentAt - revokedAt)
    await after(20)
  }
  report(latestMs, asked)
}

/** Of all issued secrets at most two are live, including the newest, and both processes agree on each. */
async function checkSecrets(
  where: string,
  processes: readonly ServiceProcess[],
  issued: readonly IssuedCredentials[],
  run: Judge,
  engine: string,
): Promise<void> {
  const database = await openDatabase(where)
  const secrets = await listSecrets(database, issued[0]!.clientId)
  await database.close()
  const live = secrets.filter(({ revokedAt }) => revokedAt === null)
  run.unless(
    live.length >= 1 && live.length <= liveSecretsAtMost,
    () => `${engine}: ${live.length} valid secrets after rotations at the same time`,
  )
  const newest = Math.max(...secrets.map(({ secretId }) => Number(secretId)))
  run.unless(
    live.some(({ secretId }) => Number(secretId) === newest),
    () => `${engine}: the newest secret is not live`,
  )
  for (const { url } of processes) {
    const answers = await Promise.all(
      issued.map((pair) => post(url, endpoints.portability.path, pair, { phoneNumber: '1' })),
    )
    const accepted = answers.filter(({ status }) => status !== 401).length
    run.unless(accepted === live.length, () => `${engine}: ${accepted} secrets accepted, ${live.length} live`)
  }
}

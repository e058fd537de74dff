// What happens when the disk fails or fills up? Reads are served, writes are refused, and refused writes do not appear later.

import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as after } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import type { IssuedCredentials } from '../../server/src/clients/credentials.ts'
import { sqliteFileName } from '../../server/src/core/storage/sqlite/sqlite.ts'
import { settlesWithin } from '../../server/src/testing/settles.ts'
import { until } from '../../server/src/testing/until.ts'
import type { Judge, PromiseProgram, RunOptions } from './promise.ts'
import { type AppTraffic, appTraffic, unlimitedTraffic } from './testbed/app-traffic.ts'
import {
  type Fault,
  onTinyDisk,
  strike,
  tinyDiskOf,
  underFault,
  whyNoStrace,
  whyNoTinyDisk,
} from './testbed/failing-disk-tools.ts'
import { Ledger, post } from './testbed/ledger.ts'
import { type MessageGateway, startMessageGateway } from './testbed/message-gateway.ts'
import { ordinaryNumber, startOperator } from './testbed/operator.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import type { ServeOptions } from './testbed/serve.ts'
import { FailedToStart, type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'
import { patient } from './testbed/stores.ts'

export const failingDisk: PromiseProgram = {
  name: 'failing-disk',
  promise: 'a failing disk is not acknowledged: reads serve, writes are refused (503), recovery is unaided',
  async run(run) {
    const noStrace = await whyNoStrace()
    const noTinyDisk = await whyNoTinyDisk()
    const figures = {
      ...(noStrace === undefined && (await whileRunning(run))),
      ...(noStrace === undefined && (await duringCheckpoints(run))),
      ...(noStrace === undefined && (await whileStarting(run))),
      ...(noTinyDisk === undefined && (await fullDisk(run))),
    }
    const skipped = [noStrace, noTinyDisk].filter((reason) => reason !== undefined).join('; ')
    return { figures, ...(skipped && { skipped }) }
  },
}

const writes = ['pwrite64'] as const
const syncs = ['fsync', 'fdatasync'] as const

/** A kind of failure, and which calls of the writer thread fail: each in turn, alone or with all that follow. */
function* faults(full: boolean): Generator<{ kind: string; at(n: number): Fault; first: number; step: number }> {
  const kinds = [
    ['write: EIO', writes, 'EIO'],
    ['write: disk full', writes, 'ENOSPC'],
    ['fsync: EIO', syncs, 'EIO'],
    ['fsync: disk full', syncs, 'ENOSPC'],
  ] as const
  for (const [kind, calls, error] of kinds) {
    const once = { kind, at: (n: number): Fault => ({ calls, error, when: `${n}` }) }
    const lasting = { kind: `${kind}, lasting`, at: (n: number): Fault => ({ calls, error, when: `${n}+` }) }
    if (full) yield* [once, lasting].map((fault) => ({ ...fault, first: 1, step: 1 }))
  }
  // A short run samples: one write in the middle of a commit, and an fsync that keeps failing.
  if (!full) {
    yield { kind: 'write: EIO', at: (n) => ({ calls: writes, error: 'EIO', when: `${n}` }), first: 4, step: 1000 }
    yield { kind: 'fsync: EIO', at: (n) => ({ calls: syncs, error: 'EIO', when: `${n}+` }), first: 2, step: 1000 }
  }
}

/** How many clients are created while calls fail. Each is one commit of a dozen writes and an fsync. */
const clientsPerRound = 4

async function whileRunning(run: RunOptions) {
  const { options, dataFolder, gateway } = await storeOptions(run)
  // An acknowledged write is in the write-ahead log; a checkpoint copies it into the database file later.
  const log = join(dataFolder, `${sqliteFileName}-wal`)
  const logFile = join(dataFolder, 'service.log')
  const service = await startServiceProcess({ ...options, logFile }, run)
  const subject = await prepare(service, gateway, run)
  let rounds = 0
  let failedCalls = 0
  let refused = 0
  let inCheckpoints = 0
  let inBackground = 0
  for (const { kind, at, first, step } of faults(run.full)) {
    const failedBefore = failedCalls
    for (let n = first; ; n += step) {
      const fault = at(n)
      const warnedBefore = await warningsIn(logFile)
      const { struck, struckInCheckpoints, lift } = await strike(service.pid, fault, [log], run)
      const outcome = await makeClients(subject, run, `${kind}, call ${n}`)
      await serves(subject, run, `${kind}, call ${n}`)
      await lift()
      const injected = struck()
      const ofCheckpoints = struckInCheckpoints()
      inCheckpoints += ofCheckpoints
      if (injected > ofCheckpoints && outcome.refused === 0) {
        // A write that no caller waits for, such as a count or an answer for reuse: its failure is in the log.
        inBackground++
        const isLogged = await warns(logFile, warnedBefore)
        run.unless(isLogged, () => `${kind}, call ${n}: every write was acknowledged`)
      }
      rounds++
      failedCalls += injected
      refused += outcome.refused
      await recovered(subject, run, `${kind}, call ${n}`)
      if (injected === 0 || step > 1) break
    }
    run.unless(failedCalls > failedBefore, () => `${kind}: no call failed, so nothing was tested`)
    run.say(`${kind}: ${rounds} rounds done, ${failedCalls} calls failed, ${refused} writes refused`)
  }
  const unclaimed = rowsOf(dataFolder) - subject.acknowledged
  run.unless(unclaimed === 0, () => `${unclaimed} clients exist that were refused`)
  // A restart shows whether anything lived in memory only.
  await service.kill()
  const again = await startServiceProcess(options, run)
  await subject.ledger.compare(again.url, run)
  await subject.traffic.compare(again, run, { all: true })
  await again.stop()
  return {
    'rounds with a failing call': rounds,
    'calls failed': failedCalls,
    'failed syncs of checkpoints, which cost nothing': inCheckpoints,
    'rounds in which only a logged background write failed': inBackground,
    'writes refused': refused,
    'writes acknowledged, all stored': subject.acknowledged,
    ...subject.traffic.figures,
    'refused writes that exist': unclaimed,
  }
}

/** Every checkpoint fails, even the last one at shutdown: rows stay in the write-ahead log, and nothing is lost. */
async function duringCheckpoints(run: RunOptions) {
  const { options, dataFolder, gateway } = await storeOptions(run)
  const service = await startServiceProcess(options, run)
  const subject = await prepare(service, gateway, run)
  const fault: Fault = { calls: [...writes, ...syncs], error: 'EIO', when: '1+' }
  const { struck, lift } = await strike(service.pid, fault, [join(dataFolder, sqliteFileName)], run)
  // About 2,000 pages of log. Checkpoints run after writes and at shutdown.
  const { refused } = await makeClients(subject, run, 'a failing checkpoint', 200)
  run.unless(refused === 0, () => `${refused} writes to a healthy log are refused`)
  await serves(subject, run, 'a failing checkpoint')
  await service.stop()
  await lift()
  run.unless(struck() > 0, () => 'no checkpoint was attempted')
  const again = await startServiceProcess(options, run)
  await subject.ledger.compare(again.url, run)
  await subject.traffic.compare(again, run, { all: true })
  await again.stop()
  return { 'calls that failed during checkpoints': struck() }
}

/** A first start, with its migrations, on a failing disk: it reports the failure or works, and the next start works. */
async function whileStarting(run: RunOptions) {
  let starts = 0
  let refused = 0
  const last = run.full ? 60 : 1
  // A start with its migrations makes some hundred calls; every second of the first ones is a sample.
  for (let n = 1; n <= last; n += 2) {
    for (const calls of run.full ? [writes, syncs] : [writes]) {
      const { options, dataFolder, gateway } = await storeOptions(run)
      const files = ['', '-wal'].map((suffix) => join(dataFolder, sqliteFileName + suffix))
      const wrapper = underFault({ calls, error: 'EIO', when: String(n) }, files, join(dataFolder, 'strace.log'))
      starts++
      try {
        const service = await startServiceProcess(options, run, wrapper)
        await service.kill()
      } catch (error) {
        if (!(error instanceof FailedToStart)) throw error
        refused++
        const says = error.message
        run.unless(/^StorageUnavailable: /.test(says), () => `a start on a failing disk says: ${says}`)
      }
      const service = await startServiceProcess(options, run).catch((error: Error) => {
        run.unless(false, () => `no start after ${calls.join()} ${n} failed in the first: ${error.message}`)
      })
      if (service) await prepare(service, gateway, run)
      await service?.stop()
      await rm(dataFolder, { recursive: true })
    }
  }
  run.unless(!run.full || refused > 0, () => 'no first start was refused, so no call failed')
  return { 'first starts on a failing disk': starts, 'of these, refused with a clear reason': refused }
}

/** So many that the log is copied when the writer is idle. */
const clientsOfLongLog = 270
const idleBeforeCheckpointMs = 1000
/** Counted in what this process runs. */
const readyWithinMs = 2500
const loggedWithinMs = 2000

/** A separate small disk that another process fills to the last byte, and frees again. */
async function fullDisk(run: RunOptions) {
  const { options, dataFolder, gateway } = await storeOptions(run)
  const service = await startServiceProcess(options, run, onTinyDisk(dataFolder, 32))
  const subject = await prepare(service, gateway, run)
  const ballast = join(tinyDiskOf(service.pid, dataFolder), 'ballast')
  const rounds = run.full ? 50 : 2
  let refused = 0
  for (let round = 1; round <= rounds; round++) {
    await fillDisk(ballast)
    // SQLite first uses up the pages that its log has already reserved.
    for (let tries = 0; tries < 200; tries++) {
      const outcome = await makeClients(subject, run, `full disk, round ${round}`)
      refused += outcome.refused
      if (outcome.acknowledged === 0) break
    }
    const status = await readyStatus(service.url, 503)
    run.unless(status === 503, () => `full disk: /ready answers ${status}`)
    await serves(subject, run, 'full disk')
    await rm(ballast)
    await recovered(subject, run, `full disk, round ${round}`)
  }
  // A long log that was copied is used again: its space takes some writes after the disk is full, and then no more.
  await makeClients(subject, run, 'a healthy disk', clientsOfLongLog)
  await after(idleBeforeCheckpointMs)
  await makeClients(subject, run, 'a healthy disk')
  await fillDisk(ballast)
  const status = await readyStatus(service.url, 503)
  run.unless(status === 503, () => `a disk that was filled under a long log: /ready answers ${status}`)
  await rm(ballast)
  await recovered(subject, run, 'a long log on a full disk')
  await subject.ledger.compare(service.url, run)
  await subject.traffic.compare(service, run, { all: true })
  await service.stop()
  return { 'times the disk was full': rounds + 1, 'writes refused on the full disk': refused }
}

async function fillDisk(ballast: string): Promise<void> {
  const file = await open(ballast, 'w')
  try {
    for (const size of [65_536, 4096]) {
      for (const piece = Buffer.alloc(size); ; ) await file.write(piece)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    await file.close()
  }
}

async function storeOptions(
  run: RunOptions,
): Promise<{ options: ServeOptions; dataFolder: string; gateway: MessageGateway }> {
  const dataFolder = await scratchFolder(run)
  const { parts, environment } = await startOperator(run)
  const gateway = await startMessageGateway(run)
  const settings = { dataFolder, simSwapReuseSeconds: 86_400, ...patient, ...unlimitedTraffic }
  return { options: { settings, parts: { ...parts, channels: gateway.channels }, environment }, dataFolder, gateway }
}

interface Subject {
  service: ServiceProcess
  tenantId: string
  client: IssuedCredentials
  ledger: Ledger
  traffic: AppTraffic
  acknowledged: number
}

/** A tenant, a calling client, a stored answer for reuse, a device report and a sign-in, so that there is data to read. */
async function prepare(service: ServiceProcess, gateway: MessageGateway, run: Judge): Promise<Subject> {
  const tenantId = await service.command('createTenant', 'disk')
  const client = await service.command('createClient', tenantId, 'client')
  const traffic = await appTraffic(service, gateway)
  // One client runs checks, the other reads reports.
  const subject = { service, tenantId, client, ledger: new Ledger(), traffic, acknowledged: 2 }
  while ((await askKept(subject)).age === null);
  await traffic.session(service.url, run)
  return subject
}

const askKept = ({ service, client }: Pick<Subject, 'service' | 'client'>) =>
  post(service.url, endpoints.simSwapCheck.path, client, { phoneNumber: ordinaryNumber(0) })

async function makeClients(subject: Subject, run: Judge, what: string, count = clientsPerRound) {
  const { service, tenantId, ledger, traffic } = subject
  let refused = 0
  let acknowledged = 0
  for (let made = 0; made < count; made++) {
    try {
      ledger.expect('accepted', await service.command('createClient', tenantId, 'written'))
      subject.acknowledged++
      acknowledged++
    } catch (error) {
      refused++
      const { name, message } = error as Error
      // The HTTP layer answers this error with 503.
      run.unless(name === 'StorageUnavailable', () => `${what}: a write fails with ${name}: ${message}`)
    }
  }
  // A device session and a sign-in take several commits each.
  refused += await traffic.refused(service.url, run)
  return { refused, acknowledged }
}

/** Reads work: from the store (a report, a stored answer) and from the operator, whose answer cannot be stored now. */
async function serves(subject: Subject, run: Judge, what: string): Promise<void> {
  await subject.traffic.serves(subject.service.url, run, what)
  const kept = await askKept(subject)
  run.unless(kept.status === 200 && kept.age !== null, () => `${what}: a stored answer is answered ${kept.status}`)
  const number = ordinaryNumber(1 + (subject.acknowledged % 5000))
  const fresh = await post(subject.service.url, endpoints.simSwapCheck.path, subject.client, { phoneNumber: number })
  run.unless(fresh.status === 200, () => `${what}: a check is answered ${fresh.status} ${fresh.text}`)
}

/** The next write works, and /ready answers 200. */
async function recovered(subject: Subject, run: Judge, what: string): Promise<void> {
  const { refused } = await makeClients(subject, run, `after ${what}`)
  run.unless(refused === 0, () => `after ${what}: ${refused} writes are still refused`)
  const status = await readyStatus(subject.service.url, 200)
  run.unless(status === 200, () => `after ${what}: /ready answers ${status}`)
}

/** What /ready answers, at the latest in a moment: it remembers for a second whether the store works. */
async function readyStatus(url: string, expected: number): Promise<number> {
  let last = 0
  const ask = async () => {
    last = (await fetch(`${url}/ready`)).status
    return last === expected
  }
  await happensWithin(readyWithinMs, ask)
  return last
}

const happensWithin = (ms: number, ask: () => Promise<boolean>) =>
  settlesWithin(ms, until(ask)).then(
    () => true,
    () => false,
  )

/** How many lines of the log are warnings or errors (levels of pino). */
const warningsIn = async (logFile: string) => (await readFile(logFile, 'utf8')).match(/"level":[456]0/g)?.length ?? 0

/** Whether there are more of them than `before`, at the latest in a moment. */
const warns = (logFile: string, before: number) =>
  happensWithin(loggedWithinMs, async () => (await warningsIn(logFile)) > before)

function rowsOf(dataFolder: string): number {
  using database = new DatabaseSync(join(dataFolder, sqliteFileName), { readOnly: true })
  return Number(database.prepare('select count(*) as n from client').get()?.n)
}

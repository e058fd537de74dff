// What happens at three times the capacity? The excess is refused at once, and accepted requests stay fast.

import { endpoints } from '@ringfence/contract'
import type { Settings } from '../server/src/config/settings.ts'
import { Complaints, type PromiseProgram, type RunOptions } from './promise.ts'
import { beginSession, goOn, makeCallers, repeatable, unlimitedApps } from './testbed/device-ledger.ts'
import { startInstantOperator } from './testbed/instant-operator.ts'
import { type LoadResult, offerLoad, requestText } from './testbed/load.ts'
import { ordinaryNumber } from './testbed/operator.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import { type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'

/** At capacity each connection sends its next request as soon as it has an answer. */
const connectionsAtCapacity = 64
const connectionsInExcess = 1000
const times = 3
const refusedWithinMs = 50

export const overload: PromiseProgram = {
  name: 'overload',
  promise: 'overload is refused: of 3 × the load, the excess gets 503 in under 50 ms, the accepted p99 at most doubles',
  async run(run) {
    const complaints = new Complaints()
    const figures = {
      ...(await overloaded('asked upstream', checks(0), complaints, run)),
      ...(run.full && (await overloaded('reused answer', checks(86_400), complaints, run))),
      ...(await overloaded('devices', deviceTraffic, complaints, run)),
    }
    return { figures, broken: complaints.lines }
  },
}

/** Which requests to send, and which settings they need. */
interface Traffic {
  readonly settings: Partial<Settings>
  requests(service: ServiceProcess, complaints: Complaints): Promise<string[]>
}

const checks = (simSwapReuseSeconds: number): Traffic => ({
  settings: { simSwapReuseSeconds },
  async requests(service) {
    const client = await service.command('createClient', await service.command('createTenant', 'load'), 'load')
    return Array.from({ length: 200 }, (_, index) =>
      requestText(endpoints.simSwapCheck.path, { ...client }, { phoneNumber: ordinaryNumber(index) }),
    )
  },
})

/** Short sessions: engine call and push, repeated as an SDK repeats them, and the report. */
const deviceTraffic: Traffic = {
  settings: unlimitedApps,
  async requests(service, complaints) {
    const callers = await makeCallers(service)
    const requests: string[] = []
    for (let session = 0; session < 20; session++) {
      const began = await beginSession(service.url, callers)
      const stopped = await goOn(service.url, began, callers, complaints)
      complaints.unless(stopped === undefined, () => `a session is not answered: ${JSON.stringify(stopped)}`)
      for (const { path, body, of } of repeatable(began)) {
        requests.push(requestText(path, of === 'sdk' ? began.client.headers : { ...callers.backend }, body))
      }
    }
    return requests
  },
}

async function overloaded(what: string, traffic: Traffic, complaints: Complaints, run: RunOptions) {
  const parts = await startInstantOperator(run)
  const dataFolder = await scratchFolder(run)
  const settings = { dataFolder, clientRatePerSecond: 1_000_000, ...traffic.settings }
  const service = await startServiceProcess({ settings, parts, environment: { SANDBOX_SECRET: 'none' } }, run)
  const requests = await traffic.requests(service, complaints)
  const { url } = service
  // In the first moments of a rush the server accepts everything; that is not what this program measures.
  const time = run.full ? { settlesInMs: 1000, durationMs: 4000 } : { settlesInMs: 0, durationMs: 500 }
  const atCapacity = () => offerLoad({ url, requests, connections: connectionsAtCapacity, ...time })
  await atCapacity() // warms up the compiler

  const rounds: { capacity: LoadResult; excess: LoadResult }[] = []
  for (let round = 0; round < (run.full ? 7 : 1); round++) {
    const capacity = await atCapacity()
    const perSecond = (times * accepted(capacity).count * 1000) / capacity.elapsedMs
    // A short run knows no capacity, because other tests use the machine; this many connections are too many anywhere.
    const pace = run.full ? { perSecond } : {}
    const excess = await offerLoad({ url, requests, connections: connectionsInExcess, ...time, ...pace })
    rounds.push({ capacity, excess })
    run.say(`${what}: at capacity ${summary(capacity)}; of ${Math.round(offered(excess))}/s offered ${summary(excess)}`)
  }

  for (const { excess } of rounds) {
    const others = Object.keys(excess.refused).filter((status) => status !== '503')
    complaints.unless(others.length === 0, () => `${what}: answers of status ${others}`)
    complaints.unless(refused(excess).count > 0, () => `${what}: nothing was refused`)
    complaints.unless(accepted(excess).count + excess.failed.count > 0, () => `${what}: nothing was accepted`)
    complaints.unless(
      excess.withoutRetryAfter === 0,
      () => `${what}: ${excess.withoutRetryAfter} 503 without Retry-After`,
    )
    complaints.unless(excess.dropped === 0, () => `${what}: ${excess.dropped} requests were never answered`)
  }
  const ratio = median(rounds.map(({ capacity, excess }) => accepted(excess).p99Ms / accepted(capacity).p99Ms))
  const refusedMs = median(rounds.map(({ excess }) => refused(excess).p99Ms))
  // In a short run other tests use the machine at the same time, so times mean nothing.
  if (run.full) {
    complaints.unless(ratio <= 2, () => `${what}: the accepted p99 is ${ratio} times that at capacity`)
    const failed = rounds.reduce((sum, { excess }) => sum + excess.failed.count, 0)
    complaints.unless(failed === 0, () => `${what}: ${failed} checks were accepted and then failed`)
    complaints.unless(refusedMs < refusedWithinMs, () => `${what}: the p99 of refusals is ${refusedMs} ms`)
  }
  const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value))
  return {
    [`answers/s at capacity (${what})`]: Math.round(of(({ capacity }) => rate(capacity))),
    [`offered, × capacity (${what})`]: of(({ capacity, excess }) => offered(excess) / rate(capacity)).toFixed(1),
    [`accepted answers/s (${what})`]: Math.round(of(({ excess }) => rate(excess))),
    [`p99 at capacity, ms (${what})`]: ms(of(({ capacity }) => accepted(capacity).p99Ms)),
    [`accepted p99, ms (${what})`]: ms(of(({ excess }) => accepted(excess).p99Ms)),
    [`ratio to the p99 at capacity (${what})`]: ratio.toFixed(2),
    [`refused p99, ms (${what})`]: ms(refusedMs),
  }
}

const none = { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 }
const accepted = ({ succeeded }: LoadResult) => succeeded
const refused = ({ refused }: LoadResult) => refused[503] ?? none
const rate = (result: LoadResult) => Math.round((accepted(result).count * 1000) / result.elapsedMs)
const offered = ({ sent, runMs }: LoadResult) => (sent * 1000) / runMs
const summary = (result: LoadResult) =>
  `${rate(result)}/s accepted, p99 ${ms(accepted(result).p99Ms)} ms, others refused, p99 ${ms(refused(result).p99Ms)} ms`
const ms = (value: number) => value.toFixed(1)
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

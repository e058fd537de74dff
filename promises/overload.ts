// What happens at three and ten times the capacity, and under half-sent requests? The capacity is left for those who are accepted.

import { endpoints, readSamples } from '@ringfence/contract'
import type { Settings } from '../server/src/config/settings.ts'
import { Complaints, type PromiseProgram, type RunOptions } from './promise.ts'
import { beginSession, goOn, makeCallers, repeatable, unlimitedApps } from './testbed/device-ledger.ts'
import { sendHalves } from './testbed/half-sent.ts'
import { startInstantOperator } from './testbed/instant-operator.ts'
import { post } from './testbed/ledger.ts'
import { type Load, type LoadResult, offerLoad, requestText } from './testbed/load.ts'
import { ordinaryNumber } from './testbed/operator.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import { type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'

/** At capacity each connection sends its next request as soon as it has an answer. */
const connectionsAtCapacity = 64
const connectionsInExcess = 1000
/** Of clients that ignore Retry-After and send the next request at once. */
const connectionsThatHammer = [128, 512, 2048]
const refusedWithinMs = 50
const leastGoodput = 0.85

export const overload: PromiseProgram = {
  name: 'overload',
  promise:
    'overload is refused: at 3 × and 10 × the load, and beside 2,100 half-sent requests, 85 % of the capacity is left, the accepted p99 at most doubles, and a refusal takes under 50 ms',
  async run(run) {
    const complaints = new Complaints()
    const figures = {
      ...(await overloaded('tokens', tokenTraffic, complaints, run)),
      ...(run.full && (await overloaded('asked upstream', checks(0), complaints, run))),
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

const tokenTraffic: Traffic = {
  settings: {},
  async requests(service, complaints) {
    const client = await service.command('createClient', await service.command('createTenant', 'load'), 'load')
    const login = readSamples().IssueTokenRequest!.ordinary
    return Promise.all(
      Array.from({ length: 200 }, async () => {
        const { status, text } = await post(service.url, endpoints.issueToken.path, client, login as object)
        complaints.unless(status === 200, () => `a token is not issued: ${status} ${text}`)
        const { token } = JSON.parse(text) as { token: string }
        return requestText(endpoints.validateToken.path, { ...client }, { token })
      }),
    )
  },
}

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
  // The clients are many behind one IP address, so they count as a proxy. The attacker has another address.
  const settings = { dataFolder, trustedProxies: '127.0.0.1', clientRatePerSecond: 1_000_000, ...traffic.settings }
  const service = await startServiceProcess({ settings, parts, environment: { SANDBOX_SECRET: 'none' } }, run)
  const requests = await traffic.requests(service, complaints)
  const { url } = service
  const time = run.full ? { settlesInMs: 1000, durationMs: 4000 } : { settlesInMs: 0, durationMs: 300 }
  const cpuSeconds = () => service.command('cpuSeconds')
  const offer = async (load: Partial<Load>) => {
    const before = await cpuSeconds()
    const result = await offerLoad({ url, requests, connections: connectionsAtCapacity, ...time, ...load })
    return { ...result, serverSeconds: (await cpuSeconds()) - before }
  }
  const capacityOf = () => offer({})
  await capacityOf() // warms up the compiler

  const figures: Record<string, number | string> = {}
  const compare = async (name: string, isHammered: boolean, load: (perSecond: number) => Promise<Measured>) => {
    const rounds: Round[] = []
    for (let round = 0; round < (run.full ? 3 : 1); round++) {
      const capacity = await capacityOf()
      const excess = await load(rate(capacity))
      rounds.push({ capacity, excess })
      run.say(`${what}, ${name}: at capacity ${summary(capacity)}; then ${summary(excess)}`)
    }
    judge(`${what}, ${name}`, rounds, complaints, { isFull: run.full, isHammered })
    Object.assign(figures, figuresOf(`${what}, ${name}`, rounds))
  }

  for (const times of run.full ? [3, 10] : [3]) {
    // A short run knows no capacity, because other tests use the machine; this many connections are too many anywhere.
    const pace = (perSecond: number) => (run.full ? { perSecond: times * perSecond } : {})
    await compare(`${times} ×`, false, (perSecond) =>
      offer({ connections: connectionsInExcess, honoursRetryAfter: true, ...pace(perSecond) }),
    )
  }
  for (const connections of run.full ? connectionsThatHammer : []) {
    await compare(`${connections} connections that ignore Retry-After`, true, () => offer({ connections }))
  }
  await compare('beside half-sent requests', false, async () => {
    const attack = await sendHalves(url, run.full ? 2100 : 300)
    const result = await offer({})
    attack.end()
    complaints.unless(attack.open() <= 2100, () => 'more connections are open than were opened')
    return result
  })
  return figures
}

type Measured = LoadResult & { serverSeconds: number }
interface Round {
  capacity: Measured
  excess: Measured
}

function judge(
  what: string,
  rounds: readonly Round[],
  complaints: Complaints,
  { isFull, isHammered }: { isFull: boolean; isHammered: boolean },
): void {
  for (const { excess } of rounds) {
    const others = Object.keys(excess.refused).filter((status) => status !== '503')
    complaints.unless(others.length === 0, () => `${what}: answers of status ${others}`)
    complaints.unless(accepted(excess).count + excess.failed.count > 0, () => `${what}: nothing was accepted`)
    complaints.unless(
      excess.withoutRetryAfter === 0,
      () => `${what}: ${excess.withoutRetryAfter} 503 without Retry-After`,
    )
    complaints.unless(excess.dropped === 0, () => `${what}: ${excess.dropped} requests were never answered`)
  }
  // In a short run other tests use the machine at the same time, so times mean nothing.
  if (!isFull) return
  const goodput = median(rounds.map(goodputOf))
  complaints.unless(goodput >= leastGoodput, () => `${what}: ${per100(goodput)} of the capacity is left`)
  const failed = rounds.reduce((sum, { excess }) => sum + excess.failed.count, 0)
  complaints.unless(failed === 0, () => `${what}: ${failed} checks were accepted and then failed`)
  // Connections that hammer wait for their refusal, so that it does not cost the others' time.
  if (isHammered) return
  const ratio = median(rounds.map(ratioOf))
  complaints.unless(ratio <= 2, () => `${what}: the accepted p99 is ${ratio} times that at capacity`)
  const refusedMs = median(rounds.map(({ excess }) => refused(excess).p99Ms))
  complaints.unless(refusedMs < refusedWithinMs, () => `${what}: the p99 of refusals is ${refusedMs} ms`)
}

function figuresOf(what: string, rounds: readonly Round[]): Record<string, number | string> {
  const of = (value: (round: Round) => number) => median(rounds.map(value))
  return {
    [`answers/s at capacity (${what})`]: Math.round(of(({ capacity }) => rate(capacity))),
    [`accepted answers/s (${what})`]: Math.round(of(({ excess }) => rate(excess))),
    [`of the capacity (${what})`]: per100(of(goodputOf)),
    [`answers per CPU-second, of those at capacity (${what})`]: per100(
      of(({ capacity, excess }) => perCpuSecond(excess) / perCpuSecond(capacity)),
    ),
    [`refused/s (${what})`]: Math.round(of(({ excess }) => (refused(excess).count * 1000) / excess.elapsedMs)),
    [`p99 at capacity, ms (${what})`]: ms(of(({ capacity }) => accepted(capacity).p99Ms)),
    [`accepted p99, ms (${what})`]: ms(of(({ excess }) => accepted(excess).p99Ms)),
    [`refused p99, ms (${what})`]: ms(of(({ excess }) => refused(excess).p99Ms)),
  }
}

const none = { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 }
const accepted = ({ succeeded }: LoadResult) => succeeded
const refused = ({ refused }: LoadResult) => refused[503] ?? none
const rate = (result: LoadResult) => Math.round((accepted(result).count * 1000) / result.elapsedMs)
const goodputOf = ({ capacity, excess }: Round) => rate(excess) / rate(capacity)
const ratioOf = ({ capacity, excess }: Round) => accepted(excess).p99Ms / accepted(capacity).p99Ms
const perCpuSecond = ({ serverSeconds, runMs, ...result }: Measured) =>
  (rate({ runMs, ...result }) * runMs) / 1000 / serverSeconds
const summary = (result: LoadResult) =>
  `${rate(result)}/s accepted, p99 ${ms(accepted(result).p99Ms)} ms, ${refused(result).count} refused, p99 ${ms(refused(result).p99Ms)} ms`
const ms = (value: number) => value.toFixed(1)
const per100 = (share: number) => `${Math.round(100 * share)} %`
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

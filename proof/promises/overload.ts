// What happens at three and ten times the capacity, and under half-sent requests? The capacity is left for those who are accepted.

import { endingWith, type Judge, type PromiseProgram, type RunOptions } from './promise.ts'
import { type Load, type LoadResult, offerLoad } from './testbed/load.ts'
import { sendHalves } from './testbed/overload/half-sent.ts'
import {
  goals,
  type Measured,
  type Measures,
  measuresOf,
  per100,
  type Round,
  rate,
  rowOf,
  summary,
} from './testbed/overload/measures.ts'
import { coresShared, type Placement, placements } from './testbed/overload/placement.ts'
import { partsOfTraffic, type Traffic, traffics } from './testbed/overload/traffic.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import { type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'

/** At capacity each connection sends its next request as soon as it has an answer. */
const connectionsAtCapacity = 64
const connectionsInExcess = 1000
/** Of clients that ignore Retry-After and send the next request at once. */
const connectionsThatHammer = [32, 128, 512, 1024, 2048]
const halfSent = 2100

export const overload: PromiseProgram = {
  name: 'overload',
  promise:
    'overload is refused: at 3 × and 10 × the load, and beside 2,100 half-sent requests, 85 % of the capacity is left, the accepted p99 at most doubles, and a refusal takes under 50 ms and 15 µs of CPU',
  async run(run) {
    const table: Record<string, string | number>[] = []
    const { of, missing } = run.full ? await placements() : { of: [coresShared], missing: undefined }
    for (const placement of of) {
      for (const traffic of traffics) {
        if (run.full || traffic.inShortRun) table.push(...(await overloaded(traffic, placement, run)))
      }
    }
    return { figures: { loads: table.length }, table, ...(missing && { skipped: missing }) }
  },
}

/** A way to send more than the service can answer. */
interface Excess {
  readonly name: string
  /** Its clients wait after a 503, so their refusals and answers have to be fast. Those of others wait for their turn. */
  readonly isPatient: boolean
  offer(stage: Stage, perSecond: number): Promise<Measured>
}

/** The service under load. */
interface Stage {
  readonly service: ServiceProcess
  offer(load: Partial<Load>): Promise<Measured>
}

function excesses(full: boolean): readonly Excess[] {
  const paced = (times: number): Excess => ({
    name: `${times} ×`,
    isPatient: true,
    // A short run knows no capacity, because other tests use the machine; this many connections are too many anywhere.
    offer: ({ offer }, perSecond) =>
      offer({
        connections: connectionsInExcess,
        honoursRetryAfter: true,
        ...(full && { perSecond: times * perSecond }),
      }),
  })
  const hammering = (connections: number): Excess => ({
    name: `${connections} connections`,
    isPatient: false,
    offer: ({ offer }) => offer({ connections }),
  })
  const besideHalves: Excess = {
    name: `${halfSent} half-sent`,
    isPatient: true,
    async offer({ service, offer }) {
      const attack = await sendHalves(service.url, full ? halfSent : 300)
      try {
        return await offer({})
      } finally {
        attack.end()
      }
    },
  }
  return full ? [paced(3), paced(10), ...connectionsThatHammer.map(hammering), besideHalves] : [paced(3), besideHalves]
}

async function overloaded(traffic: Traffic, placement: Placement, run: RunOptions) {
  await using ending = new AsyncDisposableStack()
  const own: RunOptions = { ...run, ...endingWith(ending) }
  await placement.begin(own)
  const stage = await setStage(traffic, placement, own)
  const rounds = new Map(excesses(run.full).map((excess) => [excess, [] as Round[]]))
  await stage.offer({}) // warms up the compiler
  for (let round = 0; round < (run.full ? 3 : 1); round++) {
    let capacity = await stage.offer({})
    for (const [at, [excess, measured]] of [...rounds].entries()) {
      // Every second one follows its own capacity, the others that of their neighbour.
      if (at % 2 === 0 && at > 0) capacity = await stage.offer({})
      measured.push({ capacity, excess: await excess.offer(stage, rate(capacity)) })
    }
    run.say(`${traffic.name}, ${placement.name}, round ${round + 1}: at capacity ${summary(capacity)}`)
  }
  return [...rounds].map(([excess, measured]) => {
    const what = `${traffic.name}, ${placement.name}, ${excess.name}`
    for (const each of measured) judgeAnswers(what, each.excess, run)
    const measures = measuresOf(measured)
    // In a short run other tests use the machine at the same time, so times mean nothing.
    if (run.full) judge(what, measures, excess, run)
    return rowOf(what, measures)
  })
}

async function setStage(traffic: Traffic, placement: Placement, run: RunOptions): Promise<Stage> {
  const parts = await partsOfTraffic(run)
  const dataFolder = await scratchFolder(run)
  // The clients are many behind one IP address, so they count as a proxy. The attacker has another address.
  const settings = { dataFolder, trustedProxies: '127.0.0.1', clientRatePerSecond: 1_000_000, ...traffic.settings }
  const options = { settings, parts, environment: { SANDBOX_SECRET: 'none' } }
  const service = await startServiceProcess(options, run, placement.wrapper)
  const requests = await traffic.requests(service, run)
  // All connections send at once in the beginning; overload is what remains of that burst.
  const time = { settlesInMs: 500, durationMs: run.full ? 1500 : 300 }
  const defaults = { url: service.url, requests, connections: connectionsAtCapacity, ...time }
  return {
    service,
    async offer(load) {
      let before = 0
      const result = await offerLoad({ ...defaults, ...load }, async () => {
        before = await service.command('cpuSeconds')
      })
      return { ...result, serverSeconds: (await service.command('cpuSeconds')) - before }
    },
  }
}

/** Nothing but answers and complete refusals. */
function judgeAnswers(what: string, excess: LoadResult, run: Judge): void {
  const others = Object.keys(excess.refused).filter((status) => status !== '503')
  run.unless(others.length === 0, () => `${what}: answers of status ${others}`)
  // Of the whole run: on a busy machine, what is accepted at first may outlast a short measurement.
  run.unless(excess.answered.succeeded > 0, () => `${what}: nothing was accepted`)
  run.unless(excess.withoutRetryAfter === 0, () => `${what}: ${excess.withoutRetryAfter} 503 without Retry-After`)
  run.unless(excess.dropped === 0, () => `${what}: ${excess.dropped} requests were never answered`)
}

function judge(what: string, measures: Measures, { isPatient }: Excess, run: Judge): void {
  const { goodput, failed, acceptedRatio, refusedP99Ms, refusalUs = 0 } = measures
  run.unless(goodput >= goals.goodput, () => `${what}: ${per100(goodput)} of the capacity is left`)
  run.unless(failed === 0, () => `${what}: ${failed} checks were accepted and then failed`)
  run.unless(refusalUs <= goals.refusalUs, () => `${what}: a refusal costs ${Math.round(refusalUs)} µs of CPU`)
  // Connections that hammer wait for their refusal, so that it does not cost the others' time.
  if (!isPatient) return
  run.unless(
    acceptedRatio <= goals.acceptedRatio,
    () => `${what}: the accepted p99 is ${acceptedRatio.toFixed(1)} times that at capacity`,
  )
  run.unless(refusedP99Ms < goals.refusedMs, () => `${what}: the p99 of refusals is ${refusedP99Ms} ms`)
}

// What does one request cost at most, and how long do others wait beside a flood of it? Every endpoint, with wide, deep, long and full bodies.

import { median } from '../quantiles.ts'
import type { Outcome, PromiseProgram, RunOptions } from './promise.ts'
import { unlimitedTraffic } from './testbed/app-traffic.ts'
import { makeCallers, ordinaryCall, type Sender, send, senders } from './testbed/cost/callers.ts'
import { type CostCase, casesOf, everyEndpoint } from './testbed/cost/cases.ts'
import { startFlood } from './testbed/cost/flooding-thread.ts'
import { startOperator } from './testbed/operator.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'
import type { Commands } from './testbed/serve.ts'
import { type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'

/** CPU milliseconds of one request. */
const mostBeforeKnownMs = 5
const mostAfterMs = 20
/**
 * They hash on purpose slowly, or read rules, in a thread of low priority, one at a time (decision 0093). What that thread does is
 * reported, and what others wait beside a flood of them is judged; the bounds hold for the rest.
 */
const inTurns = /^\/admin\/v1\/(sign-in|privacy\/erase|rules\/check)$/
/** What others wait beside a flood, as a multiple of what they wait alone. */
const mostWaits = 3

export const cost: PromiseProgram = {
  name: 'cost',
  promise: `a request is cheap: at most ${mostBeforeKnownMs} ms of CPU before its sender is known and ${mostAfterMs} ms after; beside a flood, others wait at most ${mostWaits} times as long`,
  async run(run) {
    const measured = await measureAll(run)
    const worst = (isKnown: boolean) =>
      measured.filter(({ sender }) => (sender === 'right') === isKnown).toSorted((a, b) => totalOf(b) - totalOf(a))
    const [ofStrangers, ofKnown] = [worst(false), worst(true)]
    const floods = await floodWith([...ofStrangers.slice(0, 2), ...ofKnown.slice(0, run.full ? 8 : 1)], run)
    const failed = measured.filter(({ status }) => status >= 500 && status !== 503)
    return {
      figures: {
        endpoints: everyEndpoint.length,
        requests: measured.length,
        'worst CPU before the sender is known, ms': told(ofStrangers[0]),
        'worst CPU after, ms': told(ofKnown[0]),
        ...Object.fromEntries(
          floods.map(({ name, alone, beside }) => [`others beside ${name}, ms`, `${alone} → ${beside}`]),
        ),
      },
      table: [...ofStrangers.slice(0, run.full ? 15 : 3), ...ofKnown.slice(0, run.full ? 40 : 5)].map(rowOf),
      broken: [
        ...failed.map((each) => `answered ${each.status}: ${nameOf(each)}`),
        ...(run.full ? judged(ofStrangers, mostBeforeKnownMs) : []),
        ...(run.full ? judged(ofKnown, mostAfterMs) : []),
        ...(run.full ? floods : [])
          .filter(({ alone, beside }) => beside > mostWaits * alone)
          .map(({ name, alone, beside }) => `others wait ${beside} ms beside ${name}, and ${alone} ms alone`),
      ],
    } satisfies Outcome
  },
}

interface Measured {
  readonly from: CostCase
  readonly sender: Sender
  readonly status: number
  /** CPU of the event loop, and of other threads. */
  readonly loopMs: number
  readonly othersMs: number
}

const totalOf = ({ loopMs, othersMs }: Measured) => rounded(loopMs + othersMs)
const judgedMs = (each: Measured) => (inTurns.test(each.from.endpoint.path) ? each.loopMs : totalOf(each))
const nameOf = ({ from, sender }: Pick<Measured, 'from' | 'sender'>) =>
  `${from.endpoint.method} ${from.endpoint.path}, ${from.shape}, credentials: ${sender}`
const told = (each: Measured | undefined) => (each ? `${totalOf(each)} (${nameOf(each)})` : 'nothing')
const rowOf = (each: Measured) => ({
  endpoint: `${each.from.endpoint.method} ${each.from.endpoint.path}`,
  request: each.from.shape,
  credentials: each.sender,
  bytes: each.from.body?.length ?? each.from.path.length,
  status: each.status,
  'CPU of the event loop, ms': each.loopMs,
  'of other threads, ms': each.othersMs,
})
const judged = (all: readonly Measured[], most: number) =>
  all
    .filter((each) => judgedMs(each) > most)
    .map((each) => `${judgedMs(each)} ms of CPU, at most ${most} promised: ${nameOf(each)}`)

const fromHere = { 'x-forwarded-for': '198.51.100.7' }

async function startService(run: RunOptions, limits: object): Promise<ServiceProcess> {
  const { parts, environment } = await startOperator(run)
  return startServiceProcess(
    {
      parts,
      environment,
      settings: {
        dataFolder: await scratchFolder(run),
        trustedProxies: '127.0.0.1',
        batchConcurrency: 1,
        ...limits,
      },
    },
    run,
  )
}

type Cpu = Awaited<ReturnType<Commands['cpuMs']>>

/** Less than this between two looks is nothing that a request began. */
const restMs = 0.1

/** The median cost of each case and sender, one after the other. */
async function measureAll(run: RunOptions): Promise<Measured[]> {
  const service = await startService(run, {
    ...{ ...unlimitedTraffic, clientRatePerSecond: 1_000_000, overloadDelayMs: 60_000 },
  })
  const { makeReady } = await makeCallers(service, fromHere)
  const cpuMs = () => service.command('cpuMs')
  /** Threads may work on after an answer: for the next one, or to end what this one began. */
  async function whenOthersRest(last: Cpu): Promise<Cpu> {
    const next = await cpuMs()
    return next.others - last.others < restMs ? next : whenOthersRest(next)
  }
  /** The first one also pays for compiling code. */
  const times = run.full ? 6 : 2
  /** What measuring itself costs. */
  const idle = median(await repeated(21, async () => -(await cpuMs()).loop + (await cpuMs()).loop))
  const measured: Measured[] = []
  for (const [place, endpoint] of everyEndpoint.entries()) {
    if (!run.full && place % 6 !== 0) continue
    if (run.full && place % 25 === 0) run.say(`${place} of ${everyEndpoint.length} endpoints`)
    for (const from of casesOf(endpoint)) {
      for (const sender of senders) {
        if (!isTried(from, sender, run)) continue
        let status = 0
        const took = await repeated(times, async () => {
          const ready = await makeReady(from, sender)
          const before = await cpuMs()
          status = await send(ready)
          const after = await cpuMs()
          const { others } = await whenOthersRest(after)
          return { loop: after.loop - before.loop - idle, others: others - before.others }
        })
        const of = (part: keyof Cpu) => rounded(median(took.slice(1).map((each) => each[part])))
        measured.push({ from, sender, status, loopMs: of('loop'), othersMs: of('others') })
      }
    }
  }
  await service.stop()
  return measured
}

/** A stranger's request is refused at its head, so a few shapes are enough. Whoever needs no credentials has none. */
function isTried({ endpoint, shape }: CostCase, sender: Sender, { full }: RunOptions): boolean {
  const isAnyone = endpoint.caller === 'anyone' || Reflect.get(endpoint, 'permission') === 'anyone'
  if (isAnyone) return sender === 'none'
  const isOfStranger = /^(too wide|long|wide|too wide form|many lines)$/.test(shape)
  if (!full)
    return sender === 'right' ? shape === 'wide' || / full$/.test(shape) : shape === 'too wide' && sender === 'none'
  return sender === 'right' || isOfStranger
}

interface Flood {
  readonly name: string
  readonly alone: number
  readonly beside: number
}

const floodConnections = 16

/** What a decision of another tenant takes alone, and beside a flood of each of these from one IP address. Limits are the defaults. */
async function floodWith(worst: readonly Measured[], run: RunOptions): Promise<Flood[]> {
  const service = await startService(run, {})
  const attacker = await makeCallers(service, fromHere)
  const neighbour = await makeCallers(service)
  const ask = async () => {
    const startedAt = performance.now()
    const status = await ordinaryCall(service, neighbour.client, '203.0.113.9')
    return { ms: performance.now() - startedAt, status }
  }
  const msOf = async (count: number) => median((await repeated(count, ask)).map(({ ms }) => ms))
  await msOf(50)
  const floods: Flood[] = []
  for (const { from, sender } of worst) {
    const alone = await msOf(run.full ? 100 : 20)
    const requests = await Promise.all(
      Array.from({ length: run.full ? 150 : 20 }, () => attacker.makeReady(from, sender).catch(() => undefined)),
    )
    const flood = await startFlood({
      requests: requests.filter((ready) => ready !== undefined),
      connections: floodConnections,
    })
    let isOver = false
    const over = flood.over.then(() => {
      isOver = true
    })
    const waited: number[] = []
    while (!isOver || waited.length < 3) waited.push((await ask()).ms)
    await over
    floods.push({ name: nameOf({ from, sender }), alone: rounded(alone), beside: rounded(median(waited)) })
  }
  await service.stop()
  return floods
}

async function repeated<Value>(times: number, work: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = []
  while (values.length < times) values.push(await work())
  return values
}
const rounded = (ms: number) => Math.round(ms * 10) / 10

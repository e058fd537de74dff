// What happens when an operator is slow, broken or gone? Its checks fail in the specified shape within the deadline; others work.

import { setTimeout as after } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { operators } from '@ringfence/sandbox'
import type { Config } from '../../server/src/core/config/config.ts'
import type { Settings } from '../../server/src/core/config/settings.ts'
import { outboxChannels } from '../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '../../server/src/testing/databases.ts'
import { sdkClient } from '../../server/src/testing/sdk-client.ts'
import { startTestService, type TestAnswer, type TestService } from '../../server/src/testing/test-service.ts'
import type { Judge, PromiseProgram, RunOptions } from './promise.ts'
import { answerShapes } from './testbed/answer-shape.ts'
import { unlimitedTraffic } from './testbed/app-traffic.ts'
import { forGood, sandboxUpstream, tlsUpstream, type Upstream, unresolvedUpstream } from './testbed/ill-upstreams.ts'
import { latenciesOf } from './testbed/load.ts'
import { ordinaryNumber } from './testbed/operator.ts'

export const upstreamFaults: PromiseProgram = {
  name: 'upstream-faults',
  promise: 'an upstream cannot hurt us: a specified answer within the deadline, other operators unharmed, recovery',
  async run(run) {
    const figures: Figures = { answers: 0, lateMs: [], neighbourMs: [], undisturbedMs: [], sessions: 0, recovered: 0 }
    let faults = 0
    for (const upstream of [sandboxUpstream, tlsUpstream, unresolvedUpstream]) {
      const stage = await setStage(await upstream(run), run)
      for (const { name, begin, end } of stage.faults) {
        faults++
        for (const aim of ['the check', 'the access token'] as const) {
          const what = `${name} at ${aim}`
          await begin(aim)
          await Promise.all([
            askIll(stage, what, figures, run),
            askNeighbour(stage, what, figures, run, run.full ? 400 : 40),
          ])
          await end()
          if (end !== forGood) await recover(stage, what, figures, run)
        }
      }
      run.say(`${faults} faults, ${figures.answers} answers of the specified shape`)
    }
    await hangingOperator(run)
    const late = latenciesOf(figures.lateMs)
    const neighbour = latenciesOf(figures.neighbourMs)
    // In a short run other tests use the machine at the same time.
    const slackMs = run.full ? 50 : 2000
    run.unless(late.maxMs <= slackMs, () => `an answer came ${late.maxMs} ms after its deadline`)
    const undisturbed = latenciesOf(figures.undisturbedMs)
    return {
      figures: {
        faults,
        'answers of a faulty upstream, all as specified': figures.answers,
        'latest answer, ms after its deadline': round(late.maxMs),
        'neighbour’s checks meanwhile, all well': neighbour.count,
        'neighbour undisturbed, p50 and p99, ms': `${round(undisturbed.p50Ms)} ${round(undisturbed.p99Ms)}`,
        'neighbour during the faults, p50 and p99, ms': `${round(neighbour.p50Ms)} ${round(neighbour.p99Ms)}`,
        'sessions of SDKs and sign-ins meanwhile, all well': figures.sessions,
        'times recovered': figures.recovered,
      },
    }
  },
}

interface Figures {
  answers: number
  lateMs: number[]
  neighbourMs: number[]
  undisturbedMs: number[]
  sessions: number
  recovered: number
}

const round = (ms: number) => Math.round(ms * 10) / 10
const deadlineMs = 1_200
const { simSwapCheck, callForwardingCheck, portability } = endpoints
const shapes = answerShapes()

/** Two services: one with a faulty and a healthy operator, one with a faulty portability source. */
interface Stage extends Upstream {
  operator: TestService
  source: TestService
}

const illNumber = ordinaryNumber(1)
const wellNumber = ordinaryNumber(2)

async function setStage(upstream: Upstream, run: RunOptions, more: Partial<Settings> = {}): Promise<Stage> {
  const [north, south] = operators
  const { sandbox: _, ...sourceParts } = upstream.parts
  const illOperator = (parts: Omit<Config, 'settings'>) => ({
    ...parts,
    channels: outboxChannels,
    connectors: {
      ill: { type: 'camara', ...upstream.parts, simSwap: {}, callForwarding: {} },
      well: parts.connectors.sandbox!,
    },
    operators: [
      { id: north!.id, name: north!.name, connector: 'ill' },
      { id: south!.id, name: south!.name, connector: 'well' },
    ],
  })
  const illSource = (parts: Omit<Config, 'settings'>) => ({
    ...parts,
    portabilitySources: { ill: { type: 'sandbox', ...sourceParts } },
  })
  // Other processes on this machine must not count as overload, nor its 2,000 connections as those of an attacker.
  const settings = { ...unlimitedTraffic, overloadDelayMs: 60_000, trustedProxies: '127.0.0.1', ...more }
  const operator = await startTestService(run, await sqliteDatabases.open(run), { edit: illOperator, settings })
  const source = await startTestService(run, await sqliteDatabases.open(run), { edit: illSource, settings })
  operator.sandbox.lines.change(illNumber, { operator: north!, homeOperator: north! })
  operator.sandbox.lines.change(wellNumber, { operator: south!, homeOperator: south! })
  return { ...upstream, operator, source }
}

const header = { 'x-ringfence-deadline-ms': String(deadlineMs) }

/** The three checks at once; each needs the faulty upstream. */
async function askIll({ operator, source }: Stage, what: string, figures: Figures, run: RunOptions): Promise<void> {
  // A token from before the fault must not hide it.
  for (const service of [operator, source]) service.clock.advance({ hours: 2 })
  const asked = [
    { service: operator, path: simSwapCheck.path, code: 'P7314' },
    { service: operator, path: callForwardingCheck.path, code: 'P7334' },
    { service: source, path: simSwapCheck.path, code: 'P7301' },
    { service: source, path: callForwardingCheck.path, code: 'P7301' },
    { service: source, path: portability.path, code: 'P7301' },
  ]
  await Promise.all(
    asked.map(async ({ service, path, code }) => {
      const atDeadline = after(deadlineMs).then(() => performance.now())
      const { status, body } = await service.post(path, { phoneNumber: illNumber }, header)
      const answeredAt = performance.now()
      // A machine that is busy is late with the deadline itself.
      figures.lateMs.push(answeredAt - (await atDeadline))
      figures.answers++
      const misfit = shapes.misfit(path, status, JSON.stringify(body))
      run.unless(misfit === undefined, () => `${what}: ${path}: ${misfit}`)
      const said = body.error?.errorCode
      // On a busy machine the healthy source may be late now and then.
      run.unless(
        said === code || (said === 'P7301' && !run.full),
        () => `${what}: ${path}: ${JSON.stringify(body)} instead of ${code}`,
      )
    }),
  )
}

/** The healthy operator, first alone, then while its neighbour gets more calls than its bulkhead allows. */
async function askNeighbour(
  { operator }: Stage,
  what: string,
  figures: Figures,
  run: Judge,
  askers: number,
): Promise<void> {
  const ask = async (timesMs: number[]) => {
    const startedAt = performance.now()
    const { body } = await operator.post(simSwapCheck.path, { phoneNumber: wellNumber })
    timesMs.push(performance.now() - startedAt)
    run.unless(body.swapped === false, () => `${what}: the neighbour is answered ${JSON.stringify(body)}`)
  }
  for (let count = 0; count < 5; count++) await ask(figures.undisturbedMs)
  const rush = Array.from({ length: askers }, async (_, index) => {
    // Different windows, so that they do not share one call.
    const maxAge = 1 + index
    const { status, body } = await operator.post(simSwapCheck.path, { phoneNumber: illNumber, maxAge }, header)
    const misfit = shapes.misfit(simSwapCheck.path, status, JSON.stringify(body))
    run.unless(status === 200 && misfit === undefined, () => `${what}: one of many is answered ${status}, ${misfit}`)
    figures.answers++
  })
  await after(20) // until the burst has arrived
  for (let count = 0; count < 5; count++) await ask(figures.neighbourMs)
  await visitApp(operator, what, figures, run)
  await Promise.all(rush)
}

/** A session of an SDK and a sign-in, which need no operator. */
async function visitApp(service: TestService, what: string, figures: Figures, run: Judge): Promise<void> {
  try {
    const sdk = await sdkClient(service)
    await sdk.fingerprint()
    const identity = { type: 'MOBILE', value: wellNumber }
    const started = await sdk.post(endpoints.signInStart.path, { channel: 'OTP', identity })
    const otp = /^\d+/.exec(service.parts.signIn.outbox.messages().at(-1)?.text ?? '')?.[0]
    const { transactionId } = started.body
    const { status, body } = await sdk.post(endpoints.signInVerify.path, { transactionId, otp })
    run.unless(status === 200, () => `${what}: a sign-in is answered ${status} ${JSON.stringify(body)}`)
    figures.sessions++
  } catch (error) {
    run.unless(false, () => `${what}: a session of an SDK is ${(error as Error).message}`)
  }
}

/** The checks recover without help after the circuit's longest pause. */
async function recover({ operator, source }: Stage, what: string, figures: Figures, run: Judge) {
  for (const { path } of [simSwapCheck, callForwardingCheck, portability]) {
    for (const service of [operator, source]) {
      let answer = { body: {} } as Pick<TestAnswer, 'body'>
      // Another probe if the first one was too slow, as in a moment in which the machine is busy.
      for (let probe = 0; probe < 5 && answer.body.success !== true; probe++) {
        await after(100 * probe)
        service.clock.advance({ seconds: 60 })
        answer = await service.post(path, { phoneNumber: illNumber })
      }
      const { body } = answer
      run.unless(body.success === true, () => `after ${what}: ${path} is answered ${JSON.stringify(body)}`)
    }
  }
  figures.recovered++
}

/**
 * An operator that hangs gets more calls than the service has room for, from clients that wait longer than its time-out lets
 * the circuit notice: it fills its own places only, and its neighbour is served.
 */
async function hangingOperator(run: RunOptions): Promise<void> {
  const roomFor = 2000 // of `overload`
  const patienceMs = 2000
  const upstream = await sandboxUpstream(run)
  const { timeoutMs: _, ...parts } = upstream.parts
  const stage = await setStage({ ...upstream, parts }, run)
  const { begin, end } = stage.faults.find(({ name }) => name === 'half-open')!
  for (const aim of ['the check', 'the access token'] as const) {
    await begin(aim)
    const { operator } = stage
    operator.clock.advance({ hours: 2 })
    const headers = { 'x-ringfence-deadline-ms': String(patienceMs) }
    const rush = Array.from({ length: roomFor + 20 }, (_, index) =>
      operator.post(simSwapCheck.path, { phoneNumber: illNumber, maxAge: 1 + index }, headers),
    )
    // Calls beyond the operator's places are refused at once.
    let answer: TestAnswer
    const arrivedBy = performance.now() + 0.75 * patienceMs
    do {
      await after(100)
      answer = await operator.post(simSwapCheck.path, { phoneNumber: wellNumber })
    } while (answer.status === 503 && performance.now() < arrivedBy)
    const { status, body } = answer
    run.unless(
      body.swapped === false,
      () => `beside an operator that hangs at ${aim}: ${status} ${JSON.stringify(body)}`,
    )
    await Promise.all(rush)
    await end()
  }
}

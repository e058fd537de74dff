// What happens when an operator is slow, broken or gone? Its checks fail in the specified shape within the deadline; others work.

import { setTimeout as after } from 'node:timers/promises'
import { endpoints } from '@ringfence/contract'
import { operators } from '@ringfence/sandbox'
import type { Config } from '../../server/src/core/config/config.ts'
import type { Settings } from '../../server/src/core/config/settings.ts'
import { outboxChannels } from '../../server/src/sign-in/authentication/testing/sign-in-service.ts'
import { sqliteDatabases } from '../../server/src/testing/databases.ts'
import { sdkClient } from '../../server/src/testing/sdk-client.ts'
import { settlesWithin } from '../../server/src/testing/settles.ts'
import { startTestService, type TestAnswer, type TestService } from '../../server/src/testing/test-service.ts'
import { until } from '../../server/src/testing/until.ts'
import type { Judge, PromiseProgram, RunOptions } from './promise.ts'
import { answerShapes } from './testbed/answer-shape.ts'
import { unlimitedTraffic } from './testbed/app-traffic.ts'
import { forGood, sandboxUpstream, tlsUpstream, type Upstream, unresolvedUpstream } from './testbed/ill-upstreams.ts'
import { latenciesOf } from './testbed/load.ts'
import { ordinaryNumber } from './testbed/operator.ts'
import { patient } from './testbed/stores.ts'

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
    if (run.full) run.unless(late.maxMs <= 50, () => `an answer came ${late.maxMs} ms after its deadline`)
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
const slackMs = 2_000
const { simSwapCheck, callForwardingCheck, portability } = endpoints
const shapes = answerShapes()

/** Two services: one with a faulty and a healthy operator, one with a faulty portability source. */
interface Stage extends Upstream {
  operator: TestService
  source: TestService
}

/** Of what is healthy: only the deadline of a request ends a call, also on a busy machine. */
const neverLate = { timeoutMs: 30_000, connectTimeoutMs: 30_000 }
const illNumber = ordinaryNumber(1)
const wellNumber = ordinaryNumber(2)

async function setStage(upstream: Upstream, run: RunOptions, more: Partial<Settings> = {}): Promise<Stage> {
  const [north, south] = operators
  const { sandbox: _, ...sourceParts } = upstream.parts
  const illOperator = (parts: Omit<Config, 'settings'>) => ({
    ...parts,
    channels: outboxChannels,
    portabilitySources: { sandbox: { ...parts.portabilitySources.sandbox!, ...neverLate } },
    connectors: {
      ill: { type: 'camara', ...upstream.parts, simSwap: {}, callForwarding: {} },
      well: { ...parts.connectors.sandbox!, ...neverLate },
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
  // The 2,000 connections of this machine must not count as those of an attacker.
  const settings = { ...unlimitedTraffic, ...patient, trustedProxies: '127.0.0.1', ...more }
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
      const answering = service.post(path, { phoneNumber: illNumber }, header)
      // In a short run other tests use the machine at the same time: what counts is how long this process runs.
      const inTime = atDeadline.then(() => settlesWithin(slackMs, answering))
      const late = (error: Error) => run.unless(false, () => `${what}: ${path}: after its deadline ${error.message}`)
      const judged = inTime.then(() => undefined, late)
      const { status, body } = await answering
      const answeredAt = performance.now()
      // A machine that is busy is late with the deadline itself.
      figures.lateMs.push(answeredAt - (await atDeadline))
      await judged
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
      let body = {} as TestAnswer['body']
      // Another probe if the first one was too slow, as in a moment in which the machine is busy.
      for (let probe = 0; probe < 5 && body.success !== true; probe++) {
        await after(100 * probe)
        service.clock.advance({ seconds: 60 })
        body = (await service.post(path, { phoneNumber: illNumber })).body
      }
      run.unless(body.success === true, () => `after ${what}: ${path} is answered ${JSON.stringify(body)}`)
    }
  }
  figures.recovered++
}

/**
 * An operator that hangs gets more calls than the service has room for, from clients that give up before its time-out lets the
 * circuit notice: it fills its own places only, and its neighbour is served.
 */
async function hangingOperator(run: RunOptions): Promise<void> {
  const roomFor = 2000 // of `overload`
  const places = 200 // of one upstream: calls, and those that wait
  for (const aim of ['the check', 'the access token'] as const) {
    const upstream = await sandboxUpstream(run)
    const { operator, faults } = await setStage({ ...upstream, parts: { ...upstream.parts, ...neverLate } }, run)
    await faults.find(({ name }) => name === 'half-open')!.begin(aim)
    // They give up when the neighbour was served, however long that takes on a busy machine.
    const givingUp = new AbortController()
    let ended = 0
    const ask = async (maxAge: number) => {
      const headers = { 'content-type': 'application/json', ...operator.credentials }
      const body = JSON.stringify({ phoneNumber: illNumber, maxAge })
      const { signal } = givingUp
      await fetch(operator.url + simSwapCheck.path, { method: 'POST', headers, body, signal }).catch(() => undefined)
      ended++
    }
    const rush = Array.from({ length: roomFor + 20 }, (_, index) => ask(1 + index))
    let isFirstOver = false
    void rush[0]!.then(() => {
      isFirstOver = true
    })
    // Calls beyond the operator's places are refused at once, while the first one hangs until its deadline.
    await until(() => ended >= rush.length - places || isFirstOver)
    // In a short run other tests use the machine: fewer may have arrived, and the neighbour is served all the same.
    if (run.full) run.unless(!isFirstOver, () => `only ${ended} calls ended before the first that hangs at ${aim}`)
    const { status, body } = await operator.post(simSwapCheck.path, { phoneNumber: wellNumber })
    run.unless(
      body.swapped === false,
      () => `beside an operator that hangs at ${aim}: ${status} ${JSON.stringify(body)}`,
    )
    givingUp.abort()
    await Promise.all(rush)
  }
}

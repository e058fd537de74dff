// What happens when an operator is slow, broken or gone? Its checks fail in the specified shape within the deadline; others work.

import { writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { createServer } from 'node:tls'
import { endpoints } from '@ringfence/contract'
import { type AimedFault, operators, type Route, type Sandbox } from '@ringfence/sandbox'
import type { Config } from '../server/src/config/config.ts'
import type { Settings } from '../server/src/config/settings.ts'
import { sqliteDatabases } from '../server/src/testing/databases.ts'
import { startTestService, type TestAnswer, type TestService } from '../server/src/testing/test-service.ts'
import { selfSignedCertificate } from '../server/src/upstream/testing/self-signed-certificate.ts'
import { Complaints, type PromiseProgram, type RunOptions } from './promise.ts'
import { answerShapes } from './testbed/answer-shape.ts'
import { latenciesOf } from './testbed/load.ts'
import { operatorSecret, ordinaryNumber, startOperator } from './testbed/operator.ts'
import { scratchFolder } from './testbed/scratch-folder.ts'

export const upstreamFaults: PromiseProgram = {
  name: 'upstream-faults',
  promise: 'an upstream cannot hurt us: a specified answer within the deadline, other operators unharmed, recovery',
  async run(run) {
    const complaints = new Complaints()
    const figures: Figures = { answers: 0, lateMs: [], neighbourMs: [], undisturbedMs: [], recovered: 0 }
    let faults = 0
    for (const upstream of [sandboxUpstream, tlsUpstream, unresolvedUpstream]) {
      const stage = await setStage(await upstream(run), run)
      for (const { name, begin, end } of stage.faults) {
        faults++
        for (const aim of ['the check', 'the access token'] as const) {
          const what = `${name} at ${aim}`
          await begin(aim)
          await Promise.all([
            askIll(stage, what, figures, complaints, run),
            askNeighbour(stage, what, figures, complaints, run.full ? 400 : 40),
          ])
          await end()
          if (end !== forGood) await recover(stage, what, figures, complaints)
        }
      }
      run.say(`${faults} faults, ${figures.answers} answers of the specified shape`)
    }
    await hangingOperator(run, complaints)
    const late = latenciesOf(figures.lateMs)
    const neighbour = latenciesOf(figures.neighbourMs)
    // In a short run other tests use the machine at the same time.
    const slackMs = run.full ? 50 : 2000
    complaints.unless(late.maxMs <= slackMs, () => `an answer came ${late.maxMs} ms after its deadline`)
    const undisturbed = latenciesOf(figures.undisturbedMs)
    return {
      figures: {
        faults,
        'answers of a faulty upstream, all as specified': figures.answers,
        'latest answer, ms after its deadline': round(late.maxMs),
        'neighbour’s checks meanwhile, all well': neighbour.count,
        'neighbour undisturbed, p50 and p99, ms': `${round(undisturbed.p50Ms)} ${round(undisturbed.p99Ms)}`,
        'neighbour during the faults, p50 and p99, ms': `${round(neighbour.p50Ms)} ${round(neighbour.p99Ms)}`,
        'times recovered': figures.recovered,
      },
      broken: complaints.lines,
    }
  },
}

interface Figures {
  answers: number
  lateMs: number[]
  neighbourMs: number[]
  undisturbedMs: number[]
  recovered: number
}

const round = (ms: number) => Math.round(ms * 10) / 10
const deadlineMs = 300
/** Time-out of one attempt; shorter than the deadline, as the configuration reference advises. */
const timeoutMs = 250
const { simSwapCheck, callForwardingCheck, portability } = endpoints
const shapes = answerShapes()

/** An upstream with a switchable fault. */
interface Upstream {
  /** Its configuration for `connectors` and `portabilitySources`, without the type. */
  parts: { baseUrl: string; token: object; timeoutMs?: number; tls?: object; sandbox?: true }
  faults: readonly IllFault[]
}

interface IllFault {
  name: string
  begin(aim: 'the check' | 'the access token'): unknown
  end(): unknown
}

/** Ends a fault that this program cannot undo. */
const forGood = () => undefined

const kinds: readonly [name: string, fault: AimedFault][] = [
  ['slow', { kind: 'slow', delayMs: 60_000 }],
  ['reset', { kind: 'reset' }],
  ['half-open', { kind: 'half-open' }],
  ['drip', { kind: 'drip', everyMs: 40 }],
  ['garbage', { kind: 'garbage' }],
  ['wrong type', { kind: 'wrong-content-type' }],
  ['huge body', { kind: 'huge-body', bytes: 10_000_000 }],
  ['redirect', { kind: 'redirect' }],
  ['5xx', { kind: 'status', status: 500 }],
  ['429', { kind: 'status', status: 429, retryAfterSeconds: 1 }],
]

const checkRoutes: readonly Route[] = [
  '/sim-swap/v2/check',
  '/call-forwarding-signal/v0.4/unconditional-call-forwardings',
  '/portability/v1/numbers/{digits}',
]

const tokenOf = (url: string, secretFile: string) => ({
  endpoint: `${url}/oauth2/token`,
  clientId: 'ringfence',
  authentication: 'client_secret_basic',
  clientSecret: { file: secretFile },
})

async function illSandbox(run: RunOptions): Promise<{ sandbox: Sandbox; secretFile: string }> {
  const { sandbox } = await startOperator(run)
  const secretFile = join(await scratchFolder(run), 'secret')
  await writeFile(secretFile, operatorSecret)
  return { sandbox, secretFile }
}

async function sandboxUpstream(run: RunOptions): Promise<Upstream> {
  const { sandbox, secretFile } = await illSandbox(run)
  const faults = kinds.map(([name, fault]) => ({
    name,
    begin(aim: string) {
      const routes: readonly Route[] = aim === 'the check' ? checkRoutes : ['/oauth2/token']
      for (const route of routes) sandbox.faults.switchOn({ ...fault, route })
    },
    end: () => sandbox.faults.switchAllOff(),
  }))
  return { parts: { baseUrl: sandbox.url, token: tokenOf(sandbox.url, secretFile), timeoutMs, sandbox: true }, faults }
}

/** Behind TLS, with a certificate that can become untrusted. */
async function tlsUpstream(run: RunOptions): Promise<Upstream> {
  const { sandbox, secretFile } = await illSandbox(run)
  const [good, bad] = [selfSignedCertificate('operator'), selfSignedCertificate('somebody else')]
  const caFile = join(await scratchFolder(run), 'ca.pem')
  await writeFile(caFile, good.certificate)
  const open = new Set<{ destroy(): void }>()
  const front = createServer({ cert: good.certificate, key: good.key }, (socket) => {
    const inner = connect(sandbox.port, '127.0.0.1')
    for (const side of [socket, inner]) {
      open.add(side)
      side.on('error', () => undefined).on('close', () => [socket, inner].map((each) => each.destroy()))
    }
    socket.pipe(inner).pipe(socket)
  })
  front.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  run.after(() => {
    front.close()
    for (const socket of open) socket.destroy()
  })
  const show = ({ certificate, key }: typeof good) => {
    front.setSecureContext({ cert: certificate, key })
    for (const socket of open) socket.destroy() // new connections see the new certificate
    open.clear()
  }
  const url = `https://127.0.0.1:${(front.address() as AddressInfo).port}`
  return {
    parts: { baseUrl: url, token: tokenOf(url, secretFile), timeoutMs, tls: { ca: { file: caFile } } },
    faults: [{ name: 'bad TLS', begin: () => show(bad), end: () => show(good) }],
  }
}

/** Names below .invalid never resolve (RFC 6761). */
async function unresolvedUpstream(run: RunOptions): Promise<Upstream> {
  const { secretFile } = await illSandbox(run)
  const url = 'https://operator.invalid'
  const faults = [{ name: 'DNS', begin: () => undefined, end: forGood }]
  return { parts: { baseUrl: url, token: tokenOf(url, secretFile), timeoutMs }, faults }
}

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
  const settings = { overloadDelayMs: 60_000, ...more } // other processes on this machine must not count as overload
  const operator = await startTestService(run, await sqliteDatabases.open(run), { edit: illOperator, settings })
  const source = await startTestService(run, await sqliteDatabases.open(run), { edit: illSource, settings })
  operator.sandbox.lines.change(illNumber, { operator: north!, homeOperator: north! })
  operator.sandbox.lines.change(wellNumber, { operator: south!, homeOperator: south! })
  return { ...upstream, operator, source }
}

const header = { 'x-ringfence-deadline-ms': String(deadlineMs) }

/** The three checks at once; each needs the faulty upstream. */
async function askIll(
  { operator, source }: Stage,
  what: string,
  figures: Figures,
  complaints: Complaints,
  run: RunOptions,
): Promise<void> {
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
      const startedAt = performance.now()
      const { status, body } = await service.post(path, { phoneNumber: illNumber }, header)
      figures.lateMs.push(performance.now() - startedAt - deadlineMs)
      figures.answers++
      const misfit = shapes.misfit(path, status, JSON.stringify(body))
      complaints.unless(misfit === undefined, () => `${what}: ${path}: ${misfit}`)
      const said = body.error?.errorCode
      // On a busy machine the healthy source may be late now and then.
      complaints.unless(
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
  complaints: Complaints,
  askers: number,
): Promise<void> {
  const ask = async (timesMs: number[]) => {
    const startedAt = performance.now()
    const { body } = await operator.post(simSwapCheck.path, { phoneNumber: wellNumber })
    timesMs.push(performance.now() - startedAt)
    complaints.unless(body.swapped === false, () => `${what}: the neighbour is answered ${JSON.stringify(body)}`)
  }
  for (let count = 0; count < 5; count++) await ask(figures.undisturbedMs)
  const rush = Array.from({ length: askers }, async (_, index) => {
    // Different windows, so that they do not share one call.
    const maxAge = 1 + index
    const { status, body } = await operator.post(simSwapCheck.path, { phoneNumber: illNumber, maxAge }, header)
    const misfit = shapes.misfit(simSwapCheck.path, status, JSON.stringify(body))
    complaints.unless(
      status === 200 && misfit === undefined,
      () => `${what}: one of many is answered ${status}, ${misfit}`,
    )
    figures.answers++
  })
  await after(20) // until the burst has arrived
  for (let count = 0; count < 5; count++) await ask(figures.neighbourMs)
  await Promise.all(rush)
}

/** The checks recover without help after the circuit's longest pause. */
async function recover({ operator, source }: Stage, what: string, figures: Figures, complaints: Complaints) {
  for (const { path } of [simSwapCheck, callForwardingCheck, portability]) {
    for (const service of [operator, source]) {
      let answer = { body: {} } as Pick<TestAnswer, 'body'>
      // Another probe if the first one was too slow, as on a busy machine.
      for (let probe = 0; probe < 5 && answer.body.success !== true; probe++) {
        service.clock.advance({ seconds: 60 })
        answer = await service.post(path, { phoneNumber: illNumber })
      }
      const { body } = answer
      complaints.unless(body.success === true, () => `after ${what}: ${path} is answered ${JSON.stringify(body)}`)
    }
  }
  figures.recovered++
}

/**
 * An operator that hangs gets more calls than the service has room for, from clients that wait longer than its time-out lets
 * the circuit notice: it fills its own places only, and its neighbour is served.
 */
async function hangingOperator(run: RunOptions, complaints: Complaints): Promise<void> {
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
    complaints.unless(
      body.swapped === false,
      () => `beside an operator that hangs at ${aim}: ${status} ${JSON.stringify(body)}`,
    )
    await Promise.all(rush)
    await end()
  }
}

// Do callers notice a rolling restart? Two servers on one PostgreSQL behind a load balancer that polls /ready.

import { endpoints } from '@ringfence/contract'
import { postgresDatabases } from '../../server/src/testing/databases.ts'
import { freePorts } from '../../server/src/testing/free-ports.ts'
import { settlesWithin } from '../../server/src/testing/settles.ts'
import type { PromiseProgram } from './promise.ts'
import { appTraffic, unlimitedTraffic } from './testbed/app-traffic.ts'
import { pollEveryMs, startBalancer } from './testbed/balancer.ts'
import { post } from './testbed/ledger.ts'
import { startMessageGateway } from './testbed/message-gateway.ts'
import { masterKey, ordinaryNumber, startOperator } from './testbed/operator.ts'
import { newClient, type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'
import { patient } from './testbed/stores.ts'

const callers = 12
/** People with SDKs, each with one session and sign-in after another. */
const people = 4
/** Longer than a balancer takes to see that /ready answers 503, even on a busy machine. */
const drainMs = 40 * pollEveryMs
/** Longer than the drain, so that requests are in flight when the server stops listening. */
const slowUpstreamMs = drainMs + 5 * pollEveryMs
/** The shortest time that common process supervisors wait before they kill. */
const stopWithinMs = 10_000

export const rollingRestart: PromiseProgram = {
  name: 'rolling-restart',
  promise:
    'restarts are invisible: rolling restarts of two servers on one PostgreSQL drop no request, of a backend, an SDK or a sign-in',
  async run(run) {
    const { sandbox, parts, environment } = await startOperator(run)
    sandbox.faults.switchOn({
      kind: 'slow',
      delayMs: slowUpstreamMs,
      route: '/call-forwarding-signal/v0.4/unconditional-call-forwardings',
    })
    const gateway = await startMessageGateway(run)
    const databaseUrl = await postgresDatabases.place(run)
    const settings = { databaseUrl, masterKey, drainMs, ...patient, ...unlimitedTraffic }
    // Its own ports until the run ends: one that the system chose may be somebody's connection while a server restarts.
    const ports = await freePorts(2)
    const start = (port: number) =>
      startServiceProcess(
        { settings: { ...settings, port }, parts: { ...parts, channels: gateway.channels }, environment },
        run,
      )
    const servers: ServiceProcess[] = await Promise.all(ports.map(start))
    const balancer = await startBalancer(
      servers.map(({ url }) => url),
      drainMs / 2,
      run,
    )
    await balancer.untilReady(2)
    const client = await newClient(servers[0]!, 'restart')

    let answered = 0
    let done = false
    const paths = [endpoints.simSwapCheck.path, endpoints.portability.path, endpoints.callForwardingCheck.path]
    const call = async (caller: number) => {
      for (let n = 0; !done; n++) {
        const path = paths[(caller + n) % paths.length]!
        // Never the same question twice at the same time, so that each request has its own upstream call.
        const body = { phoneNumber: ordinaryNumber(caller * 400 + (n % 400)) }
        const outcome = await post(balancer.url, path, client, body).catch((error: Error) => ({
          status: 0,
          text: String(error.cause ?? error),
        }))
        answered++
        const holds = outcome.status === 200 && outcome.text.startsWith('{"success":true')
        run.unless(holds, () => `${path} is answered ${outcome.status} ${outcome.text}`)
      }
    }
    const traffic = await appTraffic(servers[0]!, gateway)
    /** Each step may reach another server. */
    const visitApp = async () => {
      while (!done) {
        const stopped = await traffic.session(balancer.url, run).catch((error: Error) => error)
        run.unless(stopped === undefined, () => `a person is not served: ${stopped?.cause ?? stopped}`)
      }
    }
    const calling = Promise.all([
      ...Array.from({ length: callers }, (_, caller) => call(caller)),
      ...Array.from({ length: people }, visitApp),
    ])

    let restarts = 0
    let slowestStopMs = 0
    for (let round = 0; round < (run.full ? 50 : 1); round++) {
      for (const [index, server] of servers.entries()) {
        const askedAt = performance.now()
        const stopping = server.stop()
        // Counted in what this process runs: in a short run other tests use the machine at the same time.
        const late = () => run.unless(false, () => `a stop took more than ${stopWithinMs} ms`)
        await settlesWithin(stopWithinMs, stopping).catch(late)
        const exitCode = await stopping
        slowestStopMs = Math.max(slowestStopMs, performance.now() - askedAt)
        run.unless(exitCode === 0, () => `a server that was asked to stop ended with ${exitCode}`)
        servers[index] = await start(ports[index]!)
        restarts++
        await balancer.untilReady(2)
      }
      if (run.full) run.say(`${restarts} restarts, ${answered} requests answered`)
    }
    done = true
    await calling
    await traffic.compare(servers[0]!, run, { all: true })
    const dropped = run.complaints.count
    return {
      figures: {
        restarts,
        'requests answered': answered,
        ...traffic.figures,
        'requests dropped': dropped,
        'slowest stop, ms': Math.round(slowestStopMs),
      },
    }
  },
}

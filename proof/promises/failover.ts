// What does a failover of PostgreSQL cost? Servers on a replicated PostgreSQL, while its nodes are killed, paused and replaced.

import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { freePorts } from '../../server/src/testing/free-ports.ts'
import type { PromiseProgram, RunOptions } from './promise.ts'
import { appTraffic, unlimitedTraffic } from './testbed/app-traffic.ts'
import { FailoverTraffic } from './testbed/failover-traffic.ts'
import { type MessageGateway, startMessageGateway } from './testbed/message-gateway.ts'
import { masterKey } from './testbed/operator.ts'
import { type Cluster, startCluster, whyNoCluster } from './testbed/patroni-cluster.ts'
import { newClient, type ServiceProcess, startServiceProcess } from './testbed/service-process.ts'
import { noParts } from './testbed/stores.ts'

interface Testbed {
  readonly cluster: Cluster
  readonly servers: ServiceProcess[]
  start(server: number): Promise<ServiceProcess>
}

/** Causes a fault and ends it, if it does not end automatically. */
type Fault = (testbed: Testbed) => Promise<void>

const pausedFor = async (nodes: readonly { pause(isPaused: boolean): void }[], ms: number) => {
  for (const node of nodes) node.pause(true)
  await after(ms)
  for (const node of nodes) node.pause(false)
}

const short: Readonly<Record<string, Fault>> = {
  switchover: async ({ cluster }) => {
    const { primary } = await cluster.roles()
    await primary.post('/switchover', { leader: primary.name })
  },
  'primary killed': async ({ cluster }) => {
    const { primary } = await cluster.roles()
    primary.killPostgres()
    await after(2_000)
  },
}

const others: Readonly<Record<string, Fault>> = {
  'node of the primary killed': async ({ cluster }) => {
    const { primary } = await cluster.roles()
    await primary.kill()
    await after(25_000) // longer than the lease of the leader
    primary.start()
  },
  'node of the primary paused for 40 s': async ({ cluster }) => {
    const { primary } = await cluster.roles()
    await pausedFor([primary], 40_000)
  },
  'standby killed': async ({ cluster }) => {
    const { standbys } = await cluster.roles()
    await standbys[0]!.kill()
    await after(5_000)
    standbys[0]!.start()
  },
  'standby restarted': async ({ cluster }) => {
    const { standbys } = await cluster.roles()
    await standbys[0]!.post('/restart', {})
  },
  'both standbys paused for 20 s': async ({ cluster }) => {
    await pausedFor((await cluster.roles()).standbys, 20_000)
  },
  'etcd off for 30 s': async ({ cluster }) => {
    await cluster.stopEtcd()
    await after(30_000)
    cluster.startEtcd()
  },
  'server killed': async ({ servers, start }) => {
    await servers[0]!.kill()
    servers[0] = await start(0)
  },
  'connections full for 10 s': async ({ cluster }) => {
    const { primary } = await cluster.roles()
    const clients: Client[] = []
    for (let n = 0; n < 200; n++) {
      const client = new Client(`postgres://ringfence@127.0.0.1:${primary.port}/postgres`)
      client.on('error', () => undefined)
      const failed = await client.connect().then(
        () => false,
        () => true,
      )
      if (failed) break
      clients.push(client)
    }
    await after(10_000)
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  },
  'token table locked for 10 s': async ({ cluster }) => {
    const { primary } = await cluster.roles()
    const client = new Client(`postgres://ringfence@127.0.0.1:${primary.port}/postgres`)
    client.on('error', () => undefined)
    await client.connect()
    await client.query('begin; lock table token in access exclusive mode')
    await after(10_000)
    await client.end()
  },
}

export const failover: PromiseProgram = {
  name: 'failover',
  promise:
    'no acknowledged write is lost when PostgreSQL fails over, and no answer is wrong or later than its deadline',
  skippedInTests: 'it takes minutes: npm run promises -- failover',
  async run(run) {
    const why = await whyNoCluster()
    if (why !== undefined) return { figures: {}, broken: [], skipped: why }
    const cluster = await startCluster(run)
    run.say('three nodes replicate synchronously')
    const gateway = await startMessageGateway(run)
    const { servers, start } = await startServers(cluster, gateway, run)
    const client = await newClient(servers[0]!, 'failover')
    const app = await appTraffic(servers[0]!, gateway)
    const traffic = new FailoverTraffic(() => servers.map(({ url }) => url), client, app)
    const running = traffic.run(servers.length)
    const figures: Record<string, number | string> = {}
    const broken: string[] = []
    await after(2_000)
    for (const [name, cause] of Object.entries(run.full ? { ...short, ...others } : short)) {
      const before = traffic.lost.count + traffic.wrong.count
      traffic.beginGap()
      await cause({ cluster, servers, start })
      if (!(await traffic.recovered())) broken.push(`${name}: not every server writes after two minutes`)
      await after(1_000)
      const gap = (traffic.gapMs / 1000).toFixed(1)
      await cluster.untilHealthy()
      await traffic.compare()
      const wrong = traffic.lost.count + traffic.wrong.count - before
      figures[name] = `${gap} s without a write, ${wrong} lost or wrong`
      run.say(`${name}: ${figures[name]}`)
    }
    traffic.stop()
    await running
    await app.compare(servers[0]!, traffic.lost, { all: true })
    for (const server of servers) await server.stop()
    const { counts, lost, wrong, latestMs } = traffic
    if (counts.status500 > 0) broken.push(`${counts.status500} answers with status 500`)
    // Other work on the machine delays answers; a stuck one takes much longer.
    if (latestMs > 2_000) broken.push(`an answer came ${Math.round(latestMs)} ms after its deadline`)
    return {
      figures: {
        ...traffic.figures,
        'latest answer after its deadline, ms': Math.max(0, Math.round(latestMs)),
        ...figures,
      },
      broken: [...broken, ...lost.lines, ...wrong.lines],
    }
  },
}

/** Half of them reach the primary by HAProxy, half by a URL with several hosts. */
async function startServers(
  cluster: Cluster,
  { channels }: MessageGateway,
  run: RunOptions,
): Promise<Omit<Testbed, 'cluster'>> {
  // Its own ports until the run ends: one that the system chose may be somebody's connection while a server is gone.
  const ports = await freePorts(run.full ? 4 : 2)
  const start = (server: number) =>
    startServiceProcess(
      {
        settings: {
          databaseUrl: server % 2 === 0 ? cluster.balancedUrl : cluster.severalHostsUrl,
          masterKey,
          port: ports[server]!,
          tokenUses: 'once',
          overloadDelayMs: 60_000,
          clientRatePerSecond: 1_000_000,
          ...unlimitedTraffic,
        },
        parts: { ...noParts, channels },
        environment: {},
      },
      run,
    )
  const servers: ServiceProcess[] = []
  for (const server of ports.keys()) servers.push(await start(server))
  return { servers, start }
}

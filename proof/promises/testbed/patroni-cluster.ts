// Where do the programs get a PostgreSQL that fails over? Three nodes under Patroni, with etcd and HAProxy, on loopback.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { whyMissing } from '../../../scripts/debian-packages.ts'
import { freePorts } from '../../../server/src/testing/free-ports.ts'
import { type User, unprivilegedUser } from '../../../server/src/testing/postgres-binaries.ts'
import type { RunOptions } from '../promise.ts'
import { daemon, gone, Node } from './patroni-node.ts'

const packages = ['patroni', 'etcd-server', 'haproxy', 'postgresql']
const programs = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy']
const startTimeoutMs = 120_000

/** Why this machine cannot run a cluster; installs Debian's packages if it may. */
export async function whyNoCluster(): Promise<string | undefined> {
  const isMissing = () => postgresFolder() === undefined || programs.some((path) => !existsSync(path))
  const why = await whyMissing(() => !isMissing(), ...packages)
  return (
    why ?? (isMissing() ? `${packages.join(', ')} of Debian were installed, but not all programs are there` : undefined)
  )
}

/** The newest one of Debian that has what Patroni needs. */
function postgresFolder(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => join(root, version, 'bin')).find((bin) => existsSync(join(bin, 'pg_basebackup')))
}

/** Starts a cluster with synchronous replication. It ends with the run, or with this process. */
export async function startCluster(run: Pick<RunOptions, 'after'>): Promise<Cluster> {
  const user = await unprivilegedUser()
  const folder = await mkdtemp(join(tmpdir(), 'ringfence-cluster-'))
  await chmod(folder, 0o755)
  await own(folder, user)
  run.after(guardOf(folder))
  const [etcd = 0, etcdPeer = 0, balancer = 0, ...nodePorts] = await freePorts(9)
  const nodes = [0, 1, 2].map((n) => {
    const ports = { port: nodePorts[2 * n]!, restPort: nodePorts[2 * n + 1]! }
    return new Node(`node${n + 1}`, folder, ports, user)
  })
  const cluster = new Cluster(nodes, { folder, user, ports: { etcd, etcdPeer, balancer } })
  await cluster.start()
  return cluster
}

async function own(path: string, { uid, gid }: User): Promise<void> {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

interface Place {
  readonly folder: string
  readonly user: User
  readonly ports: Readonly<Record<'etcd' | 'etcdPeer' | 'balancer', number>>
}

export class Cluster {
  readonly nodes: readonly Node[]
  /** The primary, by HAProxy. */
  readonly balancedUrl: string
  /** All three nodes in one URL. */
  readonly severalHostsUrl: string
  readonly #place: Place
  #etcd: ChildProcess | undefined

  constructor(nodes: readonly Node[], place: Place) {
    this.nodes = nodes
    this.#place = place
    this.balancedUrl = `postgres://ringfence@127.0.0.1:${place.ports.balancer}/postgres`
    this.severalHostsUrl = `postgres://ringfence@${nodes.map(({ port }) => `127.0.0.1:${port}`)}/postgres?target_session_attrs=read-write`
  }

  async start(): Promise<void> {
    const { folder, user, ports } = this.#place
    for (const node of this.nodes) {
      await mkdir(join(folder, `${node.name}-socket`))
      await own(join(folder, `${node.name}-socket`), user)
      await writeFile(join(folder, `${node.name}.yml`), patroniConfig(node, folder, ports.etcd))
    }
    await writeFile(join(folder, 'haproxy.cfg'), haproxyConfig(this.nodes, ports.balancer))
    this.startEtcd()
    await until(async () => (await fetch(`http://127.0.0.1:${ports.etcd}/health`)).ok, 'etcd')
    for (const node of this.nodes) node.start()
    daemon('/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], folder, 'haproxy', user)
    await this.untilHealthy()
    await until(() => connects(this.balancedUrl), 'HAProxy', join(folder, 'haproxy.log'))
  }

  /** The node that leads, and the others. */
  async roles(): Promise<{ primary: Node; standbys: Node[] }> {
    const leader = (await this.#members()).find(({ role }) => role === 'leader')?.name
    const primary = this.nodes.find(({ name }) => name === leader)
    if (!primary) throw new Error('no node leads')
    return { primary, standbys: this.nodes.filter((node) => node !== primary) }
  }

  /** Resolves when one node leads and both others follow, one of them synchronously. Rejects after two minutes. */
  untilHealthy(): Promise<void> {
    const isHealthy = async () => {
      const found = await this.#members()
      const following = found.filter(({ role, state }) => role !== 'leader' && ['running', 'streaming'].includes(state))
      const isSynchronous = found.some(({ role }) => role === 'sync_standby')
      const isLed = found.some(({ role, state }) => role === 'leader' && state === 'running')
      return isLed && following.length === 2 && isSynchronous
    }
    return until(isHealthy, 'the cluster', join(this.#place.folder, 'node1.log'))
  }

  startEtcd(): void {
    const { folder, user, ports } = this.#place
    const [client, peer] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.etcdPeer}`]
    const options = {
      'data-dir': join(folder, 'etcd'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': `default=${peer}`,
    }
    const given = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    this.#etcd = daemon('/usr/bin/etcd', given, folder, 'etcd', user)
  }

  async stopEtcd(): Promise<void> {
    this.#etcd?.kill('SIGTERM')
    await gone(this.#etcd)
  }

  async #members() {
    for (const node of this.nodes) {
      const found = await node.cluster().catch(() => undefined)
      if (found) return found
    }
    return []
  }
}

async function connects(connectionString: string): Promise<boolean> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 1_000 })
  client.on('error', () => undefined)
  await client.connect()
  await client.end()
  return true
}

/** As several-servers.md advises, with the shortest times that Patroni allows. */
function patroniConfig({ name, port, restPort }: Node, folder: string, etcdPort: number): string {
  const role = (username: string) => ({ username, password: 'secret' })
  return JSON.stringify({
    scope: 'ringfence',
    name,
    restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 3,
        master_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 120, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, { auth: 'trust' }],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(folder, name),
      bin_dir: postgresFolder(),
      pgpass: join(folder, `${name}.pgpass`),
      authentication: { superuser: role('ringfence'), replication: role('replicator'), rewind: role('rewinder') },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: join(folder, `${name}-socket`), shared_buffers: '32MB' },
    },
  })
}

function haproxyConfig(nodes: readonly Node[], port: number): string {
  const servers = nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.port} check port ${node.restPort}`)
  return `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`
}

/** Ends all that runs in the folder and removes it, as soon as this process has ended for any reason. */
function guardOf(folder: string): () => Promise<void> {
  const script = `
    trap '' INT TERM HUP
    cat > /dev/null
    for round in 1 2 3; do
      for file in "$0"/*.pid "$0"/*/postmaster.pid; do
        pid=$(head -n 1 "$file" 2> /dev/null) && [ -n "$pid" ] && kill -KILL "$pid" 2> /dev/null
      done
      sleep 0.3
    done
    rm -rf "$0"`
  const guard = spawn('/bin/sh', ['-c', script, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  return async () => {
    guard.stdin.end()
    await gone(guard)
  }
}

async function until(holds: () => Promise<boolean>, what: string, log?: string): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (!(await holds().catch(() => false))) {
    if (performance.now() > giveUpAt) {
      const words = log && existsSync(log) ? readFileSync(log, 'utf8').split('\n').slice(-20).join('\n') : ''
      throw new Error(`${what} is not ready after ${startTimeoutMs / 1000} s\n${words}`)
    }
    await after(200)
  }
}

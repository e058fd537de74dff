// How many requests does a server answer per CPU-second? Servers as separate processes, and load from another process.

import { setTimeout } from 'node:timers/promises'
import { cpuSeconds } from './harness.ts'
import type { Load, LoadResult } from './load.ts'
import { answerParent, type Process, startProcess } from './processes.ts'

/** Of every Ringfence that a benchmark starts. */
export const masterKey = Buffer.alloc(32, 1).toString('base64')

/** What a server reports about itself. */
interface ServerState {
  url: string
  /** CPU-seconds so far, of all threads. */
  cpuSeconds: number
  rssBytes: number
  /** What a client of it needs to know. */
  access: Record<string, string>
}

export interface Server {
  readonly url: string
  readonly access: Readonly<Record<string, string>>
  state(): Promise<ServerState>
  stop(): Promise<void>
}

/** The other side: reports that this process serves at `url`. */
export function serving(url: string, access: Record<string, string> = {}): void {
  answerParent((): ServerState => ({ url, cpuSeconds: cpuSeconds(), rssBytes: process.memoryUsage.rss(), access }))
}

/** Starts a server from servers/. `log`: the file for its standard output. */
export async function startServer(program: string, options: unknown, log?: string): Promise<Server> {
  const server = await startProcess<'state', ServerState>(`servers/${program}.ts`, options, log)
  const { url, access } = await server.ask('state')
  return { url, access, state: () => server.ask('state'), stop: server.stop }
}

export type LoadProcess = Process<Load, LoadResult>

export const startLoad = (): Promise<LoadProcess> => startProcess<Load, LoadResult>('harness/load.ts', {})

/** The requests for a server. */
export type Requests = Omit<Load, 'url'>

/**
 * Puts the load on the server. Throws unless every request was answered with 200. `toRest`: the CPU time is also that of what the requests
 * leave to be done after their answers.
 */
export async function measure(load: LoadProcess, server: Server, requests: Requests, { toRest = false } = {}) {
  const ask = () => load.ask({ ...requests, url: server.url })
  return measured(server, ask, { toRest, what: requests.path })
}

export type Measured = Awaited<ReturnType<typeof measured>>

/** What `work` costs the server; see `measure`. */
export async function measured(server: Server, work: () => Promise<LoadResult>, { toRest = false, what = '' } = {}) {
  const before = await server.state()
  const result = await work()
  const after = await (toRest ? rested(server) : server.state())
  if (result.unexpected) throw new Error(`${server.url}${what}: ${result.unexpected}`)
  return {
    perCpuSecond: result.answered / (after.cpuSeconds - before.cpuSeconds),
    perSecond: (result.answered / result.elapsedMs) * 1000,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
  }
}

/** The state when the server uses less than a twentieth of a core. */
async function rested(server: Server): Promise<ServerState> {
  for (let before = await server.state(); ; ) {
    await setTimeout(1000)
    const after = await server.state()
    if (after.cpuSeconds - before.cpuSeconds < 0.05) return after
    before = after
  }
}

// How does the service behave under load? Requests at a fixed rate (an open loop) or as fast as answers come (a closed loop),
// from a separate process on raw keep-alive sockets, so that the load generator costs little CPU.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { quantile } from '../../quantiles.ts'

export interface Load {
  /** "http://127.0.0.1:8080" */
  url: string
  /** Complete HTTP/1.1 requests, sent in turn. */
  requests: string[]
  /** Each connection has at most one request in flight. */
  connections: number
  durationMs: number
  /** Nothing is measured for this long, until the load has settled. */
  settlesInMs?: number
  /** Requests per second, evenly spread; without it each connection sends its next request after each answer. */
  perSecond?: number
  /** A connection that got 503 rests for Retry-After, as a good client does. */
  honoursRetryAfter?: boolean
}

export interface LoadResult {
  /** How long the measurement lasted, and how long the load ran. */
  elapsedMs: number
  runMs: number
  sent: number
  /** All answers of the run, those before the measurement included. */
  answered: { succeeded: number; refused: number }
  /** Answers with a result, by latency since the moment at which the request was due. */
  succeeded: Latencies
  /** Answers of 200 with success false, and other answers by status. */
  failed: Latencies
  refused: Record<number, Latencies>
  /** Requests that found no free connection, so the client gave them up. */
  notSent: number
  /** Connections that were closed or reset before their answer. */
  dropped: number
  /** The 503 answers without Retry-After. */
  withoutRetryAfter: number
  cpuSeconds: number
}

export interface Latencies {
  count: number
  p50Ms: number
  p99Ms: number
  maxMs: number
}

/** The HTTP/1.1 request, as text. */
export function requestText(path: string, headers: Readonly<Record<string, string>>, body: unknown): string {
  const text = JSON.stringify(body)
  const lines = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers })
  return [
    `POST ${path} HTTP/1.1`,
    ...lines.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
    '',
    text,
  ].join('\r\n')
}

/** Sends the load from a separate process, and returns the result. `opened` runs when all connections are open, before any request. */
export async function offerLoad(load: Load, opened: () => unknown = () => undefined): Promise<LoadResult> {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [], serialization: 'advanced' })
  const next = async () => (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[]
  try {
    child.send(load)
    const [isOpen] = await next()
    if (isOpen !== 'open') throw new Error(`the load ended early (${isOpen})`)
    await opened()
    child.send('go')
    const [result] = (await next()) as [LoadResult | number]
    if (typeof result !== 'object' || result === null) throw new Error(`the load ended early (${result})`)
    return result
  } finally {
    child.kill('SIGKILL')
  }
}

interface Connection {
  readonly socket: Socket
  dueAt: number
  isBusy: boolean
  received: string
}

/** Sends one load, and counts what comes back. */
class Generator {
  readonly #load: Required<Omit<Load, 'requests' | 'perSecond'>> & Pick<Load, 'perSecond'>
  readonly #messages: readonly Buffer[]
  readonly #latencies = new Map<string, number[]>()
  readonly #opened: Connection[] = []
  readonly #free: Connection[] = []
  readonly #answered = { succeeded: 0, refused: 0 }
  readonly #counts = { sent: 0, notSent: 0, dropped: 0, withoutRetryAfter: 0 }
  #underWay = 0
  #startedAt = 0

  constructor({ requests, ...load }: Load) {
    this.#load = { settlesInMs: 0, honoursRetryAfter: false, ...load }
    this.#messages = requests.map((text) => Buffer.from(text))
  }

  async open(): Promise<void> {
    const { connections } = this.#load
    while (this.#opened.length < connections) {
      const next = Math.min(100, connections - this.#opened.length)
      this.#opened.push(...(await Promise.all(Array.from({ length: next }, () => this.#connect()))))
    }
  }

  async run(): Promise<LoadResult> {
    this.#startedAt = performance.now()
    const startCpu = process.cpuUsage()
    const { perSecond } = this.#load
    if (perSecond === undefined) for (const connection of this.#opened) this.#next(connection)
    else await this.#pace(perSecond)
    const giveUpAt = this.#endAt + 5000
    while ((this.#underWay > 0 || performance.now() < this.#endAt) && performance.now() < giveUpAt) await after(1)
    for (const { socket } of this.#opened) socket.destroy()
    return this.#result(process.cpuUsage(startCpu))
  }

  get #endAt(): number {
    return this.#startedAt + this.#load.settlesInMs + this.#load.durationMs
  }

  /** Evenly spread, whether or not answers come. */
  async #pace(perSecond: number): Promise<void> {
    this.#free.push(...this.#opened)
    for (let due = 0; performance.now() < this.#endAt; ) {
      const dueNow = Math.floor(((performance.now() - this.#startedAt) / 1000) * perSecond)
      for (; due < dueNow; due++) {
        const connection = this.#free.pop()
        if (connection) this.#send(connection, this.#startedAt + (due / perSecond) * 1000)
        else this.#counts.notSent++
      }
      // Not in every turn of the event loop: a busy generator would take CPU from the service.
      await after(1)
    }
  }

  #send(connection: Connection, dueAt: number): void {
    connection.dueAt = dueAt
    connection.isBusy = true
    this.#underWay++
    connection.socket.write(this.#messages[this.#counts.sent++ % this.#messages.length]!)
  }

  #next(connection: Connection): void {
    const now = performance.now()
    if (this.#load.perSecond === undefined && now < this.#endAt) this.#send(connection, now)
    else this.#free.push(connection)
  }

  #read(connection: Connection, text: string): void {
    connection.received += text
    const headEnd = connection.received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const length = /\r\ncontent-length: (\d+)/i.exec(connection.received)?.[1]
    if (connection.received.length < headEnd + 4 + Number(length)) return
    const answer = connection.received
    connection.received = ''
    connection.isBusy = false
    this.#underWay--
    this.#count(answer, connection.dueAt)
    const restSeconds = Number(answer.startsWith('503', 9) ? retryAfterOf(answer) : 0)
    if (this.#load.honoursRetryAfter && restSeconds > 0) {
      setTimeout(() => this.#next(connection), restSeconds * 1000).unref()
    } else this.#next(connection)
  }

  #count(answer: string, dueAt: number): void {
    let outcome = answer.slice(9, 12)
    if (outcome === '200' && answer.includes('"success":false')) outcome = 'failed'
    if (outcome === '503' && retryAfterOf(answer) === undefined) this.#counts.withoutRetryAfter++
    if (outcome === '200') this.#answered.succeeded++
    else if (outcome === '503') this.#answered.refused++
    if (dueAt < this.#startedAt + this.#load.settlesInMs) return
    this.#latencies.getOrInsertComputed(outcome, () => []).push(performance.now() - dueAt)
  }

  async #connect(): Promise<Connection> {
    const { hostname, port } = new URL(this.#load.url)
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const connection: Connection = { socket, dueAt: 0, isBusy: false, received: '' }
    await once(socket, 'connect')
    // Headers are ASCII. The length of a body in characters does not matter, as long as no answer is truncated.
    socket.setEncoding('latin1')
    socket.on('data', (text) => this.#read(connection, String(text)))
    socket.on('error', () => undefined)
    socket.on('close', () => this.#closed(connection))
    return connection
  }

  #closed(connection: Connection): void {
    const at = this.#free.indexOf(connection)
    if (at >= 0) this.#free.splice(at, 1)
    if (!connection.isBusy) return
    connection.isBusy = false
    this.#underWay--
    this.#counts.dropped++
  }

  #result({ user, system }: NodeJS.CpuUsage): LoadResult {
    const { durationMs, settlesInMs } = this.#load
    const refused = [...this.#latencies].filter(([outcome]) => Number(outcome) > 200)
    return {
      ...this.#counts,
      elapsedMs: durationMs,
      runMs: settlesInMs + durationMs,
      answered: this.#answered,
      succeeded: latenciesOf(this.#latencies.get('200') ?? []),
      failed: latenciesOf(this.#latencies.get('failed') ?? []),
      refused: Object.fromEntries(refused.map(([status, list]) => [status, latenciesOf(list)])),
      dropped: this.#counts.dropped + this.#underWay,
      cpuSeconds: (user + system) / 1e6,
    }
  }
}

const retryAfterOf = (answer: string): string | undefined => /\r\nretry-after: (\d+)/i.exec(answer)?.[1]

/** Percentiles in milliseconds. */
export const latenciesOf = (list: readonly number[]): Latencies => ({
  count: list.length,
  p50Ms: quantile(list, 0.5),
  p99Ms: quantile(list, 0.99),
  maxMs: quantile(list, 1),
})

if (import.meta.main && process.send) {
  process.once('message', async (load: Load) => {
    const generator = new Generator(load)
    await generator.open()
    process.send?.('open')
    await once(process, 'message')
    process.send?.(await generator.run())
  })
  process.on('disconnect', () => process.exit())
}
